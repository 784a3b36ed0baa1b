//! The layout of descriptions, as files.

use crate::program::{Run, command, fed, run};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use tempfile::TempDir;

const UGLY: &str = "version=1 # one\n\n\n\n[core.0]\n  scheduler = \"edf\"\n";
const LAYOUT: &str = "version = 1 # one\n\n[core.0]\nscheduler = \"edf\"\n";

fn fmt(arguments: &[&str]) -> Run {
    run(&[&["fmt"], arguments].concat())
}

#[test]
fn files_are_written_where_their_layout_differs() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ugly.toml");
    fs::write(&file, UGLY).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.toml");
    std::os::unix::fs::symlink("ugly.toml", &link).unwrap();
    let (file, link): (&str, &str) = (file.to_str().unwrap(), link.to_str().unwrap());
    let named = |run: &Run| (run.code, run.out.trim_end().to_owned());
    assert_eq!(named(&fmt(&[file, "--check"])), (1, file.to_owned()));
    assert_eq!(fs::read_to_string(file).unwrap(), UGLY, "nothing is written");
    assert_eq!(named(&fmt(&[link])), (0, link.to_owned()));
    assert_eq!(fs::read_to_string(file).unwrap(), LAYOUT);
    assert!(Path::new(link).is_symlink());
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(named(&fmt(&[file, link, "--check"])), (0, String::new()));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "no draft is left");
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let Run { out, code, .. } = fed(command(&["fmt", "-"]), UGLY);
    assert_eq!((code, out.as_str()), (0, LAYOUT));
    let Run { out, code, .. } = fed(command(&["fmt", "-", "--check"]), UGLY);
    assert_eq!((code, out.as_str()), (1, "-\n"));
}

#[test]
fn nothing_is_written_where_one_is_wrong() {
    let folder = TempDir::new().unwrap();
    let ugly = folder.path().join("ugly.toml");
    fs::write(&ugly, UGLY).unwrap();
    let wrong = folder.path().join("wrong.toml");
    fs::write(&wrong, "[core.0\n").unwrap();
    let Run { out, err, code } = fmt(&[folder.path().to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.starts_with(&format!("error: {}: TOML parse error at line 1", wrong.display())),
        "{err}"
    );
    assert_eq!(fs::read_to_string(&ugly).unwrap(), UGLY);
    let json = folder.path().join("system.json");
    fs::write(&json, "{}").unwrap();
    assert_eq!(fmt(&[json.to_str().unwrap()]).code, 2);
}

#[test]
fn the_examples_have_the_layout() {
    let Run { out, err, code } = fmt(&["examples", "designs", "--check"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
}
