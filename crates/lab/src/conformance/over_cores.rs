//! Threads that wake each other from processor to processor.
//!
//! **Model.** The simulator runs both cores in one history. Responses count from the arrival of the source, over all that
//! is in between. The tolerance is that of both processors.

use super::case::Case;
use super::cases;
use super::compare::time;
use super::job::MS;
use super::run::PAUSE;
use super::shipped::Shipped;
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_analysis::bounds;
use vorrang_guest::Step;
use vorrang_model::system::{Interrupt, System, TaskId};
use vorrang_sim::{History, Job, Observer, ScriptedJob, Simulator, Source};
use vorrang_time::{Duration, Instant};

/// The case.
const CASE: &str = "wakes-over-cores";
/// Of its threads.
const PREFIX: &str = "over.";
/// When they end, after their last jobs.
const END: u64 = 40 * MS;

/// The threads, each on the processor of its core.
pub(crate) fn steps() -> Vec<Step> {
    let case = cases::one(CASE);
    let system = case.system();
    let mut threads = case.threads(PREFIX, None);
    for (thread, task) in threads.iter_mut().zip(&system.tasks) {
        thread.cpu = system.cores().position(|core| core == system.core_of(task.on));
    }
    vec![Step::Script { threads, until: END }, Step::Sleep { time: PAUSE }]
}

/// No response is longer than its bound, and none in the kernel longer than in the simulation and the tolerance.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let Some(shipped) = Shipped::of(evidence) else {
        return vec![Check::new("a profile of the kernel is shipped", "none", false)];
    };
    let case = cases::one(CASE);
    let simulated = simulated(&case);
    let case = case.on(shipped.costs());
    let kick = Duration::from_ns(case.costs.longest.wake);
    let system = with_interrupts(case.for_bounds(), kick);
    let found = bounds(&system);
    let tolerance = case.tolerance() * system.cores().count() as u64;
    let check = |(id, name): (usize, &String)| {
        let (seen, _) = evidence.jobs(&format!("{PREFIX}{name}"));
        let kernel = seen.iter().map(|job| job.finish - job.release).max().unwrap_or_default();
        let bound = found.task(TaskId(id)).bound().map_or(0, Duration::as_ns);
        let holds = seen.len() == case.jobs(name).len()
            && bound >= simulated[id].max(kernel)
            && simulated[id] + tolerance >= kernel
            && kernel >= simulated[id];
        Check::new(
            format!("{CASE}: {name}: bound >= simulation >= kernel"),
            format!("{} >= {} >= {}", time(bound), time(simulated[id]), time(kernel)),
            holds,
        )
    };
    case.names().iter().enumerate().map(check).collect()
}

/// The ticks of the first core come to the others as well. What a task of another core wakes is woken by an interrupt
/// of its own core, of this length.
fn with_interrupts(mut system: System, kick: Duration) -> System {
    let tick = system.interrupts.first().expect("a tick").clone();
    let ticks = system.cores().skip(1).map(|core| Interrupt { on: core, ..tick.clone() });
    let core_of = |id: TaskId| system.core_of(system.task(id).on);
    let from_afar =
        |id: &TaskId| system.predecessors(*id).into_iter().any(|by| core_of(by) != core_of(*id));
    let kicks = system.task_ids().filter(from_afar).map(|id| Interrupt {
        on: core_of(id),
        isr: kick,
        min_interarrival: system.task(id).min_interarrival,
        ..tick.clone()
    });
    let mut more: Vec<Interrupt> = ticks.chain(kicks).collect();
    for (number, interrupt) in more.iter_mut().enumerate() {
        interrupt.name = format!("interrupt.more{number}");
    }
    system.interrupts.append(&mut more);
    system
}

/// The longest response of each task, of both cores together on an ideal machine.
fn simulated(case: &Case) -> Vec<u64> {
    let system = case.system();
    let mut history = History::quiet(&system);
    for (id, name) in case.names().iter().enumerate() {
        if system.tasks[id].activation.is_by_tasks() {
            continue;
        }
        let job = |job: &super::job::Job| {
            let at = Instant::from_ns(job.at * MS);
            let execution = case.work(name, job);
            ScriptedJob { arrival: at, release: at, execution, yields: false }
        };
        history.scripts[id] = case.jobs(name).iter().map(job).collect();
    }
    let mut longest = Longest(vec![0; system.tasks.len()]);
    let first = system.cores().next().expect("a description has a core");
    Simulator::new(&system, first).expect("it is covered").run_together(
        &history,
        Instant::from_ns(END),
        &mut longest,
    );
    longest.0
}

/// By task, in nanoseconds.
struct Longest(Vec<u64>);

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        if let Source::Task(TaskId(id)) = job.source {
            self.0[id] = self.0[id].max((at - job.arrival).as_ns());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_cores_are_in_one_history() {
        assert_eq!(simulated(&cases::one(CASE)), [2 * MS, 6 * MS, 7 * MS, MS]);
    }

    #[test]
    fn each_thread_is_on_the_processor_of_its_core() {
        let steps = steps();
        let [Step::Script { threads, .. }, _] = steps.as_slice() else { panic!("a script") };
        let cpus: Vec<Option<usize>> = threads.iter().map(|thread| thread.cpu).collect();
        assert_eq!(cpus, [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(threads[1].after, ["over.first"]);
    }
}
