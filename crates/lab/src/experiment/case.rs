//! The ways of scheduling what handles the packets, as policies for a kernel and as descriptions.

use crate::data::{self, Time};
use serde::{Deserialize, Deserializer};
use std::fmt::Write as _;
use vorrang_guest::Policy;

const MS: u64 = 1_000_000;

/// The processor of the task and of everything that handles packets.
pub(super) const CPU: usize = 1;
/// What a job of the task takes: published are 18 to 20.5 ms.
pub(super) const WORK: u64 = 19 * MS;
/// What a job takes beyond its instructions: the kernel around wake-ups and switches, 50 000 instructions, and the
/// other processor where its part of the machine is larger than it was on average, by 0.6 ms in the worst job
/// that was seen. Without it a description would be wrong, not just inexact: where 19 ms are complete as
/// a budget is back, a microsecond more takes that budget longer.
const OVERHEAD: u64 = 9 * MS / 10;
/// The period of the task.
pub(super) const PERIOD: u64 = 50 * MS;
/// The period of all reservations.
const SERVER_PERIOD: u64 = 10 * MS;
/// Packets a millisecond: what 100 Mb/s carry of packets with 192 bytes is 48.45.
pub(super) const PACKETS: u64 = 48;
/// What handling one takes, in microseconds, and what the program takes that receives it; rounded up from
/// the case in which the thread that polls is above the task. No bound of a reserved case depends on it.
const HANDLING: [u64; 2] = [20, 10];

/// The priority of the thread of the interrupt, which wakes the one that polls.
const INTERRUPT: u32 = 45;

/// How each thread is scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// The task.
    #[serde(default = "task", deserialize_with = "policy")]
    pub task: Policy,
    /// The thread that polls the card.
    #[serde(deserialize_with = "policy")]
    pub handler: Policy,
    /// The program that receives.
    #[serde(default = "receiver", deserialize_with = "policy")]
    pub receiver: Policy,
    /// What the publication says: throughput in Mb/s and responses in ms.
    #[serde(default)]
    pub published: String,
    /// Interrupts of a timer beside the card's, thousands a second; 0: none.
    #[serde(default)]
    pub timers: u64,
}

const fn task() -> Policy {
    Policy::Fifo(50)
}

const fn receiver() -> Policy {
    Policy::Fifo(10)
}

/// A priority, or a budget of every 10 ms.
fn policy<'de, D: Deserializer<'de>>(from: D) -> Result<Policy, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Written {
        Fifo(u32),
        Reserved(Time),
    }
    Ok(match Written::deserialize(from)? {
        Written::Fifo(priority) => Policy::Fifo(priority),
        Written::Reserved(Time(runtime)) => Policy::Deadline {
            runtime,
            deadline: SERVER_PERIOD,
            period: SERVER_PERIOD,
            reclaims: false,
        },
    })
}

/// All of them, in the order in which they are tried.
pub(super) fn all() -> Vec<Case> {
    #[derive(Deserialize)]
    struct Cases {
        case: Vec<Case>,
    }
    data::read::<Cases>("experiment/cases.toml").case
}

/// The case of that name.
///
/// # Panics
/// There is none.
pub(super) fn one(name: &str) -> Case {
    let found = all().into_iter().find(|case| case.name == name);
    found.unwrap_or_else(|| panic!("there is no case {name}"))
}

/// What a kernel takes beside what descriptions of an ideal one state, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// What runtimes may be exceeded by in all.
    pub excess: u64,
    /// An interrupt of the timer.
    pub timer: u64,
}

impl Case {
    /// Budget of the thread that polls, and its period, if it is reserved.
    pub fn reservation(&self) -> Option<(u64, u64)> {
        match self.handler {
            Policy::Deadline { runtime, period, .. } => Some((runtime, period)),
            _ => None,
        }
    }

    /// Nanoseconds from one interrupt of the timer to the next, if there is one.
    pub fn every(&self) -> Option<u64> {
        MS.checked_div(self.timers)
    }

    /// The description: what is checked, simulated and, on the machine, done. What has a reservation may
    /// exceed its budgets by `excess` in all, as what is exceeded is taken from the budgets that follow: to the
    /// task that is a section of others that holds it up once.
    pub fn description(&self, Taken { excess, timer }: Taken) -> String {
        let mut text = format!(
            "version = 1\n\n[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\ncpu = {CPU}\n"
        );
        if let Some(every) = self.every() {
            let _ = write!(
                text,
                "\n[interrupt.timer]\non = \"core.0\"\nisr = \"{}ns\"\nmin-interarrival = \"{every}ns\"\n",
                timer.max(1)
            );
        }
        let load = HANDLING.map(|each| format!("{}us", PACKETS * each));
        let others = [self.handler, self.receiver].iter().filter(|one| one.is_reserved()).count();
        let blocking = format!("{}us", excess * others as u64 / 1000);
        let task = (format!("{}us", (WORK + OVERHEAD) / 1000), format!("{}us", PERIOD / 1000));
        member(&mut text, "handler", self.handler, (&load[0], "1ms", "none"), "napi:eth0");
        member(&mut text, "receiver", self.receiver, (&load[1], "1ms", "none"), "name:receiver");
        let interrupt = Policy::Fifo(INTERRUPT);
        member(&mut text, "interrupt", interrupt, ("50us", "500us", "none"), "irq:eth0");
        member(&mut text, "control", self.task, (&task.0, &task.1, &task.1), "name:control");
        let _ = writeln!(text, "blocking = \"{blocking}\"");
        text
    }
}

/// A thread with a policy: `(wcet, period, deadline)`.
fn member(
    text: &mut String,
    name: &str,
    policy: Policy,
    (wcet, period, deadline): (&str, &str, &str),
    thread: &str,
) {
    let (on, priority) = match policy {
        Policy::Deadline { runtime, period, .. } => {
            let (budget, period) = (runtime / 1000, period / 1000);
            let _ = write!(
                text,
                "\n[server.{name}]\non = \"core.0\"\nserver = \"sched-deadline\"\n\
                 budget = \"{budget}us\"\nperiod = \"{period}us\"\n"
            );
            (format!("server.{name}"), String::new())
        }
        Policy::Fifo(priority) => ("core.0".to_owned(), format!("priority = {priority}\n")),
        _ => unreachable!("no case has another policy"),
    };
    let _ = write!(
        text,
        "\n[task.{name}]\non = \"{on}\"\n{priority}wcet = \"{wcet}\"\nperiod = \"{period}\"\n\
         deadline = \"{deadline}\"\nthread = \"{thread}\"\n"
    );
}
