//! `vorrang apply --for-machine`: a plan by what `vorrang doctor --json` printed.

use crate::program::{root, run};
use serde_json::{Value, json};
use std::fs;

const EDGE: &str = "machines/edge";
const FILE: &str = "machines/edge.toml";

/// What the doctor prints of the example, after a change.
fn document(change: impl FnOnce(&mut Value)) -> tempfile::NamedTempFile {
    let told = run(&["doctor", "--root", EDGE, "--json"]);
    let mut document: Value = serde_json::from_str(&told.out).expect("JSON");
    change(&mut document);
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), document.to_string()).expect("a file");
    file
}

fn planned(file: &tempfile::NamedTempFile, description: &str) -> (i32, String, String) {
    let path = file.path().to_str().expect("UTF-8");
    let run = run(&["apply", description, "--for-machine", path]);
    (run.code, run.out.replace(path, "edge.json"), run.err.replace(path, "edge.json"))
}

#[test]
fn a_document_is_planned_for_as_its_machine_is() {
    let (code, text, err) = planned(&document(|_| ()), FILE);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!(text);
    // The files themselves: the same plan, and no findings.
    let folder = run(&["apply", FILE, "--for-machine", EDGE]);
    let steps = |text: &str| text.split_once("\n\n").expect("steps").1.to_owned();
    assert_eq!(steps(&folder.out), steps(&text));
    assert!(folder.out.contains("For the machine of machines/edge, Linux 6.12.95-rt-amd64"));
}

#[test]
fn what_the_other_machine_lacks_is_said() {
    let bare = document(|document| {
        let files = document["machine"]["files"].as_object_mut().expect("files");
        files.insert("/sys/devices/system/cpu/online".into(), "0-2\n".into());
        files.retain(|path, _| !path.starts_with("/proc/950/"));
    });
    let (code, text, err) = planned(&bare, FILE);
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(err.contains("has no processor 3: it has 0-2"), "{err}");
    assert!(err.contains("there is no thread name:fieldbus"), "{err}");
    // Hidden, and so unknown.
    let hidden = document(|document| {
        let machine = &mut document["machine"];
        let files = machine["files"].as_object_mut().expect("files");
        files.retain(|path, _| !path.starts_with("/sys/kernel/debug/"));
        machine["hidden"] = json!({ "/sys/kernel/debug/sched/fair_server": "Permission denied" });
    });
    let (code, text, _) = planned(&hidden, FILE);
    assert_eq!(code, 0);
    assert!(text.contains("Permission denied") && text.contains("--unproven only"), "{text}");
}

#[test]
fn what_vorrang_host_runs_is_planned_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("field.toml");
    let text = fs::read_to_string(root().join(FILE)).expect("a description");
    let text = text.replace("\"linux\"", "\"fixed-priority\"");
    let text = text.replace("\"sched-deadline\"", "\"polling\"\npriority = 1");
    fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("UTF-8");
    let real_time = run(&["apply", file, "--for-machine", EDGE, "--unproven"]);
    assert_eq!(real_time.code, 4, "{}", real_time.out);
    assert!(real_time.err.contains("is not of SCHED_OTHER"), "{}", real_time.err);
    let plain = document(|document| {
        let policy = &mut document["machine"]["threads"]["950"]["policy"];
        (policy["policy"], policy["priority"]) = (json!(0), json!(0));
    });
    let path = plain.path().to_str().expect("UTF-8");
    let lent = run(&["apply", file, "--for-machine", path, "--unproven"]);
    assert_eq!((lent.code, lent.err.as_str()), (0, ""), "{}", lent.out);
    assert!(lent.out.contains("on processor 3 threads are lent"), "{}", lent.out);
}

#[test]
fn a_file_that_tells_no_machine_is_refused() {
    let of_thread = document(|document| {
        document.as_object_mut().expect("an object").remove("machine");
    });
    let other = document(|document| document["format"] = json!("vorrang-check/1"));
    let nothing = document(|document| *document = json!([]));
    let wrong = document(|document| document["machine"]["threads"] = json!({ "950": 1 }));
    let text = document(|_| ());
    fs::write(text.path(), "all is well\n").expect("a file");
    for (file, why) in [
        (of_thread, "error: edge.json: does not tell a machine: "),
        (
            other,
            "error: edge.json: is of format \"vorrang-check/1\", and `vorrang doctor --json` prints",
        ),
        (nothing, "error: edge.json: has no \"format\": "),
        (wrong, "error: edge.json: \"machine\": invalid type"),
        (text, "error: edge.json: is no JSON: expected value at line 1 column 1"),
    ] {
        let (code, out, err) = planned(&file, FILE);
        assert_eq!((code, out.as_str()), (2, ""), "{why}");
        assert!(err.starts_with(why), "{err}");
    }
    let gone = run(&["apply", FILE, "--for-machine", "no/such"]);
    assert_eq!((gone.code, gone.out.as_str()), (2, ""));
    assert!(gone.err.contains("error: no/such: cannot be read: "), "{}", gone.err);
    let both = run(&["apply", FILE, "--for-machine", EDGE, "--yes"]);
    assert_eq!(both.code, 2, "another machine is not changed from here");
}
