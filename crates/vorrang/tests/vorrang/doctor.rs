//! `vorrang doctor`, on folders with the files of a machine.

use crate::program::{root, run};
use std::fs;
use std::path::Path;

const EDGE: &str = "machines/edge";

/// A copy of the example in a folder of this test.
fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copied(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a file");
        }
    }
}

#[test]
fn a_machine_has_causes_that_cost_time_or_stop() {
    let well = run(&["doctor", "--root", EDGE]);
    assert_eq!((well.code, well.err.as_str()), (0, ""));
    assert!(well.out.contains("costs irqbalance") && !well.out.contains("absent hyper-threads"));
    assert!(run(&["doctor", "--root", EDGE, "--all"]).out.contains("absent hyper-threads"));
    let place = tempfile::tempdir().expect("a folder");
    copied(&root().join(EDGE), place.path());
    let config = place.path().join("boot/config-6.12.95-rt-amd64");
    fs::write(config, "CONFIG_RT_GROUP_SCHED=y\n").expect("a file");
    let refusing = place.path().to_str().expect("UTF-8");
    let stopped = run(&["doctor", "--root", refusing]);
    assert_eq!(stopped.code, 4);
    assert!(stopped.out.contains("1 cause stops it"), "{}", stopped.out);
    assert!(stopped.out.contains("stops group-runtime\n  EPERM: "), "{}", stopped.out);
    let document = run(&["doctor", "--root", refusing, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&document.out).expect("JSON");
    assert_eq!(document["stops"], true);
    let causes = document["findings"].as_array().expect("a list");
    let of = causes.iter().find(|one| one["cause"] == "group-runtime").expect("it is among them");
    assert_eq!(of["read"][0]["value"], "CONFIG_RT_GROUP_SCHED=y");
}

#[test]
fn a_thread_and_a_description_are_told_what_they_need() {
    let pinned = run(&["doctor", "950", "--root", EDGE, "--policy", "deadline:1ms/10ms"]);
    assert!(pinned.out.starts_with("Thread 950 (fieldbus), Linux 6.12.95-rt-amd64: "));
    assert!(pinned.out.contains("stops root-domain") || pinned.out.contains("cannot be read"));
    let described = run(&["doctor", "examples/machine.toml", "--root", EDGE]);
    assert_eq!(described.code, 4);
    assert!(described.out.contains("stops plan\n"), "{}", described.out);
}

/// This machine, whatever it is.
#[test]
fn the_machine_of_the_tests_is_looked_at() {
    let own = run(&["doctor", "--json"]);
    assert!([0, 4].contains(&own.code), "{}", own.err);
    let process = std::process::id().to_string();
    let thread = run(&["doctor", &process, "--policy", "fifo:1"]);
    assert!([0, 4].contains(&thread.code), "{}", thread.err);
}

#[test]
fn what_is_not_there_is_said() {
    for (arguments, why) in [
        (&["doctor", "--root", "no/such"][..], "there is no such folder"),
        (&["doctor", "2000000000"], "there is no such thread"),
        (&["doctor", "no-such.toml"], "there is no such file"),
        (&["doctor", "--policy", "fifo:1"], "its number is missing"),
        (&["doctor", "1", "--policy", "batch"], "is none of fifo:80"),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(why), "{arguments:?}: {}", run.err);
    }
}
