//! The course of a case in the simulator.

use super::case::Case;
use super::course::{Completion, Course, Ended, Stretch};
use super::job::MS;
use super::machine::Measured;
use vorrang_model::system::{Activation, SupplyId, System, TaskId};
use vorrang_sim::{Arrivals, History, Job, Observer, Running, ScriptedJob, Source, simulate};
use vorrang_time::{Duration, Instant};

/// How long a case may take, in milliseconds.
const LONGEST: u64 = 10_000;

/// The course of the simulator.
///
/// # Panics
/// If the core is not covered: then it is no case.
pub fn course(case: &Case) -> Course {
    of_system(case, &case.system())
}

/// The same of a description that is another one.
pub(super) fn of_system(case: &Case, system: &System) -> Course {
    let core = system.cores().next().expect("a description has a core");
    let mut history = History::quiet(system);
    // The machine's follow those of the case.
    let firsts = case.first_interrupts();
    let own = system.interrupts.len() - firsts.len();
    for (arrivals, first) in history.interrupts.iter_mut().skip(own).zip(firsts) {
        *arrivals = Arrivals::from(Instant::from_ns(first));
    }
    let names = case.names();
    for (id, name) in names.iter().enumerate() {
        // Its jobs are a period apart and take all of its time.
        let first = release(&case.jobs(name)[0], case.costs == Measured::NOTHING);
        let first = Arrivals::from(Instant::from_ns(first));
        match system.tasks[id].activation {
            Activation::Timer(timer) => {
                history.timers[timer.0] = first;
                continue;
            }
            Activation::Interrupt(interrupt) => {
                history.interrupts[interrupt.0] = first;
                continue;
            }
            Activation::Task(_) | Activation::Join => continue,
            Activation::Sporadic | Activation::Device(_) => {}
        }
        let scripted = |job| scripted(job, case.work(name, job), case.costs == Measured::NOTHING);
        history.scripts[id] = case.jobs(name).iter().map(scripted).collect();
    }
    let mut watch = Watch {
        system,
        own: names.len(),
        jobs: case.script.values().map(Vec::len).sum(),
        ran: Vec::new(),
        events: Vec::new(),
        completions: Vec::new(),
    };
    let horizon = Instant::ZERO + Duration::from_ms(LONGEST);
    simulate(system, core, &history, horizon, &mut watch)
        .unwrap_or_else(|why| panic!("{}: {why}", case.title()));
    watch.course(case.tolerance())
}

/// A thread that must find another one already running finds it at once on an ideal machine.
fn release(job: &super::job::Job, ideal: bool) -> u64 {
    if ideal { job.at * MS } else { job.release() }
}

fn scripted(job: &super::job::Job, execution: Duration, ideal: bool) -> ScriptedJob {
    let arrival = release(job, ideal);
    ScriptedJob {
        arrival: Instant::from_ns(arrival),
        release: Instant::from_ns(arrival + job.deferred * MS),
        execution,
        yields: job.yields,
    }
}

/// As for a kernel: pieces that are separated by less than the tolerance are one.
fn joined(stretches: impl Iterator<Item = Stretch>, tolerance: u64) -> Vec<Stretch> {
    let mut whole: Vec<Stretch> = Vec::new();
    for one in stretches {
        match whole.last_mut() {
            Some(last)
                if last.task == one.task
                    && last.ended == Ended::Preempted
                    && one.begin - last.end <= tolerance =>
            {
                *last = Stretch { begin: last.begin, ..one };
            }
            _ => whole.push(one),
        }
    }
    whole
}

/// Records the events of a course.
struct Watch<'s> {
    system: &'s System,
    /// So many tasks are the case's own; the rest are the machine's.
    own: usize,
    /// So many jobs they have.
    jobs: usize,
    ran: Vec<Ran>,
    /// Of each task, when it was throttled or done.
    events: Vec<(usize, u64, Ended)>,
    completions: Vec<Completion>,
}

/// A time in which the core ran a task.
#[derive(Clone, Copy)]
struct Ran {
    task: usize,
    begin: u64,
    /// When its work ended.
    worked: u64,
    /// The same, with the interrupts that followed at once: a kernel's trace does not tell them apart.
    end: u64,
}

impl Watch<'_> {
    fn course(self, tolerance: u64) -> Course {
        let own = self.ran.iter().filter(|ran| ran.task < self.own);
        let mut stretches = joined(own.map(|ran| self.stretch(ran)), tolerance);
        stretches.retain(|one| one.end - one.begin > tolerance);
        let stretches = joined(stretches.into_iter(), tolerance);
        let mut course = Course { stretches, completions: self.completions };
        course.in_order();
        course
    }

    fn stretch(&self, ran: &Ran) -> Stretch {
        let Ran { task, begin, end, .. } = *ran;
        let reasons = [Ended::Throttled, Ended::Done];
        let ended = reasons.into_iter().find(|&reason| self.has(ran, reason));
        Stretch { task, begin, end, ended: ended.unwrap_or(Ended::Preempted) }
    }

    /// Whether this happened at its end.
    fn has(&self, ran: &Ran, ended: Ended) -> bool {
        let mut newest = self.events.iter().rev().take_while(|(_, at, _)| *at >= ran.worked);
        newest.any(|&(task, at, what)| (task, what) == (ran.task, ended) && at <= ran.end)
    }
}

impl Observer for Watch<'_> {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let (from, to) = (from.as_ns(), to.as_ns());
        let goes_on = self.ran.last().copied().filter(|last| {
            last.end == from && !self.has(last, Ended::Throttled) && !self.has(last, Ended::Done)
        });
        match (what, self.ran.last_mut()) {
            (Running::Interrupt(_), Some(last)) if last.end == from => last.end = to,
            (Running::Task(TaskId(task)), Some(last))
                if goes_on.is_some_and(|before| before.task == task) =>
            {
                (last.worked, last.end) = (to, to);
            }
            (Running::Task(TaskId(task)), _) => {
                self.ran.push(Ran { task, begin: from, worked: to, end: to });
            }
            _ => {}
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let Source::Task(TaskId(task)) = job.source else { return };
        if task >= self.own {
            return;
        }
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

    fn has_seen_enough(&self) -> bool {
        self.completions.len() == self.jobs
    }
}
