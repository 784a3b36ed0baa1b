//! Results as programs read them that watch over merges: each against what `--json` says.

use crate::program::{Run, root, run};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const FILES: [&str; 3] =
    ["examples/industrial-pc.toml", "examples/storm.toml", "examples/edge-box.toml"];

fn said(form: &str, more: &[&str]) -> Run {
    run(&[&["check"], &FILES[..], &["--output-format", form], more].concat())
}

/// The requirements and budgets with this verdict, by the documents for programs.
fn count(verdict: &str) -> usize {
    let document: Value = serde_json::from_str(&said("json", &[]).out).unwrap();
    let results = document["checks"].as_array().unwrap().iter().map(|one| &one["result"]);
    let decided = results.flat_map(|result| {
        let lists =
            ["requirements", "budgets", "chains"].map(|key| result[key].as_array().unwrap());
        lists.into_iter().flatten()
    });
    decided.filter(|one| one["verdict"] == verdict).count()
}

/// How many elements of a report are called this.
fn elements(text: &str, name: &str) -> usize {
    let document = roxmltree::Document::parse(text).expect("XML");
    document.descendants().filter(|node| node.has_tag_name(name)).count()
}

#[test]
fn junit_has_a_case_for_each_requirement_and_budget() {
    let Run { out, code, .. } = said("junit", &[]);
    assert_eq!(code, 1);
    let (proven, refuted, undecided) = (count("proven"), count("refuted"), count("undecided"));
    assert!(proven > 50 && refuted > 0 && undecided > 50);
    assert_eq!(elements(&out, "testsuite"), FILES.len());
    assert_eq!(elements(&out, "testcase"), proven + refuted + undecided);
    assert_eq!(elements(&out, "failure"), refuted + undecided);
    let skipped = said("junit", &["--undecided", "skipped"]);
    assert_eq!(elements(&skipped.out, "skipped"), undecided);
    assert_eq!(elements(&skipped.out, "failure"), refuted);
    let replay = "To see it: vorrang simulate examples/industrial-pc.toml --core core.3 --witness";
    assert!(out.contains(replay));
}

#[test]
fn junit_has_what_is_wrong_with_a_description() {
    let Run { out, code, .. } = run(&["check", "no/such.toml", "--output-format", "junit"]);
    assert_eq!(code, 2);
    assert_eq!((elements(&out, "error"), elements(&out, "testcase")), (1, 1));
    assert!(out.contains("there is no such file"));
}

/// What the published schema says against a document.
fn violations(document: &Value) -> Vec<String> {
    let path = root().join("crates/vorrang/tests/data/sarif-schema-2.1.0.json");
    // Of the language of a run, which is not written: its brackets do not match.
    let text = fs::read_to_string(path).unwrap().replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::draft7::new(&schema).expect("a schema");
    validator.iter_errors(document).map(|wrong| format!("{wrong}")).collect()
}

fn sarif(arguments: &[&str]) -> Value {
    let run = run(&[&["check", "--output-format", "sarif"], arguments].concat());
    let document = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(violations(&document), Vec::<String>::new());
    document
}

#[test]
fn the_schema_refuses_what_is_no_sarif() {
    let mut document = sarif(&["examples/proxy-edf.toml"]);
    document["runs"][0]["results"][0]["level"] = "bad".into();
    assert!(!violations(&document).is_empty());
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).expect("a number")
}

#[test]
fn sarif_points_at_what_is_not_proven() {
    let document = sarif(&FILES);
    let run = &document["runs"][0];
    let results = run["results"].as_array().unwrap();
    let unproven = count("refuted") + count("undecided");
    let is_warning = |one: &&Value| one["ruleId"].as_str().unwrap().starts_with('W');
    assert_eq!(results.iter().filter(|one| !is_warning(one)).count(), unproven);
    assert_eq!(results.iter().filter(is_warning).count(), 3);
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][number(&result["ruleIndex"])];
        assert_eq!(rule["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().unwrap();
        let text = fs::read_to_string(root().join(file)).unwrap();
        let line = text.lines().nth(number(&place["region"]["startLine"]) - 1).unwrap();
        let about = &result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
        if let Some(name) = about.as_str() {
            assert!(line.starts_with(&format!("[{name}")), "{name}: {line}");
        }
    }
}

#[test]
fn a_finding_is_the_same_one_after_lines_moved() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("system.toml");
    let text = fs::read_to_string(root().join("examples/proxy-edf.toml")).unwrap();
    let seen = |text: &str| {
        fs::write(&file, text).unwrap();
        sarif(&[file.to_str().unwrap()])["runs"][0]["results"][0].clone()
    };
    let (before, after) = (seen(&text), seen(&format!("# a line\n{text}")));
    assert_eq!(before["partialFingerprints"], after["partialFingerprints"]);
    let line =
        |one: &Value| number(&one["locations"][0]["physicalLocation"]["region"]["startLine"]);
    assert_eq!(line(&before) + 1, line(&after));
}

#[test]
fn annotations_are_lines_of_github() {
    let Run { out, code, .. } =
        run(&["check", "examples/proxy-edf.toml", "--output-format", "github"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(out);
}
