//! Tasks that tasks wake.

use crate::build::{core, server, task};
use crate::drawing::{CORE, arrivals, at, draw_history, draw_of};
use vorrang_model::system::{
    Activation, Scheduler, ServerKind, SupplyId, System, TaskId, Unsupported,
};
use vorrang_sim::{
    Arrivals, History, Job, NotCovered, Observer, Simulator, Source, covered, simulate,
};
use vorrang_time::Instant;

/// The second core.
const AWAY: SupplyId = SupplyId(1);

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

/// The first task and, on a core of its own with the given scheduler, the second, with the third beside it.
fn over_two_cores(away: Scheduler) -> System {
    let mut system = core(Scheduler::FixedPriority);
    let first = task(&mut system, "task.a", CORE, ["2ms", "6ms"], 2);
    let mut other = system.supplies[0].clone();
    (other.name, other.members, other.scheduler) = ("core.1".into(), Vec::new(), away);
    system.supplies.push(other);
    let second = task(&mut system, "task.b", AWAY, ["2ms", "6ms"], 1);
    task(&mut system, "task.c", AWAY, ["1ms", "3ms"], 2);
    wake(&mut system, first, second);
    system
}

#[test]
fn a_job_that_another_core_wakes_runs_beside_it() {
    let system = over_two_cores(Scheduler::FixedPriority);
    let history = History { tasks: arrivals(&[0, 0, 0]), ..History::quiet(&system) };
    for (core, drawn) in [(CORE, "aa....aa...."), (AWAY, "c.bcb.c.bcb.")] {
        assert_eq!(draw_of(&system, core, &history, 12), drawn);
    }
    let mut seen = Second::default();
    Simulator::new(&system, CORE).unwrap().run_together(&history, at(12), &mut seen);
    assert_eq!(seen.0, [[0, 2, 5], [6, 8, 11]]);
    // One of the other core alone sees the same.
    let mut alone = Second::default();
    simulate(&system, AWAY, &history, at(12), &mut alone).unwrap();
    assert_eq!(seen.0, alone.0);
}

#[test]
fn a_wake_up_and_a_release_of_one_instant_are_of_one_decision() {
    // What is released with the wake-up comes first; it does not wait for the woken job to begin.
    let system = over_two_cores(Scheduler::FixedPriority);
    let tasks = [0, 0, 2].map(|first| Arrivals::from(at(first)));
    let history = History { tasks: tasks.to_vec(), ..History::quiet(&system) };
    assert_eq!(draw_of(&system, AWAY, &history, 6), "..cbbc");
}

#[test]
fn a_core_that_cannot_be_simulated_leaves_out_those_that_paths_connect_to_it() {
    let mut system = over_two_cores(Scheduler::FixedPriority);
    assert_eq!(covered(&system, CORE), Ok(()));
    assert_eq!(system.connected(AWAY), [CORE, AWAY]);
    let what = "something".to_owned();
    system.unsupported.push(Unsupported { what, core: Some(AWAY) });
    assert!(matches!(covered(&system, CORE), Err(NotCovered::Feature { .. })));
}

#[test]
fn a_path_that_comes_back_is_one_history() {
    let mut system = over_two_cores(Scheduler::Edf);
    let back = task(&mut system, "task.d", CORE, ["1ms", "6ms"], 3);
    wake(&mut system, TaskId(1), back);
    let history = History { tasks: arrivals(&[0, 0, 0, 0]), ..History::quiet(&system) };
    assert_eq!(draw_of(&system, CORE, &history, 12), "aa..d.aa..d.");
}

/// A job of the last task for one job of each of the others.
fn join(system: &mut System, before: &[TaskId], joined: TaskId) {
    for by in before {
        system.tasks[by.0].wakes.push(joined);
    }
    system.tasks[joined.0].activation = Activation::Join;
}

/// A source with two tasks behind it, the second on a core of its own, and one behind both.
fn forked(times: [&str; 4]) -> System {
    let mut system = core(Scheduler::FixedPriority);
    let source = task(&mut system, "task.a", CORE, [times[0], "6ms"], 4);
    let mut other = system.supplies[0].clone();
    (other.name, other.members) = ("core.1".into(), Vec::new());
    system.supplies.push(other);
    let joined = task(&mut system, "task.b", CORE, [times[3], "6ms"], 2);
    let left = task(&mut system, "task.c", CORE, [times[1], "6ms"], 3);
    let right = task(&mut system, "task.d", AWAY, [times[2], "6ms"], 1);
    wake(&mut system, source, left);
    wake(&mut system, source, right);
    join(&mut system, &[left, right], joined);
    system
}

fn second(system: &System, horizon: u64) -> Vec<[u64; 3]> {
    let history = History { tasks: arrivals(&[0, 0, 0, 0]), ..History::quiet(system) };
    let mut seen = Second::default();
    simulate(system, CORE, &history, at(horizon), &mut seen).unwrap();
    seen.0
}

#[test]
fn a_job_is_released_when_the_last_before_it_is_complete() {
    assert_eq!(second(&forked(["1ms", "1ms", "3ms", "1ms"]), 12), [[0, 4, 5], [6, 10, 11]]);
    assert_eq!(second(&forked(["1ms", "3ms", "1ms", "1ms"]), 12), [[0, 4, 5], [6, 10, 11]]);
    // Both at one instant: one job.
    assert_eq!(second(&forked(["1ms", "2ms", "2ms", "1ms"]), 12), [[0, 3, 4], [6, 9, 10]]);
}

#[test]
fn jobs_that_are_ahead_wait_for_theirs() {
    // The other core needs 7 ms for each, every 6 ms: the k-th job has the k-th of each, and the arrival of their source.
    let seen = second(&forked(["1ms", "1ms", "7ms", "1ms"]), 36);
    assert_eq!(seen, [[0, 8, 9], [6, 15, 16], [12, 22, 23], [18, 29, 30]]);
}

#[test]
fn what_several_wake_connects_their_cores() {
    let system = forked(["1ms", "1ms", "1ms", "1ms"]);
    assert_eq!(system.connected(CORE), [CORE, AWAY]);
    assert_eq!(system.parts().len(), 1);
    // Over what waits for both alone, too.
    let mut apart = forked(["1ms", "1ms", "1ms", "1ms"]);
    apart.tasks[0].wakes.pop();
    apart.tasks[3].activation = Activation::Sporadic;
    assert_eq!(apart.connected(AWAY), [CORE, AWAY]);
    let mut slower = system.clone();
    slower.tasks[3].wcet = slower.tasks[3].wcet * 2;
    assert!(slower.same_cores(&system).is_empty());
}
