//! `vorrang learn`, on traces of real kernels.

use crate::program::run;
use std::fs;

const TRACE: &str = "crates/observe/tests/data/7.2-rt.trace";
const GUIDE: &str = "docs/guide/0-your-machine.toml";

#[test]
fn what_is_learnt_bounds_what_was_seen() {
    let observed = run(&["observe", GUIDE, "--trace", TRACE]);
    assert!(!observed.out.contains("ABOVE"), "{}", observed.out);
    let checked = run(&["check", GUIDE]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let named = "what was learnt of interrupt.local_timer-0, task.fifo, task.ktimers-0";
    assert!(checked.out.replace("\n     ", " ").contains(named), "{}", checked.out);
}

#[test]
fn every_form_of_a_trace_has_the_same_threads() {
    for form in [
        "6.12-rt.trace",
        "6.12-rt.perf",
        "6.12-rt.trace-cmd",
        "7.2-rt.v7-zstd.dat",
        "7.2-rt.perf.dat",
    ] {
        let learnt = run(&["learn", "--trace", &format!("crates/observe/tests/data/{form}")]);
        assert_eq!((learnt.code, learnt.err.as_str()), (0, ""), "{form}");
        for table in ["[server.reserved]", "[task.reserved]", "[task.fifo]"] {
            assert!(learnt.out.contains(table), "{form}: {}", learnt.out);
        }
    }
}

#[test]
fn an_update_says_what_it_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("system.toml");
    let path = file.to_str().expect("UTF-8");
    let text = fs::read_to_string(crate::program::root().join(GUIDE)).expect("it is there");
    let (before, after) = text.split_once("[interrupt.local_timer-0]").expect("it is the last");
    let less =
        before.replace("1208us", "1100us").replace("deadline = \"15ms\"", "deadline = \"14ms\"");
    let less = format!("{}\n", less.trim_end());
    fs::write(&file, &less).expect("it can be written");
    let update = ["learn", "--trace", TRACE, "--arrivals", "periodic", "--update", path];
    let changed = run(&update);
    assert_eq!((changed.code, changed.err.as_str()), (0, ""));
    assert_eq!(changed.out, "task.fifo: wcet = 1208us, was 1100us\ninterrupt.local_timer-0: new\n");
    let expected = text.replace("deadline = \"15ms\"", "deadline = \"14ms\"");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), expected, "{after}");
    assert_eq!(run(&update).out, "Nothing is new.\n");
}

#[test]
fn what_cannot_be_learnt_from_is_said() {
    let separate = ["learn", "--trace", TRACE, "--separate", "fifo=futex"];
    let edge = ["learn", "--trace", TRACE, "--root", "machines/edge", "--process", "fieldbus"];
    for (arguments, why) in [
        (&["learn"][..], "required"),
        (&["learn", "--trace", "no-such"], "cannot be read"),
        (&["learn", "--trace", "README.md"], "line 3: this is no event"),
        (&["learn", "--trace", TRACE, "--margin", "200%"], "a percentage up to 100%"),
        (&["learn", "--trace", TRACE, "--separate", "fifo"], "a name and a kind"),
        (&["learn", "--trace", TRACE, "--thread", "none"], "there is nothing to learn"),
        (&["learn", "--trace", TRACE, "--update", "README.md"], "TOML parse error"),
        (&separate, "the trace has no calls of the kernel"),
        (&["learn", "--trace", TRACE, "--vm", "plc"], "which threads the virtual machine plc has"),
        // None of its threads is in this trace.
        (&edge, "there is nothing to learn"),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(why), "{arguments:?}: {}", run.err);
    }
}
