//! `vorrang-host status` where nothing is run, and where what was run has ended without being undone.

use std::path::PathBuf;
use std::process::{Command, Output};
use vorrang_enforce::Linux;
use vorrang_enforce::journal::{Described, Head, Journal};
use vorrang_host::running::{Process, Running};

fn status(journal: &PathBuf) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vorrang-host"));
    let Output { status, stdout, stderr } = command
        .args(["status", "--for", "1ms", "--journal"])
        .arg(journal)
        .output()
        .expect("it is built");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

#[test]
fn a_run_that_was_killed_is_said_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("host");
    assert_eq!(status(&journal), (Some(0), "Nothing is run.\n".to_owned()));
    let head =
        Head::of(&Linux, Described::new("system.toml", "abc", "proven")).expect("this machine");
    Journal::begin(&journal, &head).expect("a journal");
    // Killed before its processes were written down, and afterwards: number 1 began at another time.
    for running in
        ["", r#"{"processes":[{"number":1,"start":18446744073709551615}],"processors":[]}"#]
    {
        if !running.is_empty() {
            std::fs::write(folder.path().join("host.running"), running).expect("a file");
        }
        let (code, text) = status(&journal);
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.starts_with("system.toml: proven, sha256 abc\nIt is not run any more"),
            "{text}"
        );
    }
    std::fs::write(folder.path().join("host.running"), "{").expect("a file");
    let (code, text) = status(&journal);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.starts_with("error: "), "{text}");
}

/// What was to take its place is number 1, begun at another time; or it is this process, and still there.
#[test]
fn a_change_that_was_cut_short_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("host");
    let head = Head::of(&Linux, Described::new("system.toml", "abc", "proven"));
    Journal::begin(&journal, &head.expect("this machine")).expect("a journal");
    let number = i32::try_from(std::process::id()).expect("a number of a process");
    let own = Process::of(&Linux, number).expect("it is there");
    let killed = serde_json::from_str(r#"{"number":1,"start":18446744073709551615}"#);
    let killed: Process = killed.expect("a process");
    let cut = "What was to take its place was killed, and its changes are there";
    for (successor, code, is_told) in
        [(vec![], 0, false), (vec![own], 0, false), (vec![killed], 1, true)]
    {
        let running = Running { processes: vec![own], processors: vec![], successor, changes: 0 };
        running.write(&folder.path().join("host.running")).expect("a file");
        let (seen, text) = status(&journal);
        assert_eq!((seen, text.contains(cut)), (Some(code), is_told), "{text}");
        assert!(text.starts_with("system.toml: proven, sha256 abc\n"), "{text}");
    }
}
