//! `vorrang-host status` where nothing is run, and where what was run has ended without being undone.

use std::path::PathBuf;
use std::process::{Command, Output};
use vorrang_enforce::Linux;
use vorrang_enforce::journal::{Described, Head, Journal};

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
