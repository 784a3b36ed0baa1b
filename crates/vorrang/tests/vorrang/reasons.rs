//! Why something is undecided, and what would help.

use crate::program::{root, run};
use std::io::Write as _;
use vorrang_verdict::cause::Cause;

/// The output on one of the systems of this folder, in one line.
fn check(file: &str, code: i32) -> String {
    let run = run(&["check", &format!("crates/vorrang/tests/systems/{file}")]);
    assert_eq!(run.code, code, "{}", run.err);
    run.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_overload_is_said_with_its_cause() {
    let said = check("more-than-a-core-reserved.toml", 3);
    let cause = "110 % of core.0 is reserved (server.a 60 %, server.b 50 %), so that server.a is not \
                 guaranteed its budget in each period of 10ms";
    assert!(said.contains(cause), "{said}");
}

/// What is said would prove it does, and a nanosecond less does not.
#[test]
fn the_cheapest_change_proves_it() {
    let name = "crates/vorrang/tests/systems/too-little-budget.toml";
    let run = run(&["check", name, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let required = &document["requirements"][0];
    let change = &required["change"];
    let (now, nearer) = match change["parameter"].as_str() {
        Some("budget") => ("budget = \"2ms\"", -1),
        Some("period") => ("period = \"10ms\"", 1),
        _ => panic!("{required}"),
    };
    assert!(
        required["help"].as_str().is_some_and(|help| help.starts_with("would be proven with "))
    );
    let key = now.split(' ').next().expect("a key");
    let with = |ns: i64| {
        let text = std::fs::read_to_string(root().join(name)).expect("the system");
        let mut file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
        let text = text.replacen(now, &format!("{key} = \"{ns}ns\""), 1);
        file.write_all(text.as_bytes()).expect("room");
        crate::program::run(&["check", &file.path().display().to_string()]).code
    };
    let to = change["to"]["ns"].as_i64().expect("a time");
    assert_eq!(with(to), 0);
    assert_ne!(with(to + nearer), 0);
}

/// As for requirements: what is said guarantees the budget, and a nanosecond less does not.
#[test]
fn the_cheapest_change_guarantees_a_budget() {
    let name = "crates/vorrang/tests/systems/budget-behind-another.toml";
    let run = run(&["check", name, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(run.code, 3);
    let budget = &document["budgets"][1];
    assert_eq!(budget["verdict"], "undecided");
    let change = &budget["change"];
    assert_eq!(
        (&change["parameter"], &change["what"]),
        (&"budget".into(), &"budget of server.below".into())
    );
    let help = "would be guaranteed with budget = \"6.5ms\" of server.below (now 7ms)";
    assert_eq!(budget["help"], help);
    assert!(check("budget-behind-another.toml", 3).contains(&format!("help: {help}")));
    let with = |ns: i64| {
        let text = std::fs::read_to_string(root().join(name)).expect("the system");
        let mut file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
        let text = text.replacen("budget = \"7ms\"", &format!("budget = \"{ns}ns\""), 1);
        file.write_all(text.as_bytes()).expect("room");
        crate::program::run(&["check", &file.path().display().to_string()]).code
    };
    let to = change["to"]["ns"].as_i64().expect("a time");
    assert_eq!(with(to), 0);
    assert_eq!(with(to + 1), 3);
}

#[test]
fn what_is_not_proven_has_a_code_and_help() {
    for file in ["undecided.toml", "proxy-edf.toml", "video.toml"] {
        let run = run(&["check", &format!("examples/{file}"), "--json"]);
        let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        for required in document["requirements"].as_array().expect("an array") {
            let is_proven = required["verdict"] == "proven";
            assert_eq!(required["code"].is_null(), is_proven, "{required}");
            assert_eq!(required["help"].is_null(), is_proven, "{required}");
            if let Some(code) = required["code"].as_str() {
                assert!(Cause::ALL.iter().any(|cause| cause.code() == code), "{code}");
            }
        }
    }
}

/// A scheduler, a kind of server, a lock where members take turns, a probability: each says with its code what to change.
#[test]
fn each_feature_without_a_bound_has_its_own_code_and_help() {
    let core = |scheduler: &str, rest: &str| {
        format!(
            "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{rest}\n[task.a]\non = \"core.0\"\n\
             wcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"10ms\"\n"
        )
    };
    let posix = "[server.s]\non = \"core.0\"\nserver = \"posix-sporadic\"\nbudget = \"1ms\"\n\
                 period = \"10ms\"\npriority = 3\n";
    let chance = "[task.b]\non = \"core.0\"\nwcet = \"5ms\"\nperiod = \"10ms\"\ndeadline = \"20ms\"\n\
                  jitter = \"5ms\"\n[require.b]\nof = \"task.b\"\nhandled-within = \"6ms\"\nprobability = \"99%\"\n";
    for (text, code, help) in [
        (
            core("stride", "quantum = \"1ms\"\n")
                + "share = 1\njitter = \"1ms\"\n"
                + "[task.more]\non = \"core.0\"\nwcet = \"10ms\"\nperiod = \"10ms\"\nshare = 1\n",
            "U0301",
            "\"weighted-round-robin\" with the same shares",
        ),
        (core("fixed-priority", posix) + "priority = 1\n", "U0302", "a kind that has a bound"),
        (core("round-robin", "quantum = \"1ms\"\n") + "blocking = \"1us\"\n", "U0306", "in `wcet`"),
        (core("edf", chance), "U0503", "would be proven with"),
    ] {
        let mut file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
        file.write_all(text.as_bytes()).expect("room");
        let run = run(&["check", &file.path().display().to_string(), "--json"]);
        let document: serde_json::Value = serde_json::from_str(&run.out).expect(&run.err);
        let required = document["requirements"].as_array().expect("an array");
        let found = required.iter().find(|required| required["code"] == code);
        let found = found.unwrap_or_else(|| panic!("{text}{document:#}"));
        let said = found["help"].as_str().expect("a help");
        assert!(said.contains(help), "{said}");
    }
}

#[test]
fn every_code_of_a_verdict_has_its_page() {
    let codes: std::collections::BTreeSet<_> =
        Cause::ALL.iter().map(|cause| cause.code()).collect();
    assert_eq!(codes.len(), Cause::ALL.len());
    for cause in Cause::ALL {
        let page = cause.explanation();
        assert!(page.starts_with(&format!("# {}: {}\n\n", cause.code(), cause.title())), "{page}");
        assert!(page.len() > 100 && page.lines().all(|line| line.chars().count() <= 115), "{page}");
    }
}

#[test]
fn the_table_of_codes_is_fresh() {
    let path = root().join("docs/codes.md");
    let table = vorrang::explain::table();
    if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
        std::fs::write(&path, &table).expect("the documentation");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let how = "VORRANG_WRITE_DOCS=1 cargo test -p vorrang codes";
    assert!(committed == table, "docs/codes.md is stale: {how}");
}

/// Best-effort work requires nothing, and its server has a verdict all the same.
#[test]
fn a_budget_that_may_not_come_is_undecided() {
    let file = "crates/vorrang/tests/systems/two-servers-of-six-tenths.toml";
    let run = run(&["check", file, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.code, &document["verdict"]), (3, &"undecided".into()));
    assert_eq!(document["requirements"][0]["verdict"], "proven");
    let [a, b] = ["vcpu.a", "vcpu.b"].map(|name| {
        let budgets = document["budgets"].as_array().expect("an array");
        budgets.iter().find(|budget| budget["name"] == name).expect("both")
    });
    assert_eq!((&a["verdict"], &a["late_ns"]), (&"proven".into(), &0.into()));
    assert_eq!((&b["verdict"], &b["code"]), (&"undecided".into(), &"U0103".into()));
}

/// Two interrupts of a guest, each with a pseudo-VCPU: proven with the priority that is said, for both of them.
#[test]
fn one_priority_for_the_pseudo_vcpus_of_a_guest_proves_it() {
    let file = "two-interrupts-of-a-guest.toml";
    let said = check(file, 1);
    let help = "help: would be proven with priority = 3 for each pseudo-VCPU of vcpu.guest";
    assert_eq!(said.matches(help).count(), 2, "{said}");
    let text = std::fs::read_to_string(root().join("crates/vorrang/tests/systems").join(file));
    let text = text.expect("the system").replace("{ budget", "{ priority = 3, budget");
    let mut changed = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
    changed.write_all(text.as_bytes()).expect("room");
    assert_eq!(run(&["check", &changed.path().display().to_string()]).code, 0);
}
