//! What stands under *Assumed*, by name.

use crate::program::run;

/// A task with a deadline and an interrupt that is handled by it: both are promised for arrivals without a
/// storm only, and said to be.
#[test]
fn a_handler_is_proven_for_arrivals_without_a_storm() {
    let text = run(&["check", "crates/vorrang/tests/systems/handler-in-a-storm.toml"]);
    assert_eq!(text.code, 0, "{}", text.err);
    let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, assumed) = flat.split_once("Assumed:").expect("what is assumed");
    let sentence = "interrupt.net does not storm: its bound and that of task.handler hold for arrivals \
                    at least 100us apart; under its storm (20us) neither is claimed";
    assert!(assumed.contains(sentence), "{flat}");
}

/// The sentence about the storm of an interrupt, in text and in JSON: of its own requirement and that
/// of its task, and of no other.
#[test]
fn an_interrupt_s_own_storm_is_assumed_away_by_name() {
    let file = "crates/vorrang/tests/systems/storm-of-its-own.toml";
    let text = run(&["check", file]);
    assert_eq!(text.code, 0, "{}", text.err);
    let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "interrupt.eth0 does not storm: its bound and that of task.irq hold for arrivals at \
                    least 50us apart; under its storm (10us) neither is claimed";
    assert!(flat.contains(sentence), "{flat}");

    let document = run(&["check", file, "--json"]).out;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let assumptions = document["requirements"][0]["assumptions"].as_array().unwrap();
    assert!(assumptions.iter().any(|said| said == sentence), "{assumptions:?}");
}

/// Each return and each end of a budget is an interrupt of 5 us: entry, callback, exit, VM exit. In
/// the 48 us that vcpu.a takes to give task.a 10 us behind 8 us of calls and switches there are one
/// return and two ends of each budget, so 6 x 5 us come on top of what calls and switches allow, 18 us.
#[test]
fn timers_of_budgets_are_counted() {
    let document = run(&["check", "crates/vorrang/tests/systems/budgets-by-timers.toml", "--json"]);
    assert!(!document.out.contains(BUDGET_TIMERS), "{}", document.out);
    let document: serde_json::Value = serde_json::from_str(&document.out).unwrap();
    let requirements = document["requirements"].as_array().unwrap();
    let bounds = requirements.iter().map(|found| found["bound_ns"].as_u64());
    // Of the first without the 80 us for which its server might have no budget; no other task uses it.
    let expected = [Some(18_000 + 6 * 5_000), Some(74_000), Some(570_000)];
    assert_eq!(bounds.collect::<Vec<_>>(), expected);
    for found in requirements {
        let observed = found["observed_ns"].as_u64().expect("it was seen");
        assert!(found["bound_ns"].as_u64().is_none_or(|bound| observed <= bound), "{found}");
    }
}

/// Those of `SCHED_DEADLINE` are, and of the server of `SCHED_OTHER`; how often pieces of a budget
/// return is not: that their timers take nothing is assumed where timers are said to take something.
#[test]
fn timers_of_other_budgets_are_assumed_to_cost_nothing() {
    let assumed = |args: &[&str]| {
        let text = run(&[&["check"][..], args].concat());
        text.out.split_whitespace().collect::<Vec<_>>().join(" ").contains(BUDGET_TIMERS)
    };
    let folder = "crates/vorrang/tests/systems";
    for file in ["reservation-beside-timer-costs", "fair-server-beside-timer-costs"] {
        assert!(!assumed(&[&format!("{folder}/{file}.toml")]), "{file}");
    }
    let pieces = format!("{folder}/pieces-beside-timer-costs.toml");
    assert!(assumed(&[&pieces]));
    // Nothing is stated about what they cost.
    assert!(!assumed(&[&format!("{folder}/reservation-beside-an-interrupt.toml")]));
}

const BUDGET_TIMERS: &str = "the kernel's timers by which budgets return and end take no time \
                             besides calls and switches, or are described as interrupts";

/// What a kernel does by itself is counted on its core, and what is not is named; without a kernel that
/// is said, too.
#[test]
fn a_kernel_is_counted_or_named() {
    let file = "crates/vorrang/tests/systems/linux-with-a-kernel.toml";
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = run(&["check", file]);
    assert_eq!(text.code, 0, "{}{}", text.out, text.err);
    let said = flat(&text.out);
    assert!(said.contains("core.0/ktimers"), "{said}");
    let late = "runtimes of SCHED_DEADLINE on core.0 end at most 269us after they are used up, which is \
                counted (kernel 7.2-rt)";
    assert!(said.contains(late), "{said}");
    assert!(said.contains("of kernel 7.2-rt on core.0 the following take no time"), "{said}");
    let tick = flat(&run(&["check", file, "--explain", "task.log"]).out);
    assert!(tick.contains("core.0/tick") && tick.contains("core.0/fair-server"), "{tick}");

    let unnamed = std::fs::read_to_string(crate::program::root().join(file)).unwrap();
    let unnamed = unnamed.replace("kernel = \"7.2-rt\"\n", "");
    let text = crate::program::fed(crate::program::command(&["check", "-"]), &unnamed);
    let said = flat(&text.out);
    assert!(said.contains("no `kernel` is named"), "{said}");
    assert!(
        said.contains("neither a `kernel` nor an `overrun` says how late one may end"),
        "{said}"
    );
}

/// The budget of the second server is there because the first has little work, which no requirement rests on.
#[test]
fn a_budget_says_that_it_rests_on_the_work_in_another_server() {
    let file = "crates/vorrang/tests/systems/budget-beside-little-work.toml";
    let text = run(&["check", file]);
    assert_eq!(text.code, 0, "{}", text.err);
    let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = vorrang_analysis::Assumption::WorkInServers.to_string();
    let (_, assumed) = flat.split_once("Assumed:").expect("what is assumed");
    assert!(assumed.contains(&sentence), "{flat}");
    let document: serde_json::Value =
        serde_json::from_str(&run(&["check", file, "--json"]).out).unwrap();
    let says = |of: &serde_json::Value| {
        of["assumptions"].as_array().unwrap().iter().any(|said| *said == sentence)
    };
    let budgets = document["budgets"].as_array().unwrap();
    assert_eq!(budgets.iter().map(says).collect::<Vec<_>>(), [false, true]);
    assert!(!says(&document["requirements"][0]));
}

/// Each budget is missed by 1 ns and received a period later.
#[test]
fn a_server_as_large_as_its_task_is_proven() {
    let file = "crates/vorrang/tests/systems/server-as-large-as-its-task.toml";
    let document = run(&["check", file, "--json"]);
    assert_eq!(document.code, 0, "{}", document.err);
    let document: serde_json::Value = serde_json::from_str(&document.out).unwrap();
    let found = &document["requirements"][0];
    assert_eq!(found["verdict"], "proven");
    assert_eq!(found["bound_ns"], 4_299_999);
    assert_eq!(found["observed_ns"], 4_299_999);
}
