//! `vorrang import`, on folders with the files of a machine and on files.

use crate::program::run;

const EDGE: &str = "machines/edge";
const DOMAIN: &str = "machines/edge/etc/libvirt/qemu/plc.xml";

#[test]
fn a_machine_becomes_a_description_with_open_values() {
    let imported = run(&["import", "--root", EDGE]);
    assert_eq!((imported.code, imported.err.as_str()), (0, ""));
    assert!(imported.out.contains("# - plc-0 is to be SCHED_FIFO 10, and is SCHED_FIFO 1 "));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("edge.toml");
    let path = file.to_str().expect("UTF-8");
    let written = run(&["import", "--root", EDGE, "--out", path]);
    assert_eq!((written.code, written.out.as_str()), (0, ""));
    assert!(written.err.contains("7 contradictions"), "{}", written.err);
    assert_eq!(std::fs::read_to_string(&file).expect("it is written"), imported.out);
    // All that is wrong with it is that values are open; a budget that is counts as one nanosecond for the rest.
    let checked = run(&["check", path]);
    let errors: Vec<&str> = checked.err.lines().filter(|line| line.starts_with("error")).collect();
    let is_open = |line: &&str| line.contains("E0109") || line.contains("is 1ns, and Linux takes");
    assert!(!errors.is_empty() && errors.iter().all(is_open), "{}", checked.err);
    let again = run(&["import", "--root", EDGE, "--out", path]);
    assert!(again.code == 2 && again.err.contains("there is such a file already"));
}

#[test]
fn a_file_is_known_by_what_is_in_it() {
    let known = run(&["import", DOMAIN]);
    assert_eq!((known.code, known.err.as_str()), (0, ""));
    assert!(known.out.contains("[vcpu.plc-0]") && known.out.contains("plc.xml:5: shares 2048"));
    assert_eq!(run(&["import", DOMAIN, "--as", "libvirt"]).out, known.out);
}

#[test]
fn what_cannot_be_imported_is_said() {
    for (arguments, why) in [
        (&["import"][..], "required"),
        (&["import", "--root", "no/such"], "there is no such folder"),
        (&["import", "--root", "docs"], "there is nothing of a machine here"),
        (&["import", "no-such.xml"], "there is no such file"),
        (&["import", "README.md"], "it looks like nothing that can be imported"),
        (&["import", "README.md", "--as", "libvirt"], "README.md: line 1: this is no XML"),
        (&["import", "crates/fuzz/src/corpus/outputs/trace.pftrace"], "it is no UTF-8"),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(why), "{arguments:?}: {}", run.err);
    }
}
