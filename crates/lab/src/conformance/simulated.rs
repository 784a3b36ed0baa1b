//! The course of a case in the simulator.

use super::case::{Case, MS};
use super::course::{Completion, Course, Ended, Stretch};
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_sim::{History, Job, Observer, Running, ScriptedJob, Source, simulate};
use vorrang_time::{Duration, Instant};

/// How long a case may take, in milliseconds.
const LONGEST: u64 = 10_000;

/// What the simulator does.
///
/// # Panics
/// If the core is not covered: then it is no case.
pub fn course(case: &Case) -> Course {
    let system = case.system();
    let core = system.cores().next().expect("a description has a core");
    let mut history = History::quiet(&system);
    for (id, name) in case.names().iter().enumerate() {
        let scripted = |job| scripted(job, case.work(name, job));
        history.scripts[id] = case.jobs(name).iter().map(scripted).collect();
    }
    let mut watch =
        Watch { system: &system, ran: Vec::new(), events: Vec::new(), completions: Vec::new() };
    let horizon = Instant::ZERO + Duration::from_ms(LONGEST);
    simulate(&system, core, &history, horizon, &mut watch)
        .unwrap_or_else(|why| panic!("{}: {why}", case.name));
    watch.course()
}

fn scripted(job: &super::case::Job, execution: Duration) -> ScriptedJob {
    ScriptedJob {
        arrival: Instant::from_ns(job.at * MS),
        release: Instant::from_ns((job.at + job.deferred) * MS),
        execution,
        yields: job.yields,
    }
}

/// Notes what a course consists of.
struct Watch<'s> {
    system: &'s System,
    ran: Vec<(usize, u64, u64)>,
    /// Of each task, when it was throttled or done.
    events: Vec<(usize, u64, Ended)>,
    completions: Vec<Completion>,
}

impl Watch<'_> {
    fn course(self) -> Course {
        let stretch = |&(task, begin, end): &(usize, u64, u64)| {
            let has = |ended| self.events.contains(&(task, end, ended));
            let reasons = [Ended::Throttled, Ended::Done];
            let ended = reasons.into_iter().find(|&ended| has(ended));
            Stretch { task, begin, end, ended: ended.unwrap_or(Ended::Preempted) }
        };
        let stretches = self.ran.iter().map(stretch).collect();
        let mut course = Course { stretches, completions: self.completions };
        course.in_order();
        course
    }
}

impl Observer for Watch<'_> {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        if let Running::Task(TaskId(task)) = what {
            self.ran.push((task, from.as_ns(), to.as_ns()));
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let Source::Task(TaskId(task)) = job.source else { return };
        self.events.push((task, at.as_ns(), Ended::Done));
        self.completions.push(Completion {
            task,
            job: usize::try_from(job.number).expect("a script of some jobs"),
            arrival: job.arrival.as_ns(),
            at: at.as_ns(),
        });
    }

    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        let tasks = self.system.tasks.iter().enumerate().filter(|(_, task)| task.on == server);
        self.events.extend(tasks.map(|(task, _)| (task, at.as_ns(), Ended::Throttled)));
    }
}
