//! The only task of a deferrable server under fixed priority. docs/theory/lone-task.md

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_model::{Format, read};

/// Milliseconds: servers as (budget, period, execution time, period of the task, jitter), the most urgent first.
fn responses(servers: &[(u64, u64, u64, u64, u64)]) -> Vec<Option<u64>> {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (place, (budget, period, wcet, apart, jitter)) in servers.iter().enumerate() {
        let _ = write!(
            text,
            "[server.s{place}]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"{budget}ms\"\nperiod = \"{period}ms\"\n\
             priority = {}\n[task.t{place}]\non = \"server.s{place}\"\nwcet = \"{wcet}ms\"\nperiod = \"{apart}ms\"\n\
             jitter = \"{jitter}ms\"\ndeadline = \"{}ms\"\npriority = 1\n",
            9 - place,
            4 * apart
        );
    }
    let system =
        read(text.as_str(), Format::Toml).unwrap_or_else(|all| panic!("{all:?} in\n{text}"));
    let bounds = bounds(&system);
    let of = |id| bounds.task(id).bound().map(|bound| bound.as_ns().div_ceil(1_000_000));
    system.task_ids().map(of).collect()
}

/// A job above comes before each part of one: 1 + 1 + 1. With 2 ms more between jobs it waits for no budget.
#[test]
fn a_job_waits_for_one_budget_at_most() {
    assert_eq!(responses(&[(2, 24, 1, 65, 0), (1, 24, 1, 24, 0)]), [Some(1), Some(3)]);
    assert_eq!(responses(&[(2, 24, 1, 65, 0), (1, 24, 1, 26, 0)])[1], Some(2));
}

/// 3 ms in 9 are not there each time below 7 in 39; 1 ms is, but not below 9.
#[test]
fn a_budget_that_is_not_guaranteed_suffices_for_a_smaller_job() {
    assert_eq!(responses(&[(8, 39, 7, 64, 0), (3, 9, 1, 13, 0)])[1], Some(8));
    // Two of 1 ms within 9 never use 3 up; two of 2 ms may.
    assert_eq!(responses(&[(9, 39, 9, 64, 0), (3, 9, 1, 13, 0)])[1], Some(10));
    assert_eq!(responses(&[(9, 39, 9, 64, 0), (3, 9, 2, 13, 0)])[1], None);
    // The job before is complete a period before the next one comes.
    assert_eq!(responses(&[(9, 39, 9, 64, 0), (3, 9, 1, 19, 0)])[1], Some(10));
}
