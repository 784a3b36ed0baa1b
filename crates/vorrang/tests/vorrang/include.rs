//! What a description includes: errors name the file and its line, and every command reads all of it.

use crate::program::{Run, run};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const MACHINE: &str = r#"version = 1

[core.0]
scheduler = "fixed-priority"

[task.watchdog]
on = "core.0"
wcet = "200us"
period = "5ms"
priority = 90
"#;

const OWN: &str = r#"version = 1
include = ["parts/machine.toml"]

[task.own]
on = "core.0"
wcet = "1ms"
period = "20ms"
priority = 1
"#;

/// A folder with both, and the path of the description.
fn both(own: &str, machine: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    fs::write(folder.path().join("parts/machine.toml"), machine).unwrap();
    let file = folder.path().join("own.toml");
    fs::write(&file, own).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (folder, file)
}

fn checked(own: &str, machine: &str, form: &[&str]) -> Run {
    let (folder, file) = both(own, machine);
    let Run { out, err, code } = run(&[&["check", &file], form].concat());
    let folder = folder.path().to_str().unwrap();
    Run { out: out.replace(folder, "DIR"), err: err.replace(folder, "DIR"), code }
}

#[test]
fn an_error_names_its_file_in_every_form() {
    let wrong = MACHINE.replace("200us", "200");
    let Run { err, code, .. } = checked(OWN, &wrong, &[]);
    assert_eq!(code, 2);
    assert!(err.contains("--> DIR/parts/machine.toml:8:8\n"), "{err}");
    let github = checked(OWN, &wrong, &["--output-format", "github"]).out;
    assert!(github.starts_with("::error file=DIR/parts/machine.toml,line=8,col=8,"), "{github}");
    let sarif = checked(OWN, &wrong, &["--output-format", "sarif"]).out;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "file://DIR/parts/machine.toml");
    assert_eq!(place["region"]["startLine"], 8);
    let (_folder, file) = both(OWN, &wrong);
    let json = run(&["check", &file, "examples/proxy-slot.toml", "--json"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    let error = &json["checks"][0]["errors"][0];
    assert_eq!((&error["file"], &error["line"]), (&"parts/machine.toml".into(), &8.into()));
}

#[test]
fn what_is_not_proven_is_marked_where_it_is_declared() {
    let late = MACHINE.replace("200us", "6ms");
    let out = checked(OWN, &late, &["--output-format", "github"]).out;
    assert!(out.contains("file=DIR/parts/machine.toml,line=6,col="), "{out}");
    assert!(out.contains("file=DIR/own.toml,line=4,col="), "{out}");
}

#[test]
fn a_verdict_is_of_all_that_was_read() {
    let sha = |machine: &str| {
        let out = checked(OWN, machine, &["--json"]).out;
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(json["requirements"].as_array().unwrap().len(), 2);
        json["input_sha256"].as_str().unwrap().to_owned()
    };
    assert_ne!(sha(MACHINE), sha(&MACHINE.replace("200us", "201us")));
}

#[test]
fn a_part_of_another_is_not_judged_by_itself_in_a_folder() {
    let Run { out, code, .. } = run(&["check", "examples/fleet", "--quiet"]);
    assert_eq!(code, 0);
    assert_eq!(
        out,
        "examples/fleet/oven.toml: All 2 requirements are proven.\n\
         examples/fleet/press.toml: All 2 requirements are proven.\n"
    );
    // Its layout is its own.
    let (folder, _) = both(OWN, &MACHINE.replace("wcet =", "wcet   ="));
    let path = folder.path().to_str().unwrap();
    let Run { out, code, .. } = run(&["fmt", path, "--check"]);
    assert_eq!((code, out.replace(path, "DIR").as_str()), (1, "DIR/parts/machine.toml\n"));
}

#[test]
fn words_are_corrected_where_they_stand() {
    let (folder, file) = both(OWN, &MACHINE.replace("period", "peroid"));
    let Run { err, code, .. } = run(&["check", &file, "--fix", "--quiet"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("parts/machine.toml")).unwrap(), MACHINE);
    assert_eq!(fs::read_to_string(&file).unwrap(), OWN);
}

#[test]
fn two_versions_of_a_part_are_compared() {
    let (_before, before) = both(OWN, MACHINE);
    let (_after, after) = both(OWN, &MACHINE.replace("200us", "6ms"));
    let Run { out, code, .. } = run(&["diff", &before, &after]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("task.watchdog") && out.contains("worse"), "{out}");
}

#[test]
fn a_design_is_written_into_the_description_alone() {
    let server = "[vcpu.a]\non = \"core.0\"\npriority = 2\nserver = \"deferrable\"\nbudget = \"?\"\nperiod = \"10ms\"\nscheduler = \"fixed-priority\"\n\n[task.own]\n";
    let open = OWN.replace("[task.own]\n", server).replacen(
        "on = \"core.0\"\nwcet",
        "on = \"vcpu.a\"\nwcet",
        1,
    );
    let (folder, file) = both(&open, MACHINE);
    let to = folder.path().join("chosen.toml");
    let Run { err, code, .. } = run(&["design", &file, "--out", to.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    let chosen = fs::read_to_string(&to).unwrap();
    assert!(chosen.starts_with("version = 1\ninclude = [\"parts/machine.toml\"]\n"), "{chosen}");
    assert_eq!(run(&["check", to.to_str().unwrap(), "--quiet"]).code, 0);
    let (_folder, file) = both(&OWN.replace("1ms", "?"), &MACHINE.replace("= 90", "= \"?\""));
    let Run { err, code, .. } = run(&["design", &file]);
    assert_eq!(code, 2);
    assert!(err.contains("parts/machine.toml:10:12"), "{err}");
}
