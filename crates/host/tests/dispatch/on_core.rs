//! Tasks that stand on the core itself, between servers.

use crate::memory::Change::{Begins, BeginsFirst, Ends, Moves};
use crate::memory::{Change, Memory};
use crate::simulated::{Case, Raising};
use crate::stated::{job, server};
use vorrang_host::control::{Course, Unattended};
use vorrang_host::dispatch;
use vorrang_model::system::{Scheduler, ServerKind};
use vorrang_time::{Duration, Instant};

/// Threads that compute all the time in servers of 3 ms of every 10 ms, with these priorities, beside a task of priority 5.
fn beside(kind: ServerKind, priorities: &[u32], task: &[(u64, u64)]) -> Case {
    let jobs = task.iter().map(|&(release, execution)| job(release, execution)).collect();
    Case {
        scheduler: Scheduler::FixedPriority,
        quantum: Duration::ZERO,
        servers: priorities.iter().map(|&own| server(kind, [3_000, 10_000], own)).collect(),
        jobs: priorities.iter().map(|_| vec![job(0, 10_000_000)]).collect(),
        interrupts: Vec::new(),
        tasks: vec![(5, jobs)],
        rest: false,
        look: Duration::from_ms(1),
        horizon: Instant::from_ns(9_500_000),
    }
}

fn run(case: &Case) -> (Memory, Course) {
    let mut machine = case.machine();
    let course = dispatch::run(&mut case.processor(), &mut machine, case.horizon, Unattended);
    (machine, course)
}

/// What ran, in µs.
fn ran(machine: &Memory) -> Vec<(usize, u64, u64)> {
    machine
        .ran
        .iter()
        .map(|(who, from, to)| (*who, from.as_ns() / 1000, to.as_ns() / 1000))
        .collect()
}

/// Until then it computes for 10 µs of its budget, again and again.
#[test]
fn a_task_that_runs_at_the_end_of_a_budget_is_waited_for() {
    for kind in [ServerKind::Deferrable, ServerKind::Polling] {
        let case = beside(kind, &[1], &[(2_990, 5_000)]);
        let (machine, course) = run(&case);
        assert_eq!(
            ran(&machine),
            [(0, 0, 2_990), (1, 2_990, 7_990), (0, 7_990, 8_000)],
            "{kind:?}"
        );
        assert_eq!(machine.ran, case.simulated());
        // The beginning, the end of the budget as it was, that of the task, that of the budget, and that of all.
        assert_eq!(course.steps, 4, "{kind:?}");
    }
}

/// One that came and went before the budget would have been used up costs one decision.
#[test]
fn a_task_takes_nothing_from_a_budget() {
    let case = beside(ServerKind::Deferrable, &[1], &[(1_000, 500)]);
    let (machine, course) = run(&case);
    assert_eq!(ran(&machine), [(0, 0, 1_000), (1, 1_000, 1_500), (0, 1_500, 3_500)]);
    assert_eq!(course.steps, 3);
}

/// A task below one server and above another.
#[test]
fn a_task_has_its_place_between_servers() {
    let case = beside(ServerKind::Deferrable, &[9, 1], &[(1_000, 2_000)]);
    let (machine, _) = run(&case);
    assert_eq!(ran(&machine), [(0, 0, 3_000), (2, 3_000, 5_000), (1, 5_000, 8_000)]);
    assert_eq!(machine.ran, case.simulated());
}

/// The thread of a guest below the task is above it for an interrupt, and below it again afterwards.
#[test]
fn a_loan_goes_to_the_level_of_the_interrupt_and_back() {
    let mut case = beside(ServerKind::Deferrable, &[1], &[(1_000, 2_000)]);
    let credit = Duration::from_us(200);
    case.interrupts.push(Raising {
        of: 0,
        credit,
        budget: credit,
        period: Duration::from_ms(10),
        priority: 9,
        first: Instant::from_ns(1_500_000),
        apart: Duration::from_ms(10),
    });
    let (machine, _) = run(&case);
    let expected =
        [(0, 0, 1_000), (1, 1_000, 1_500), (0, 1_500, 1_700), (1, 1_700, 3_200), (0, 3_200, 5_200)];
    assert_eq!(ran(&machine)[..5], expected);
    let changes: Vec<Change> = machine.changes.iter().map(|(_, change)| *change).collect();
    assert_eq!(changes, [Begins(0), Moves(0), Moves(0), Ends(0)]);
    assert!(!changes.contains(&BeginsFirst(0)));
}
