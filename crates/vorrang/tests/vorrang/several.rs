//! Several descriptions and folders in one call.

use crate::program::{Run, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PROVEN: &str = "examples/proxy-slot.toml";
const REFUTED: &str = "examples/proxy-edf.toml";
const UNDECIDED: &str = "examples/turns.toml";

#[test]
fn the_exit_code_is_that_of_the_worst() {
    let code = |files: &[&str]| run(&[&["check", "--quiet"], files].concat()).code;
    assert_eq!(code(&[PROVEN, PROVEN]), 0);
    assert_eq!(code(&[PROVEN, UNDECIDED]), 3);
    assert_eq!(code(&[UNDECIDED, REFUTED, PROVEN]), 1);
    assert_eq!(code(&["no/such.toml", REFUTED, PROVEN]), 2);
}

#[test]
fn a_file_that_is_wrong_does_not_keep_the_others_from_being_checked() {
    let Run { out, err, code } = run(&["check", PROVEN, "no/such.toml", REFUTED]);
    assert_eq!((code, err.as_str()), (2, "error: no/such.toml: there is no such file\n"));
    let (_, table) = out.split_once("description ").expect("a table of all");
    insta::assert_snapshot!(format!("description {table}"));
    for (file, says) in [
        (PROVEN, "The requirement is proven."),
        ("no/such.toml", "The description is wrong: nothing is known of it."),
        (REFUTED, "The requirement is refuted."),
    ] {
        let (_, own) = out.split_once(&format!("== {file} ==\n")).expect("its part");
        assert!(own.split("\n== ").next().is_some_and(|own| own.contains(says)), "{file}: {own}");
    }
}

#[test]
fn each_result_is_the_one_of_a_call_by_itself() {
    let all: Value = serde_json::from_str(&run(&["check", PROVEN, REFUTED, "--json"]).out).unwrap();
    assert_eq!((&all["format"], &all["verdict"]), (&"vorrang-checks/1".into(), &"refuted".into()));
    for (place, file) in [PROVEN, REFUTED].into_iter().enumerate() {
        let alone: Value = serde_json::from_str(&run(&["check", file, "--json"]).out).unwrap();
        assert_eq!(all["checks"][place]["result"], alone, "{file}");
        assert_eq!(all["checks"][place]["file"], file);
    }
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_folder_stands_for_the_descriptions_in_it() {
    let folder = TempDir::new().unwrap();
    let hello = fs::read_to_string(crate::program::root().join("examples/hello.toml")).unwrap();
    write(&folder, "b.toml", &hello);
    write(&folder, "a/deep.toml", &hello);
    write(&folder, "broken.toml", "[core.0\n");
    for left_out in [".hidden.toml", ".git/c.toml", "notes.md"] {
        write(&folder, left_out, &hello);
    }
    write(&folder, "Cargo.toml", "[package]\nname = \"core\"\n");
    write(&folder, "package.json", "{ \"name\": \"core\" }");
    let top = folder.path().to_str().unwrap();
    let Run { out, code, .. } = run(&["check", top, "--json"]);
    assert_eq!(code, 2);
    let document: Value = serde_json::from_str(&out).unwrap();
    let name = |one: &Value| {
        let file = one["file"].as_str().unwrap().to_owned();
        Path::new(&file).strip_prefix(top).unwrap().to_str().unwrap().to_owned()
    };
    let checks = document["checks"].as_array().unwrap();
    let names: Vec<String> = checks.iter().map(name).collect();
    assert_eq!(names, ["a/deep.toml", "b.toml", "broken.toml"]);
    assert_eq!(checks[2]["errors"][0]["code"], "E0005");
    assert_eq!(checks[2]["errors"][0]["line"], 1);
    assert_eq!((&checks[0]["verdict"], &checks[2]["result"]), (&"proven".into(), &Value::Null));
}

#[test]
fn a_folder_without_descriptions_is_refused() {
    let Run { out, err, code } = run(&["check", "crates/quote"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "error: crates/quote: there is no description in this folder\n");
}
