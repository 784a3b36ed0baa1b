//! Budgets that are never used up, worked out by hand. docs/theory/never-used-up.md

use std::fmt::Write as _;
use vorrang_analysis::{Assumption, bounds};
use vorrang_model::{Format, read};

/// The bounds of the tasks of a guest by deadlines in microseconds, and whether they rest on a budget that lasts, below a task that takes 1 ms every 10.
fn responses(server: &str, guest: &[(&str, u64)]) -> Vec<(Option<u64>, bool)> {
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[task.urgent]\non = \"core.0\"\nwcet = \"1ms\"\n\
         period = \"10ms\"\npriority = 9\n[vcpu.v]\non = \"core.0\"\npriority = 5\nscheduler = \"edf\"\n{server}"
    );
    for (place, (wcet, period)) in guest.iter().enumerate() {
        write!(
            text,
            "[task.t{place}]\non = \"vcpu.v\"\nwcet = \"{wcet}\"\nperiod = \"{period}us\"\n"
        )
        .unwrap();
    }
    let system =
        read(text.as_str(), Format::Toml).unwrap_or_else(|all| panic!("{all:?} in\n{text}"));
    let bounds = bounds(&system);
    let of = |id| {
        let found = bounds.task(id);
        let lasts = |own: &Assumption| matches!(own, Assumption::BudgetLasts { .. });
        let bound = found.bound().map(|bound| bound.as_ns().div_ceil(1_000));
        (bound, found.assumptions().iter().any(lasts))
    };
    system.task_ids().skip(1).map(of).collect()
}

fn deferrable(budget: &str) -> String {
    format!("server = \"deferrable\"\nbudget = \"{budget}\"\nperiod = \"10ms\"\n")
}

const LIGHT: [(&str, u64); 2] = [("500us", 40_000), ("500us", 40_000)];

/// 1 ms of work, and 1 ms of what is more urgent.
#[test]
fn a_light_guest_waits_for_no_budget() {
    for kind in ["deferrable", "sporadic"] {
        let server = format!("server = \"{kind}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n");
        assert_eq!(responses(&server, &LIGHT), [(Some(2_000), true); 2]);
    }
}

/// One job of each in 10 ms: 1 ms is enough, a nanosecond less is not.
#[test]
fn a_budget_that_is_just_used_up_lasts() {
    assert_eq!(responses(&deferrable("1ms"), &LIGHT), [(Some(2_000), true); 2]);
    let found = responses(&deferrable("999999ns"), &LIGHT);
    assert!(found.iter().all(|(_, lasts)| !lasts), "{found:?}");
    assert!(found[1].0.is_none_or(|bound| bound > 2_000), "{found:?}");
}

/// A job may wait for 2 ms when a period begins, so that two of them, 11 ms apart, count in it, but two that are 12 ms apart do not.
#[test]
fn what_waits_from_the_period_before_counts() {
    let guest = |apart| [("1ms", apart), ("100us", 90_000)];
    let lasts = |budget: &str, apart| responses(&deferrable(budget), &guest(apart))[0].1;
    assert!(!lasts("2ms", 11_999) && lasts("2100us", 11_999));
    assert!(lasts("1100us", 12_000));
}

#[test]
fn kinds_that_lose_or_spend_budgets_wait() {
    for kind in ["polling", "periodic", "refill-queue"] {
        let server = format!("server = \"{kind}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n");
        let found = responses(&server, &LIGHT);
        assert!(found.iter().all(|(_, lasts)| !lasts), "{kind}: {found:?}");
    }
}

/// A routine that is requested while the guest is busy counts, too: 3 requests may come in 10 ms and what waits before.
#[test]
fn routines_are_paid_of_the_budget() {
    let text = |budget: &str| {
        format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[vcpu.v]\non = \"core.0\"\nserver = \"deferrable\"\n\
             budget = \"{budget}\"\nperiod = \"10ms\"\npriority = 5\nscheduler = \"fixed-priority\"\n[interrupt.i]\non = \"core.0\"\n\
             isr = \"1us\"\nmin-interarrival = \"5ms\"\nvirtual = {{ vcpu = \"vcpu.v\", isr = \"200us\" }}\n[task.t]\non = \"vcpu.v\"\n\
             wcet = \"1ms\"\nperiod = \"50ms\"\n"
        )
    };
    let bound = |budget: &str| {
        let system = read(text(budget), Format::Toml).unwrap_or_else(|all| panic!("{all:?}"));
        let task = system.task_ids().next().expect("a task");
        bounds(&system).task(task).bound().map(|bound| bound.as_ns().div_ceil(1_000))
    };
    // 1000 + 200 + 1, where a window of 10 ms and what is ready before it has three requests.
    assert_eq!(bound("1600us"), Some(1_201));
    assert!(bound("1599us").is_none_or(|bound| bound > 1_201));
}

/// The published remedy: a credit of the own routine and of the other one.
#[test]
fn one_credit_of_two_interrupts_suffices() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vorrang/tests/systems");
    let file = format!("{folder}/one-credit-of-two-interrupts.toml");
    let text = std::fs::read_to_string(file).unwrap().replace("\"1500us\"", "\"150us\"");
    let system = read(text, Format::Toml).unwrap();
    let paid = system.interrupt_ids().next().unwrap();
    // The routines of both in the guest, 40 and 8, and on the host, 5 each.
    let bound = bounds(&system).interrupt(paid).bound().unwrap();
    assert_eq!(bound.as_ns(), 58_000);
}

/// A reservation of 300 us in 1 ms, alone on its core, whose runtimes end 100 us late, above a task of 40 us.
fn reserved(guest: &str, more: &str) -> Vec<(Option<u64>, bool)> {
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\noverrun = \"100us\"\n\
         [vcpu.v]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"300us\"\nperiod = \"1ms\"\n\
         [task.t]\non = \"vcpu.v\"\n{guest}\n\
         [task.below]\non = \"core.0\"\nwcet = \"40us\"\nperiod = \"1ms\"\npriority = 1\n{more}"
    );
    let system =
        read(text.as_str(), Format::Toml).unwrap_or_else(|all| panic!("{all:?} in\n{text}"));
    let bounds = bounds(&system);
    let of = |id| {
        let found = bounds.task(id);
        let lasts = |own: &Assumption| matches!(own, Assumption::BudgetLasts { .. });
        let bound = found.bound().map(|bound| bound.as_ns().div_ceil(1_000));
        (bound, found.assumptions().iter().any(lasts))
    };
    system.task_ids().map(of).collect()
}

/// As if it had a priority above all others: 240 us below it.
#[test]
fn a_lone_reservation_of_linux_waits_for_no_runtime() {
    let light = "wcet = \"200us\"\nperiod = \"1ms\"";
    let below = |guest: &str, more: &str| reserved(guest, more)[1];
    assert_eq!(below(light, ""), (Some(240), true));
    // A routine that it pays for comes before all.
    let routine = |isr: &str| {
        format!("[interrupt.i]\non = \"core.0\"\nisr = \"{isr}\"\nmin-interarrival = \"1ms\"\n")
    };
    assert_eq!(below(light, &routine("30us")), (Some(270), true));
    // Of 300 us it has 200 us for its guest and 100 us that are charged: a runtime is used up.
    assert!(!below(light, &routine("100us")).1);
    // Jobs that may come soon after each other find the pair that the first has left.
    assert!(!below("wcet = \"200us\"\nperiod = \"600us\"", "").1);
    assert!(below("wcet = \"100us\"\nperiod = \"600us\"", "").1);
}
