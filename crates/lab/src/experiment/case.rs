//! The ways of scheduling what handles the packets, as policies for a kernel and as descriptions.

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

/// Priorities of `SCHED_FIFO`.
const ABOVE: Policy = Policy::Fifo(70);
const TASK: Policy = Policy::Fifo(50);
/// The thread of the interrupt, which wakes the one that polls.
pub(super) const INTERRUPT: u32 = 45;
const BELOW: Policy = Policy::Fifo(40);
const RECEIVER: Policy = Policy::Fifo(10);

/// How each thread is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// What it is called.
    pub name: &'static str,
    /// The task.
    pub task: Policy,
    /// The thread that polls the card.
    pub handler: Policy,
    /// The program that receives.
    pub receiver: Policy,
    /// What the publication says: throughput in Mb/s and responses in ms.
    pub published: &'static str,
    /// Interrupts of a timer beside the card's, thousands a second; 0: none.
    pub timers: u64,
}

/// What a kernel takes beside what descriptions of an ideal one state, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// What runtimes may be exceeded by in all.
    pub excess: u64,
    /// An interrupt of the timer.
    pub timer: u64,
}

const fn reserved(budget: u64) -> Policy {
    Policy::Deadline {
        runtime: budget,
        deadline: SERVER_PERIOD,
        period: SERVER_PERIOD,
        reclaims: false,
    }
}

const fn of_handler(name: &'static str, handler: Policy, published: &'static str) -> Case {
    Case { name, task: TASK, handler, receiver: RECEIVER, published, timers: 0 }
}

/// All of them, in the order in which they are tried.
pub const ALL: &[Case] = &[
    of_handler("below the task", BELOW, "48 Mb/s, 18 to 20.5 ms"),
    of_handler("above the task", ABOVE, "74 Mb/s, 40 % above 800 ms"),
    RESERVED[0],
    RESERVED[1],
    RESERVED[2],
    RESERVED[3],
    RESERVED[4],
    RESERVED[5],
    RESERVED[6],
    RESERVED[7],
    TIMERS[0],
    TIMERS[1],
    TIMERS[2],
];

/// 2 ms of 10 ms beside a timer.
const fn beside_timer(name: &'static str, timers: u64) -> Case {
    Case { timers, ..of_handler(name, reserved(2 * MS), "") }
}

const TIMERS: &[Case] = &[
    beside_timer("2 ms of 10 ms, timer at 1 kHz", 1),
    beside_timer("2 ms of 10 ms, timer at 10 kHz", 10),
    beside_timer("2 ms of 10 ms, timer at 20 kHz", 20),
];

/// Those in which what polls is reserved.
pub(super) const RESERVED: &[Case] = &[
    of_handler("0.5 ms of 10 ms", reserved(MS / 2), ""),
    of_handler("1 ms of 10 ms", reserved(MS), ""),
    of_handler("2 ms of 10 ms", reserved(2 * MS), ""),
    of_handler("4 ms of 10 ms", reserved(4 * MS), ""),
    of_handler("6 ms of 10 ms", reserved(6 * MS), ""),
    of_handler("8 ms of 10 ms", reserved(8 * MS), ""),
    Case {
        name: "4 ms; task 4 ms, program 1.5 ms",
        task: reserved(4 * MS),
        handler: reserved(4 * MS),
        receiver: reserved(3 * MS / 2),
        published: "74 Mb/s, 32 to 46 ms",
        timers: 0,
    },
    Case {
        name: "2 ms; task 5 ms, program 1 ms",
        task: reserved(5 * MS),
        handler: reserved(2 * MS),
        receiver: reserved(MS),
        published: "65 Mb/s, 24 to 36 ms",
        timers: 0,
    },
];

/// What continuous integration tries.
pub(super) const SHORT: &[Case] = &[RESERVED[1], RESERVED[3], TIMERS[1]];

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
