//! Two results compared: of descriptions, and of documents.

use crate::program::{Run, root, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const HELLO: &str = "examples/hello.toml";

/// The example with a change.
fn changed(folder: &Path, name: &str, from: &str, to: &str) -> String {
    let text = fs::read_to_string(root().join(HELLO)).unwrap();
    assert!(text.contains(from), "{from}");
    let file: PathBuf = folder.join(name);
    fs::write(&file, text.replace(from, to)).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn only_what_turned_worse_ends_with_1() {
    let folder = TempDir::new().unwrap();
    let slower = changed(folder.path(), "slower.toml", "1200us", "9ms");
    let worse = run(&["diff", HELLO, &slower]);
    insta::assert_snapshot!(worse.out);
    assert_eq!(worse.code, 1);
    assert!(worse.err.starts_with("warning[W0005]"), "{}", worse.err);
    let better = run(&["diff", &slower, HELLO]);
    assert_eq!(better.code, 0, "{}", better.out);
    assert!(better.out.contains("better"));
    let same = run(&["diff", HELLO, HELLO]);
    assert_eq!((same.code, same.out.as_str()), (0, "Of 4 requirements and budgets: 4 same.\n"));
}

#[test]
fn what_moved_is_told_from_what_did_not() {
    let folder = TempDir::new().unwrap();
    let moved = changed(folder.path(), "moved.toml", "1200us", "1300us");
    let at = |percent: &str| run(&["diff", HELLO, &moved, "--moved", percent]).out;
    insta::assert_snapshot!(at("1"));
    assert_eq!(at("50"), "Of 4 requirements and budgets: 4 same.\n");
    let renamed = changed(folder.path(), "renamed.toml", "task.log", "task.note");
    let Run { out, code, .. } = run(&["diff", HELLO, &renamed, "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    let changes: Vec<_> =
        document["rows"].as_array().unwrap().iter().map(|row| &row["change"]).collect();
    assert_eq!(
        (code, changes),
        (
            0,
            vec!["new", "gone", "same", "same", "same"]
                .into_iter()
                .map(Value::from)
                .collect::<Vec<_>>()
                .iter()
                .collect()
        )
    );
}

#[test]
fn a_result_is_as_good_as_its_description() {
    let folder = TempDir::new().unwrap();
    let result = folder.path().join("result.json");
    fs::write(&result, run(&["check", HELLO, "--json"]).out).unwrap();
    let result = result.to_str().unwrap();
    let Run { out, code, .. } = run(&["diff", result, HELLO, "--moved", "0"]);
    assert_eq!((code, out.as_str()), (0, "Of 4 requirements and budgets: 4 same.\n"));
}

#[test]
fn what_is_neither_is_refused() {
    let folder = TempDir::new().unwrap();
    let other = folder.path().join("other.json");
    fs::write(&other, "{ \"format\": \"vorrang-margin/1\" }").unwrap();
    let other = other.to_str().unwrap();
    let refused = |a: &str, b: &str| {
        let Run { out, err, code } = run(&["diff", a, b]);
        assert_eq!((code, out.as_str()), (2, ""));
        err
    };
    let why = "this is no result of the format \"vorrang-check/1\"";
    assert_eq!(refused(HELLO, other), format!("error: {other}: {why}\n"));
    assert_eq!(refused("no/such", HELLO), "error: no/such: there is no such file\n");
    assert!(refused(HELLO, "studies/servers.toml").contains("error["));
}
