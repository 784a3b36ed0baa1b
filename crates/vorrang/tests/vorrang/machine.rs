//! Descriptions and the machine: what is refused before anything is changed, and what is exported.

use crate::program::run;

#[test]
fn what_is_not_proven_is_not_applied() {
    let run = run(&["apply", "examples/undecided.toml", "--yes"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert_eq!(
        run.err,
        "error: examples/undecided.toml: it is undecided, and only what is proven is applied\n  \
         `vorrang check` says why; --unproven applies it all the same\n"
    );
}

#[test]
fn what_a_description_lacks_for_a_machine_is_said() {
    let run = run(&["export", "examples/linux.toml", "--as", "chrt"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let lacks =
        "error: examples/linux.toml: core.0 does not say which processor it is: `cpu = 1`\n";
    assert_eq!(run.err, lacks);
}

#[test]
fn settings_are_written_for_other_programs() {
    let exported = |program: &str| {
        let text = run(&["export", "examples/machine.toml", "--as", program]).out;
        format!("=== {program}\n{text}")
    };
    let text = ["chrt", "systemd", "libvirt", "xl"].map(exported).concat();
    insta::assert_snapshot!("export machine.toml", text);
}

#[test]
fn without_a_journal_nothing_is_applied() {
    let place = std::env::temp_dir().join(format!("vorrang-no-journal-{}", std::process::id()));
    let place = place.to_str().expect("a path of text");
    for verb in ["status", "restore", "restore"] {
        let run = run(&[verb, "--journal", place]);
        assert_eq!(
            (run.code, run.out.as_str(), run.err.as_str()),
            (0, "Nothing is applied.\n", "")
        );
    }
}

#[test]
fn what_is_no_journal_is_refused_and_kept() {
    let place = std::env::temp_dir().join(format!("vorrang-bad-journal-{}", std::process::id()));
    std::fs::write(&place, "{}\n").expect("a file");
    let run = run(&["restore", "--journal", place.to_str().expect("a path of text")]);
    assert_eq!(run.code, 4, "{}", run.err);
    assert!(run.err.contains("line 1 is not the head of a journal"), "{}", run.err);
    assert!(place.exists());
    std::fs::remove_file(&place).expect("it is there");
}
