//! A case: a description and a script of releases, from which the simulator and the lab both work.
//!
//! **Model.** The script says of each task when which job is released and how long it computes; the
//! description says what the task is. In a kernel a task in a server of kind `sched-deadline` is a
//! thread of `SCHED_DEADLINE`, one on the core a thread of `SCHED_FIFO` with its priority, of
//! `SCHED_OTHER` with priority 0 or in `server.fair`; on a core that takes turns all are of `SCHED_RR`.
//!
//! **Assumptions.** Cores are Linux's, a server has one task, and nothing else is on the core:
//! anything else is a bug of the case, and panics.

use super::course::{Completion, Course, Ended, Stretch};
use super::machine::{For, Measured, Source, described, stated};
use std::collections::BTreeMap;
use vorrang_guest::{Policy, ScriptedJob, ScriptedThread, Work};
use vorrang_model::system::{Scheduler, Server, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// The priority of all threads of `SCHED_RR`.
const ROUND_ROBIN: u32 = 10;

/// The server that the kernel has for all threads of `SCHED_OTHER`.
const FAIR: &str = "server.fair";

/// The unit of scripts and drawings.
pub const MS: u64 = 1_000_000;

/// A description and what a kernel must do with it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its claim, as a sentence without a full stop.
    pub shows: &'static str,
    /// The description, without its version and the core.
    pub tables: &'static str,
    /// By the name of the task, without its kind.
    pub script: &'static [(&'static str, &'static [Job])],
    /// The course by the rules, worked out by hand: a row for each task, a letter for each
    /// millisecond, or a number and a letter for so many. `#` runs, `-` is preempted, `x` is throttled,
    /// `.` has nothing to do. Nothing is drawn where times are measured.
    pub drawn: &'static str,
    /// The writes to files of the kernel before the case.
    pub settings: &'static [(&'static str, &'static str)],
    /// The time of each job of a task where it is measured instead of chosen, in nanoseconds.
    pub measured: Option<(&'static str, u64)>,
    /// Its interrupts.
    pub source: Option<Source>,
    /// Overheads of the machine.
    pub costs: Measured,
}

/// A case without anything.
pub const PLAIN: Case = Case {
    name: "",
    shows: "",
    tables: "",
    script: &[],
    drawn: "",
    settings: &[],
    measured: None,
    source: None,
    costs: Measured::NOTHING,
};

/// A job of a script, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// When it arrives; in a kernel the thread is ready from then on.
    pub at: u64,
    /// By how many microseconds later its thread is released in a kernel, where it must find another
    /// one already running.
    pub after: u64,
    /// By how much later it is released in the simulator: for so long a kernel defers a thread
    /// that is ready.
    pub deferred: u64,
    /// How long it computes.
    pub work: u64,
    /// Whether it then yields the rest of its budget.
    pub yields: bool,
}

/// A job that arrives at an instant and computes for some time.
pub const fn job(at: u64, work: u64) -> Job {
    Job { at, after: 0, deferred: 0, work, yields: false }
}

impl Job {
    /// It yields the rest of its budget.
    #[must_use]
    pub const fn yielding(self) -> Self {
        Self { yields: true, ..self }
    }

    /// Its thread is released later.
    #[must_use]
    pub const fn after(self, after: u64) -> Self {
        Self { after, ..self }
    }

    /// A kernel defers it.
    #[must_use]
    pub const fn deferred(self, deferred: u64) -> Self {
        Self { deferred, ..self }
    }
}

impl Case {
    /// On a machine with overheads.
    #[must_use]
    pub const fn on(self, costs: Measured) -> Self {
        Self { costs, ..self }
    }

    /// Its name, with its interrupts.
    pub fn title(&self) -> String {
        self.source.map_or_else(
            || self.name.to_owned(),
            |source| format!("{}, {}", self.name, source.name()),
        )
    }

    /// The description, with the overheads of the machine.
    pub fn text(&self) -> String {
        self.described(For::Simulation)
    }

    fn described(&self, whom: For) -> String {
        let core = if self.tables.contains("[core.0]") {
            ""
        } else {
            "[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\n"
        };
        let Measured { average, longest } = &self.costs;
        let taken = if whom == For::Bounds { longest } else { average };
        let costs = stated(taken, self.tables.contains("[timer."));
        let (interrupts, _) = described(self.source, taken, whom);
        format!("version = 1\n{costs}{core}{}{interrupts}", self.tables)
    }

    /// The system.
    pub fn system(&self) -> System {
        self.read(&self.text())
    }

    /// The same for the analysis: a job takes at least what one takes that has nothing to do.
    pub fn for_bounds(&self) -> System {
        let mut system = self.read(&self.described(For::Bounds));
        let own = Duration::from_ns(self.costs.longest.of_job());
        system.tasks.iter_mut().take(self.script.len()).for_each(|task| task.wcet += own);
        system
    }

    fn read(&self, text: &str) -> System {
        read(text.as_bytes(), Format::Toml)
            .unwrap_or_else(|errors| panic!("{}: {errors:#?}", self.title()))
    }

    /// When the first of each of its interrupts comes.
    pub fn first_interrupts(&self) -> Vec<u64> {
        described(self.source, &self.costs.average, For::Simulation).1
    }

    /// How far instants of a kernel may lie from those of the simulator.
    pub fn tolerance(&self) -> u64 {
        self.costs.average.tolerance()
    }

    /// The names of its own tasks, without their kind: the machine's follow them.
    pub fn names(&self) -> Vec<String> {
        let of = |task: &str| task.trim_start_matches("task.").to_owned();
        let ideal = self.on(Measured::NOTHING).system();
        ideal.tasks.iter().map(|task| of(&task.name)).take(self.script.len()).collect()
    }

    /// The jobs of a task.
    pub fn jobs(&self, name: &str) -> &'static [Job] {
        let own = self.script.iter().find(|(task, _)| *task == name);
        own.map_or_else(|| panic!("{}: {name} has no jobs", self.name), |(_, jobs)| jobs)
    }

    /// The execution time of a job of a task.
    pub fn work(&self, name: &str, job: &Job) -> Duration {
        match self.measured {
            Some((task, work)) if task == name => Duration::from_ns(work),
            _ => Duration::from_ms(job.work),
        }
    }

    /// The threads that do it in a kernel, called as the task with a prefix.
    pub fn threads(&self, prefix: &str, cpu: Option<usize>) -> Vec<ScriptedThread> {
        let system = self.system();
        let thread = |(id, name): (usize, &String)| ScriptedThread {
            name: format!("{prefix}{name}"),
            cpu,
            policy: policy(&system, TaskId(id)),
            jobs: self.jobs(name).iter().map(Job::in_a_kernel).collect(),
        };
        self.names().iter().enumerate().map(thread).collect()
    }

    /// Of each task, whether it is in a server.
    pub fn reserved(&self) -> Vec<bool> {
        let system = self.system();
        system.tasks.iter().map(|task| !system.supply(task.on).is_core()).collect()
    }

    /// Violations of the description by the script, as clauses: then bounds are not valid.
    pub fn not_described(&self) -> Vec<String> {
        let system = self.system();
        let mut all = Vec::new();
        for (task, name) in system.tasks.iter().zip(self.names()) {
            let jobs = self.jobs(&name);
            let ms = Duration::from_ms;
            if jobs.windows(2).any(|two| ms(two[1].at - two[0].at) < task.min_interarrival) {
                all.push(format!("{name} is released more often than its period allows"));
            }
            if jobs.iter().any(|job| self.work(&name, job) > task.wcet) {
                all.push(format!("{name} computes for longer than its wcet"));
            }
            if jobs.iter().any(|job| ms(job.deferred) > task.jitter) {
                all.push(format!("{name} is deferred for longer than its jitter"));
            }
            if jobs.iter().any(|job| job.yields) {
                all.push(format!("{name} yields"));
            }
        }
        all
    }

    /// The course that is drawn.
    pub fn course(&self) -> Course {
        let names = self.names();
        let rows: BTreeMap<&str, &str> =
            self.drawn.lines().filter_map(|row| row.trim().split_once(' ')).collect();
        let mut course = Course::default();
        for (task, name) in names.iter().enumerate() {
            let row = rows.get(name.as_str());
            let row = row.unwrap_or_else(|| panic!("{}: {name} is not drawn", self.name));
            let row = letters(row.trim());
            course.stretches.extend(stretches(task, &row));
            course.completions.extend(completions(task, &row, self.jobs(name)));
        }
        course.in_order();
        course
    }
}

impl Course {
    /// Stretches and completions in the order of time, ties in that of the tasks.
    pub(super) fn in_order(&mut self) {
        self.stretches.sort_by_key(|one| (one.begin, one.task));
        self.completions.sort_by_key(|one| (one.at, one.task, one.job));
    }
}

impl Job {
    /// When its thread is released in a kernel.
    pub(super) fn release(&self) -> u64 {
        self.at * MS + self.after * 1_000
    }

    fn in_a_kernel(&self) -> ScriptedJob {
        let time = self.work * MS;
        let work = if self.yields { Work::ComputeThenYield(time) } else { Work::Compute(time) };
        ScriptedJob { release: self.release(), work }
    }
}

/// A row with a letter for every millisecond.
fn letters(row: &str) -> String {
    let (mut all, mut times) = (String::new(), 0);
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            times = times * 10 + digit as usize;
        } else {
            all.extend(std::iter::repeat_n(letter, times.max(1)));
            times = 0;
        }
    }
    all
}

/// The stretches of a row.
fn stretches(task: usize, row: &str) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut before = '.';
    for (at, letter) in (0_u64..).zip(row.chars().chain(['.'])) {
        let at = at * MS;
        if letter == '#' && before != '#' {
            stretches.push(Stretch { task, begin: at, end: at, ended: Ended::Done });
        } else if letter != '#' && before == '#' {
            let last = stretches.last_mut().expect("one began");
            last.end = at;
            last.ended = match letter {
                '-' => Ended::Preempted,
                'x' => Ended::Throttled,
                _ => Ended::Done,
            };
        }
        before = letter;
    }
    stretches
}

/// The ends of the jobs: each has its work from the letters `#`, one after the other.
fn completions(task: usize, row: &str, jobs: &[Job]) -> Vec<Completion> {
    let ran: Vec<u64> =
        (1_u64..).zip(row.chars()).filter(|(_, letter)| *letter == '#').map(|(at, _)| at).collect();
    let mut done = 0;
    let complete = |(number, job): (usize, &Job)| {
        done += usize::try_from(job.work).expect("milliseconds of a script");
        let at = ran.get(done - 1)?;
        Some(Completion { task, job: number, arrival: job.at * MS, at: at * MS })
    };
    jobs.iter().enumerate().filter_map(complete).collect()
}

/// The policy of a task in a kernel.
fn policy(system: &System, id: TaskId) -> Policy {
    let task = system.task(id);
    let supply = system.supply(task.on);
    match (supply.server(), supply.scheduler) {
        (Some(_), _) if supply.name == FAIR => Policy::Other,
        (Some(server), _) => reservation(system, task.on, server),
        (None, Scheduler::RoundRobin) => Policy::RoundRobin(ROUND_ROBIN),
        (None, Scheduler::Linux) if task.priority.0 == 0 => Policy::Other,
        (None, Scheduler::Linux) => Policy::Fifo(task.priority.0),
        (None, other) => panic!("a core of Linux has no scheduler {other:?}"),
    }
}

fn reservation(system: &System, id: SupplyId, server: &Server) -> Policy {
    assert_eq!(system.supply(id).members.len(), 1, "a thread is one task");
    Policy::Deadline {
        runtime: server.budget.as_ns(),
        deadline: server.relative_deadline().as_ns(),
        period: server.period.as_ns(),
        reclaims: server.reclaims(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: Case = Case {
        name: "a case",
        shows: "",
        tables: "[server.a]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"2ms\"\nperiod = \"5ms\"\n\
                 [task.a]\non = \"server.a\"\nwcet = \"3ms\"\nperiod = \"8ms\"\n\
                 [task.b]\non = \"core.0\"\nwcet = \"3ms\"\nperiod = \"8ms\"\npriority = 7\n\
                 [task.c]\non = \"core.0\"\nwcet = \"3ms\"\nperiod = \"8ms\"\npriority = 0\n",
        script: &[
            ("a", &[job(0, 3), job(7, 1)]),
            ("b", &[job(1, 2).yielding()]),
            ("c", &[job(9, 4)]),
        ],
        drawn: "a 2#3x#.#.
                b .-##......
                c 9.#-###",
        ..PLAIN
    };

    #[test]
    fn a_drawing_is_a_course() {
        let course = CASE.course();
        let seen: Vec<_> = course
            .stretches
            .iter()
            .map(|one| (one.task, one.begin / MS, one.end / MS, one.ended))
            .collect();
        assert_eq!(
            seen,
            [
                (0, 0, 2, Ended::Throttled),
                (1, 2, 4, Ended::Done),
                (0, 5, 6, Ended::Done),
                (0, 7, 8, Ended::Done),
                (2, 9, 10, Ended::Preempted),
                (2, 11, 14, Ended::Done)
            ]
        );
        let done: Vec<_> = course
            .completions
            .iter()
            .map(|one| (one.task, one.job, one.arrival / MS, one.response() / MS))
            .collect();
        assert_eq!(done, [(1, 0, 1, 3), (0, 0, 0, 6), (0, 1, 7, 1), (2, 0, 9, 5)]);
    }

    #[test]
    fn a_task_is_a_thread_of_its_policy() {
        let threads = CASE.threads("07.", Some(1));
        assert_eq!(threads[0].name, "07.a");
        let reserved =
            Policy::Deadline { runtime: 2 * MS, deadline: 5 * MS, period: 5 * MS, reclaims: false };
        let policies: Vec<Policy> = threads.iter().map(|thread| thread.policy).collect();
        assert_eq!(policies, [reserved, Policy::Fifo(7), Policy::Other]);
        assert_eq!(threads[1].jobs[0].work, Work::ComputeThenYield(2 * MS));
    }

    #[test]
    fn what_is_not_described_is_said() {
        assert_eq!(
            CASE.not_described(),
            [
                "a is released more often than its period allows",
                "b yields",
                "c computes for longer than its wcet"
            ]
        );
    }
}
