//! The kinds of servers that `vorrang-host` runs, as trials: threads with servers, on a kernel and in the simulator.
//!
//! **Model.** In a *busy* trial every thread computes all the time: its supply in every period is compared
//! with its budget. In one with *jobs* a thread has a job every period, all released together: its longest
//! response is compared with the simulator's and the bound. Beside them a thread of `SCHED_OTHER`
//! computes all the time.
//!
//! **Assumptions.** 1. Work is instructions (`vorrang-probe`). 2. The schedule begins at a multiple of 100 ms, so that
//! the periods of servers and jobs begin with it. 3. A job is seen as late as its jitter says: by the next look,
//! or with the next budget of a polling server, which has returned when the timer of its thread fires.

use super::dispatcher::MS;
use crate::written::Scenario;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};

/// Counters are read so often.
pub(crate) const READ_MS: u64 = 10;
/// Each is run for this long.
pub(crate) const LENGTH_MS: u64 = 2000;
/// The work of a job: the rest of its longest execution is for reading clocks.
pub(crate) const WORK_US: u64 = 2900;
/// The interval at which sleeping threads are sampled.
pub(crate) const LOOK_US: u64 = 1000;

/// A server and the work of its thread.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The name of it and of its thread.
    pub(crate) name: String,
    /// Its budget in milliseconds; where servers take turns, its share.
    pub(crate) budget: u64,
    /// In milliseconds; where servers take turns, that of the readings.
    pub(crate) period: u64,
    /// From one job of its thread to the next, in nanoseconds.
    pub(crate) every: u64,
    /// The delay with which its wake-ups are noticed.
    pub(crate) jitter: u64,
}

/// Servers side by side, the most urgent first.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
    /// With a task in every server.
    pub(crate) system: System,
    /// Whether their threads compute all the time.
    pub(crate) busy: bool,
}

/// Those of a scenario, in their order.
pub(crate) fn trials(of: &Scenario) -> Vec<Trial> {
    let names: Vec<String> = of.given("trials");
    names.into_iter().map(|name| Trial::read(&of.text(&file(&name)), name)).collect()
}

/// The file of the description of a trial.
fn file(name: &str) -> String {
    format!("/{name}.toml")
}

impl Trial {
    fn read(text: &str, name: String) -> Self {
        let described = read(text, Format::Toml).expect("a description");
        let busy = name.starts_with("busy-");
        let text = if busy { with_tasks(text, &described) } else { text.to_owned() };
        let system = read(text, Format::Toml).expect("a description");
        let rows = threads(&system).map(|(id, name)| row(&system, id, name)).collect();
        Self { name, rows, system, busy }
    }

    /// Whether its servers have fixed slots.
    pub(crate) fn has_slots(&self) -> bool {
        self.name.ends_with("-slots")
    }

    /// Where its servers take turns, the task of all other threads, which always has work.
    pub(crate) fn rest(&self) -> Option<usize> {
        self.system.tasks.iter().position(|task| task.name == "task.rest")
    }

    /// Whether its servers take turns.
    pub(crate) fn takes_turns(&self) -> bool {
        self.rest().is_some()
    }

    /// The task of a row.
    pub(crate) fn task(&self, row: &Row) -> usize {
        let name = format!("task.{}", row.name);
        self.system.tasks.iter().position(|task| task.name == name).expect("a task in every server")
    }

    /// What all of its turns together are of the processor, beside those of all other threads.
    pub(crate) fn turns_percent(&self) -> u64 {
        let weight = |id: SupplyId| u64::from(self.system.supply(id).kind.weight().unwrap_or(0));
        let all: u64 = self.system.supply_ids().map(weight).sum();
        self.rows.iter().map(|row| row.budget).sum::<u64>() * 100 / all.max(1)
    }

    /// The file of its description.
    pub(crate) fn file(&self) -> String {
        file(&self.name)
    }

    /// The file of the counters.
    pub(crate) fn counted(&self) -> String {
        format!("/run/{}", self.name)
    }

    /// The threads, as the probe is told.
    pub(crate) fn threads(&self) -> String {
        let thread = |Row { name, every, .. }: &Row| {
            if self.busy {
                format!("{name}=always")
            } else {
                format!("{name}={WORK_US}us/{}ms", every / MS)
            }
        };
        let threads: Vec<String> = self.rows.iter().map(thread).collect();
        format!("{} other=always", threads.join(" "))
    }
}

/// The servers that have a thread, and its name.
fn threads(system: &System) -> impl Iterator<Item = (SupplyId, &str)> {
    system.supply_ids().filter_map(|id| {
        let written = system.host.threads.get(&system.supply(id).name)?;
        Some((id, written.rsplit('/').next()?))
    })
}

fn row(system: &System, id: SupplyId, name: &str) -> Row {
    let supply = system.supply(id);
    let ms = |time: vorrang_time::Duration| time.as_ns() / MS;
    let (budget, period) = match (supply.server(), supply.kind.weight()) {
        (Some(server), _) => (ms(server.budget), ms(server.period)),
        (None, weight) => (weight.map_or(0, u64::from), READ_MS),
    };
    let task = system.tasks.iter().find(|task| task.on == id).expect("a task in every server");
    let (every, jitter) = (task.min_interarrival.as_ns(), task.jitter.as_ns());
    Row { name: name.to_owned(), budget, period, every, jitter }
}

/// For the simulator, to which it does not matter what a task that always has work is.
fn with_tasks(text: &str, system: &System) -> String {
    let task = |(_, name): (SupplyId, &str)| {
        format!(
            "\n[task.{name}]\non = \"server.{name}\"\nwcet = \"1s\"\nperiod = \"1s\"\ndeadline = \"none\"\n"
        )
    };
    threads(system).map(task).fold(text.to_owned(), |text, task| text + &task)
}
