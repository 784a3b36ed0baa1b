//! Servers that reclaim, worked out by hand. docs/theory/reclaiming.md

use vorrang_analysis::bounds;
use vorrang_model::{Format, read};

/// The bounds in microseconds, or why there is none, in the order of the tasks.
fn found(text: &str) -> Vec<Result<u64, String>> {
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    let bounds = bounds(&system);
    let of = |id| {
        let finding = bounds.task(id);
        let none = || finding.reason().expect("why").to_string();
        finding.bound().map(|bound| bound.as_ns().div_ceil(1_000)).ok_or_else(none)
    };
    system.task_ids().map(of).collect()
}

fn core(scheduler: &str, lines: &str) -> String {
    let fair = if scheduler == "linux" { "fair-server = \"none\"\n" } else { "" };
    let is_stated = scheduler != "linux" || lines.contains("interrupt-time");
    let apart = if is_stated { "" } else { "interrupt-time = \"apart\"\n" };
    format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{fair}{apart}{lines}")
}

/// 2 ms in 10 ms with a task in it, which comes every 60 ms.
fn server(name: &str, reclaims: bool, wcet: &str) -> String {
    format!(
        "[server.{name}]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n\
         reclaim = {reclaims}\n[task.{name}]\non = \"server.{name}\"\nwcet = \"{wcet}\"\nperiod = \"60ms\"\n"
    )
}

const INTERRUPT: &str =
    "[interrupt.i]\non = \"core.0\"\nisr = \"1ms\"\nmin-interarrival = \"50ms\"\n";
const BELOW: &str =
    "[task.below]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"60ms\"\npriority = 1\n";
const REASON: &str = "no analysis covers server.a, a \"sched-deadline\" server that reclaims";

#[test]
fn alone_it_provides_what_it_provides_without() {
    for scheduler in ["edf", "linux"] {
        for interrupt in ["", INTERRUPT] {
            let with = |reclaims| {
                found(&(core(scheduler, "") + interrupt + &server("a", reclaims, "5ms")))
            };
            // 2 ms in each of two periods, and 1 ms with the routine.
            let expected = if interrupt.is_empty() { 21_000 } else { 22_000 };
            assert_eq!(with(false), [Ok(expected)], "{scheduler} {interrupt}");
            assert_eq!(with(true), with(false), "{scheduler} {interrupt}");
        }
    }
}

/// Without it takes 2 ms in 10 ms, and 0.75 ms of a budget that was kept; with it all 5 ms at once.
#[test]
fn what_is_below_waits_for_the_work_in_it() {
    let with = |reclaims| found(&(core("linux", "") + &server("a", reclaims, "5ms") + BELOW));
    assert_eq!(with(false)[1], Ok(3_750));
    assert_eq!(with(true)[1], Ok(6_000));
    // A guest without a bound may take everything.
    let endless = core("linux", "") + &server("a", true, "13ms").replace("60ms", "61ms") + BELOW;
    assert_eq!(found(&endless)[1], Err(REASON.to_owned()));
}

#[test]
fn beside_others_with_deadlines_it_must_not_use_a_budget_up() {
    for scheduler in ["edf", "linux"] {
        for interrupt in ["", INTERRUPT] {
            let both = |wcet| {
                let text = core(scheduler, "") + interrupt;
                found(&(text + &server("a", true, wcet) + &server("b", false, "1ms")))
            };
            let routine = if interrupt.is_empty() { 0 } else { 1_000 };
            assert_eq!(both("1ms"), vec![Ok(2_000 + routine); 2], "{scheduler}");
            assert_eq!(both("3ms"), vec![Err(REASON.to_owned()); 2], "{scheduler}");
        }
    }
    let task =
        "[task.t]\non = \"core.0\"\nwcet = \"6ms\"\nperiod = \"60ms\"\ndeadline = \"12ms\"\n";
    let beside = |wcet| found(&(core("edf", "") + &server("a", true, wcet) + task));
    assert_eq!(beside("1ms"), vec![Ok(7_000); 2]);
    assert_eq!(beside("3ms"), vec![Err(REASON.to_owned()); 2]);
}

#[test]
fn where_charges_or_late_runtimes_are_unknown_it_must_last() {
    for lines in ["interrupt-time = \"charged\"\n", "overrun = \"1us\"\n"] {
        let of = |wcet| found(&(core("linux", lines) + INTERRUPT + &server("a", true, wcet)));
        assert_eq!(of("500us"), [Ok(1_500)], "{lines}");
        assert_eq!(of("5ms"), [Err(REASON.to_owned())], "{lines}");
    }
    let costs = "[costs]\nscheduler-call = \"1us\"\n";
    let of = |wcet| found(&(core("linux", "") + costs + &server("a", true, wcet)));
    assert!(of("500us")[0].is_ok());
    assert_eq!(of("5ms"), [Err(REASON.to_owned())]);
    let early = server("a", true, "500us").replace("reclaim =", "deadline = \"9ms\"\nreclaim =");
    assert_eq!(found(&(core("linux", "") + &early)), [Err(REASON.to_owned())]);
}
