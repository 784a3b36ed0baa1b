//! A check ends, and a history needs the same memory however long it is, whatever the description.

use crate::program::{command, memory_of, root, run};

fn system(name: &str) -> String {
    format!("crates/vorrang/tests/systems/{name}.toml")
}

/// The outcome does not depend on what is left out, and what is left out is said.
#[test]
fn a_check_ends_and_says_what_it_left_out() {
    for (name, code) in [
        ("turns-of-2ns", 3),
        ("turns-of-143ns", 3),
        ("storm-of-1ns", 3),
        ("shielded-timer-of-1ns", 3),
        ("twice-overloaded", 1),
        ("an-hour-every-nanosecond", 1),
    ] {
        let check =
            |more: &[&str]| run(&[&["check", &system(name), "--steps", "100"], more].concat());
        let text = check(&[]);
        assert_eq!(text.code, code, "{name}: {}", text.err);
        let said = ["Left out to keep within the limits of a check: ", "Cut short to keep "];
        assert!(said.iter().any(|said| text.out.contains(said)), "{name}: {}", text.out);
        let document: serde_json::Value = serde_json::from_str(&check(&["--json"]).out).unwrap();
        let omitted = document["simulation"]["omitted"].as_array().expect("a list");
        assert!(!omitted.is_empty(), "{name}");
    }
}

#[test]
fn what_is_left_out_is_named_by_kind() {
    let said = |name: &str, more: &[&str], begin: &str| {
        let text = run(&[&["check", &system(name)], more].concat());
        let from = text.out.find(begin).expect("something is");
        text.out[from..].lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    let left_out = said("storm-of-1ns", &["--steps", "100"], "Left out");
    let cut_short = said("more-waits-than-is-kept", &[], "Cut short");
    insta::assert_snapshot!(format!("{left_out}\n{cut_short}"));
    let whole = run(&["check", "examples/hello.toml", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(document["simulation"]["omitted"], serde_json::json!([]));
}

#[test]
fn a_history_of_interrupts_that_drown_their_core_ends_early_and_says_so() {
    let text = "version = 1\n[core.0]\nscheduler = \"edf\"\n[interrupt.i]\non = \"core.0\"\n\
                isr = \"200ns\"\nmin-interarrival = \"100ns\"\n";
    let file = format!("{}/drowning.toml", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, text).expect("a folder for tests");
    let run = |more: &[&str]| run(&[&["simulate", &file, "--for", "1s"], more].concat());
    let text = run(&[]);
    assert_eq!(text.code, 3, "{}", text.out);
    assert!(
        text.out.contains("\nEnded, because too many requests and woken jobs wait, at "),
        "{}",
        text.out
    );
    let document: serde_json::Value = serde_json::from_str(&run(&["--json"]).out).unwrap();
    assert!(document["ended_early_at_ns"].is_u64() && document["interrupted_at_ns"].is_null());
}

#[cfg(target_os = "linux")]
#[test]
fn an_overload_needs_no_more_memory_than_any_history() {
    for name in ["twice-overloaded", "an-hour-every-nanosecond"] {
        let kilobytes = memory_of(&mut command(&["simulate", &system(name), "--for", "1000s"]));
        assert!((1..16 * 1024).contains(&kilobytes), "{name}: {kilobytes} kB");
    }
}

/// What a check may take by default is enough for everything that is shown.
#[test]
fn what_is_shown_is_searched_to_the_end() {
    let folders = ["examples", "published/systems"];
    let entries = folders.map(|folder| std::fs::read_dir(root().join(folder)).expect("a folder"));
    let files = entries.into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let files: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
    assert!(files.len() > 25, "{files:?}");
    for file in files {
        let checked = run(&["check", file.to_str().expect("UTF-8"), "--json"]);
        let document: serde_json::Value = serde_json::from_str(&checked.out).expect("JSON");
        assert_eq!(document["simulation"]["omitted"], serde_json::json!([]), "{}", file.display());
    }
}
