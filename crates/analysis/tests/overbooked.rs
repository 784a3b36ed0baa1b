//! Servers under EDF that reserve more than the core and are used little. docs/theory/overbooked.md

use std::fmt::Write as _;
use vorrang_analysis::{Assumption, Bounds, bounds};
use vorrang_model::system::System;
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// Servers of 4 ms in 10 ms, each with one task in 20 ms: kind, execution time in microseconds and jitter in milliseconds.
fn system(servers: &[(&str, u64, u64)]) -> System {
    let mut text = "version = 1\n[core.0]\nscheduler = \"edf\"\n".to_owned();
    for (place, (kind, wcet, jitter)) in servers.iter().enumerate() {
        let _ = write!(
            text,
            "[server.s{place}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"4ms\"\nperiod = \"10ms\"\n\
             [task.t{place}]\non = \"server.s{place}\"\nwcet = \"{wcet}us\"\nperiod = \"20ms\"\njitter = \"{jitter}ms\"\n\
             deadline = \"40ms\"\npriority = 1\n"
        );
    }
    read(text.as_str(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn found(system: &System) -> Vec<Option<u64>> {
    let bounds = bounds(system);
    let of = |id| bounds.task(id).bound().map(|bound| bound.as_ns().div_ceil(1_000));
    system.task_ids().map(of).collect()
}

fn are_guaranteed(system: &System, bounds: &Bounds) -> Vec<bool> {
    let servers = system.task_ids().map(|id| system.task(id).on);
    servers.map(|id| bounds.reservation(system, id) == Some(Ok(Duration::ZERO))).collect()
}

#[test]
fn servers_that_are_used_little_are_proven_beside_more_than_a_core() {
    let light = system(&[("deferrable", 500, 0); 3]);
    assert_eq!(found(&light), [Some(1_500); 3]);
    let bounds = bounds(&light);
    assert_eq!(are_guaranteed(&light, &bounds), [true; 3]);
    for id in light.task_ids() {
        assert!(bounds.task(id).assumptions().contains(&Assumption::WorkInServers));
    }
    // From the arrival, released 1 ms later.
    assert_eq!(found(&system(&[("deferrable", 500, 1); 3])), [Some(2_500); 3]);
    assert_eq!(found(&system(&[("cbs-hard", 500, 0); 3])), [Some(1_500); 3]);
    assert_eq!(found(&system(&[("cbs-soft", 500, 0); 3])), [Some(1_500); 3]);
    // Just after a poll.
    assert_eq!(found(&system(&[("polling", 500, 0); 3])), [Some(11_500); 3]);
}

/// One of the three may want 5 ms in 20 ms: it waits for budget, and counts with that.
#[test]
fn a_budget_that_may_be_used_up_is_not_taken_for_its_work() {
    let one = system(&[("deferrable", 500, 0), ("deferrable", 500, 0), ("deferrable", 5_000, 0)]);
    // 4 ms at the end of a period and 4 ms of the next, and one and the other of 500 us.
    assert_eq!(found(&one)[..2], [Some(9_000); 2]);
    // Not so whole budgets beside that, for which 14 ms would be 4 + 4, 4 + 4 and 500 us.
    assert_eq!(are_guaranteed(&one, &bounds(&one)), [false, false, true]);
    let all = system(&[("deferrable", 5_000, 0); 3]);
    assert_eq!(found(&all), [None; 3]);
    assert_eq!(are_guaranteed(&all, &bounds(&all)), [false; 3]);
    // A periodic server spends its budget without work.
    assert_eq!(found(&system(&[("periodic", 500, 0); 3])), [None; 3]);
}
