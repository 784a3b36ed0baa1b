//! Tasks that tasks wake.

use crate::build::{core, server, task};
use crate::drawing::{CORE, arrivals, at, draw_history};
use vorrang_model::system::{Activation, Scheduler, ServerKind, System, TaskId};
use vorrang_sim::{History, Job, NotCovered, Observer, Source, covered, simulate};
use vorrang_time::Instant;

/// The end of a job of the one releases a job of the other.
fn wake(system: &mut System, by: TaskId, woken: TaskId) {
    system.tasks[by.0].wakes.push(woken);
    system.tasks[woken.0].activation = Activation::Task(by);
}

/// Jobs of the second task: arrival, release and completion in milliseconds.
#[derive(Default)]
struct Second(Vec<[u64; 3]>);

impl Observer for Second {
    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == Source::Task(TaskId(1)) {
            self.0.push([job.arrival, job.release, at].map(|at| at.as_ns() / 1_000_000));
        }
    }
}

fn quiet(system: &System) -> History {
    History { tasks: arrivals(&[0, 0]), ..History::quiet(system) }
}

#[test]
fn a_woken_job_counts_from_the_source_and_none_is_lost() {
    let mut system = core(Scheduler::FixedPriority);
    let first = task(&mut system, "task.a", CORE, ["1ms", "2ms"], 2);
    let second = task(&mut system, "task.b", CORE, ["2ms", "2ms"], 1);
    wake(&mut system, first, second);
    assert_eq!(draw_history(&system, &quiet(&system), 12), "abababababab");
    let mut seen = Second::default();
    simulate(&system, CORE, &quiet(&system), at(13), &mut seen).unwrap();
    assert_eq!(seen.0, [[0, 1, 4], [2, 3, 8], [4, 5, 12]]);
}

#[test]
fn a_wake_up_at_the_instant_of_a_poll_is_seen() {
    let mut system = core(Scheduler::FixedPriority);
    let first = task(&mut system, "task.a", CORE, ["4ms", "40ms"], 2);
    let on = server(&mut system, "server.s", CORE, ServerKind::Polling, ["2ms", "4ms"], 3);
    let second = task(&mut system, "task.b", on, ["1ms", "40ms"], 1);
    wake(&mut system, first, second);
    assert_eq!(draw_history(&system, &quiet(&system), 8), "aaaab...");
}

#[test]
fn a_core_is_not_simulated_whose_tasks_another_core_wakes() {
    let mut system = core(Scheduler::FixedPriority);
    let first = task(&mut system, "task.a", CORE, ["1ms", "2ms"], 2);
    let mut other = system.supplies[0].clone();
    (other.name, other.members) = ("core.1".into(), Vec::new());
    system.supplies.push(other);
    let away = vorrang_model::system::SupplyId(1);
    let second = task(&mut system, "task.b", away, ["1ms", "2ms"], 1);
    wake(&mut system, first, second);
    assert_eq!(covered(&system, CORE), Ok(()));
    assert!(matches!(covered(&system, away), Err(NotCovered::Feature { .. })));
    assert_eq!(draw_history(&system, &quiet(&system), 4), "a.a.");
}
