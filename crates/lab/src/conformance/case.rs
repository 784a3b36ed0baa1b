//! A case: a description and a script of releases, from which the simulator and the lab both work.
//!
//! **Model.** The script says of each task when which job is released and how long it computes; the
//! description says what the task is. In a kernel a task in a server of kind `sched-deadline` is a
//! thread of `SCHED_DEADLINE`, one on the core a thread of `SCHED_FIFO` with its priority, of
//! `SCHED_OTHER` with priority 0 or in `server.fair`; on a core that takes turns all are of `SCHED_RR`.
//!
//! **Assumptions.** Cores are Linux's, a server has one task, and nothing else is on the core:
//! anything else is a bug of the case, and panics.

use super::job::Job;
use super::machine::{For, Measured, Source, described, stated};
use serde::Deserialize;
use std::collections::BTreeMap;
use vorrang_guest::{Policy, ScriptedThread};
use vorrang_model::system::{Scheduler, Server, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// The priority of all threads of `SCHED_RR`.
const ROUND_ROBIN: u32 = 10;

/// The server that the kernel has for all threads of `SCHED_OTHER`.
const FAIR: &str = "server.fair";

/// A description and what a kernel must do with it: the file of a case, whose keys before its first table are these.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Case {
    /// Its name.
    #[serde(skip)]
    pub name: String,
    /// The name of another one, whose claim and description it has.
    pub like: Option<String>,
    /// Its claim, as a sentence without a full stop.
    pub shows: String,
    /// The description, without its version and the core.
    #[serde(skip)]
    pub tables: String,
    /// By the name of the task, without its kind.
    pub script: BTreeMap<String, Vec<Job>>,
    /// The course by the rules, worked out by hand: a row for each task, a letter for each
    /// millisecond, or a number and a letter for so many. `#` runs, `-` is preempted, `x` is throttled,
    /// `.` has nothing to do. Nothing is drawn where times are measured.
    pub drawn: String,
    /// The writes to files of the kernel before the case.
    pub settings: Vec<(String, String)>,
    /// The time of each job of a task where it is measured instead of chosen, in nanoseconds.
    #[serde(skip)]
    pub measured: Option<(&'static str, u64)>,
    /// Its interrupts.
    #[serde(skip)]
    pub source: Option<Source>,
    /// Overheads of the machine.
    #[serde(skip)]
    pub costs: Measured,
}

impl Case {
    /// What a file of that name says.
    ///
    /// # Errors
    /// Its head is wrong, as a sentence.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let (head, tables) = text.split_once("\n[").unwrap_or((text, ""));
        let tables = if tables.is_empty() { String::new() } else { format!("\n[{tables}") };
        let case: Self = toml::from_str(head).map_err(|why| format!("{name}: {why}"))?;
        Ok(Self { name: name.to_owned(), tables, ..case })
    }

    /// On a machine with overheads.
    #[must_use]
    pub fn on(&self, costs: Measured) -> Self {
        Self { costs, ..self.clone() }
    }

    /// Its name, with its interrupts.
    pub fn title(&self) -> String {
        self.source
            .map_or_else(|| self.name.clone(), |source| format!("{}, {}", self.name, source.name()))
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
        self.understood(&self.text())
    }

    /// The same for the analysis: a job takes at least what one takes that has nothing to do.
    pub fn for_bounds(&self) -> System {
        let mut system = self.understood(&self.described(For::Bounds));
        let own = Duration::from_ns(self.costs.longest.of_job());
        system.tasks.iter_mut().take(self.script.len()).for_each(|task| task.wcet += own);
        system
    }

    fn understood(&self, text: &str) -> System {
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
    pub fn jobs(&self, name: &str) -> &[Job] {
        let own = self.script.get(name);
        own.unwrap_or_else(|| panic!("{}: {name} has no jobs", self.name))
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
        let (system, names) = (self.system(), self.names());
        let before = |id: TaskId| {
            let all = system.predecessors(id).into_iter();
            all.map(|TaskId(by)| format!("{prefix}{}", names[by])).collect()
        };
        let thread = |(id, name): (usize, &String)| ScriptedThread {
            name: format!("{prefix}{name}"),
            cpu,
            policy: policy(&system, TaskId(id)),
            after: before(TaskId(id)),
            jobs: self.jobs(name).iter().map(Job::in_a_kernel).collect(),
        };
        names.iter().enumerate().map(thread).collect()
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
pub(super) mod tests {
    use super::super::job::MS;
    use super::*;

    const CASE: &str = r#"
shows = ""
script.a = [[0, 3], [7, 1]]
script.b = [{ at = 1, work = 2, yields = true }]
script.c = [[9, 4]]
drawn = """
a 2#3x#.#.
b .-##......
c 9.#-###
"""
[server.a]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "5ms"
[task.a]
on = "server.a"
wcet = "3ms"
period = "8ms"
[task.b]
on = "core.0"
wcet = "3ms"
period = "8ms"
priority = 7
[task.c]
on = "core.0"
wcet = "3ms"
period = "8ms"
priority = 0
"#;

    pub(in super::super) fn case() -> Case {
        Case::read("a case", CASE).expect("its head is right")
    }

    #[test]
    fn a_task_is_a_thread_of_its_policy() {
        let threads = case().threads("07.", Some(1));
        assert_eq!(threads[0].name, "07.a");
        let reserved =
            Policy::Deadline { runtime: 2 * MS, deadline: 5 * MS, period: 5 * MS, reclaims: false };
        let policies: Vec<Policy> = threads.iter().map(|thread| thread.policy).collect();
        assert_eq!(policies, [reserved, Policy::Fifo(7), Policy::Other]);
        assert_eq!(threads[1].jobs[0].work, vorrang_guest::Work::ComputeThenYield(2 * MS));
    }

    #[test]
    fn what_is_not_described_is_said() {
        assert_eq!(
            case().not_described(),
            [
                "a is released more often than its period allows",
                "b yields",
                "c computes for longer than its wcet"
            ]
        );
    }
}
