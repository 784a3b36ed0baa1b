//! What can mean nothing else is corrected in its file.

use crate::program::{Run, run};
use std::fs;

const RIGHT: &str = r#"version = 1
# a comment

[core.0]
scheduler = "fixed-priority"   # by priority

[task.a]
on = "core.0"
priority = 1
wcet = "1ms"
period = "20ms"
"#;

#[test]
fn misspelt_words_are_corrected_and_comments_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("system.toml");
    let file = path.to_str().unwrap();
    let wrong = RIGHT.replace("[core.0]", "[corr.0]").replace("wcet", "wect");
    fs::write(&path, wrong.replace("fixed-priority", "fixed-prioritiy")).unwrap();
    let Run { err, code, .. } = run(&["check", file, "--fix", "--quiet"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), RIGHT);
    let said = err.replace(file, "FILE");
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "FILE:10: wcet instead of wect",
            "FILE:4: core instead of corr",
            "FILE:5: \"fixed-priority\" instead of \"fixed-prioritiy\""
        ]
    );
}

/// A unit that is missing, and a name that is not declared, may be any.
#[test]
fn what_may_mean_something_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("system.toml");
    for (right, wrong) in [("\"20ms\"", "20"), ("\"core.0\"", "\"core.1\"")] {
        let text = RIGHT.replacen(right, wrong, 1);
        fs::write(&path, &text).unwrap();
        let Run { err, code, .. } = run(&["check", path.to_str().unwrap(), "--fix"]);
        assert_eq!(code, 2);
        assert!(err.contains("did you mean"), "{err}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn standard_input_is_no_file_to_correct() {
    let Run { err, code, .. } = run(&["check", "-", "--fix"]);
    assert_eq!((code, err.as_str()), (2, "error: --fix is of files\n"));
}
