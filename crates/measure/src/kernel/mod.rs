//! The kernel's own activity on this machine, as a profile.
//!
//! **Model.** A thread with a real-time priority above all others keeps one processor and reads its clock;
//! its gaps are the time that the kernel takes ([`gaps`]). No tracing is needed, so none distorts the times.
//! In five parts:
//!
//! | part | on the processor | number |
//! |---|---|---|
//! | tick | that thread alone | its gaps at multiples of the tick's period |
//! | threads | a background thread; another samples the kernel's accounting between ticks | the execution time of `ktimers` between two samples |
//! | calls | that thread, and one above it that sleeps and wakes | from the last reading of the one to the first of the other, and back |
//! | sections | a thread that makes system calls, and one above all others that sleeps and wakes | the excess of wake-ups over the shortest ([`longest_section`]) |
//! | runtimes | a thread of `SCHED_DEADLINE` that always has work | charged time beyond the runtime ([`late`]) |
//!
//! **Assumptions.** 1. One processor stands for all. 2. A gap is longer than some readings of the clock; a
//! shorter interruption is not seen, and delays no thread for longer. 3. The numbers are the longest
//! observations: longer ones that occur once an hour are not in them.
//!
//! **Cost.** It keeps the processor busy for nine tenths of the time, in pieces of a tenth of a second.
//!
//! **Not covered:** locks of soft interrupts, and activity that is absent during the measurement; each is
//! named in the profile.

mod bench;
pub mod gaps;
mod handlers;
pub mod late;
mod longest_section;
mod rounds;

pub use bench::{Plan, measure};

use crate::machine::conditions::Condition;
use crate::statistics::Sorted;

/// Settings of the kernel that the system reveals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its release.
    pub release: String,
    /// Whether it is built with `PREEMPT_RT`.
    pub is_realtime: bool,
    /// Of its configuration: ticks in a second, and whether interrupts are charged to no budget
    /// (`IRQ_TIME_ACCOUNTING`); or why it cannot be read.
    pub built: Result<Built, String>,
    /// How runtimes end, as a clause.
    pub runtimes_end: String,
    /// Whether it has schedulers of `sched_ext`.
    pub has_sched_ext: bool,
    /// Runtime and period of the server of `SCHED_OTHER` in nanoseconds; or why they are not known.
    pub fair_server: Result<(u64, u64), String>,
}

/// The relevant settings of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// `CONFIG_HZ`.
    pub hertz: u64,
    /// Whether interrupts are charged to no budget.
    pub interrupts_are_apart: bool,
}

impl Built {
    /// From the text of a configuration.
    ///
    /// # Errors
    /// It does not say how many ticks a second has.
    pub fn of(text: &str) -> Result<Self, String> {
        let hertz = text.lines().find_map(|line| line.strip_prefix("CONFIG_HZ=")?.parse().ok());
        let hertz = hertz.filter(|hertz| (1..=10_000).contains(hertz));
        Ok(Self {
            hertz: hertz.ok_or("the configuration of the kernel has no CONFIG_HZ")?,
            interrupts_are_apart: text.lines().any(|line| line == "CONFIG_IRQ_TIME_ACCOUNTING=y"),
        })
    }
}

/// The result of a part of the measurement, in nanoseconds; or why there is none.
pub type Part = Result<Sorted, String>;

/// A thread of the kernel.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Without the number of its processor.
    pub name: String,
    /// Its real-time priority.
    pub priority: u32,
    /// Its execution time in each period of the tick in which it ran.
    pub ran: Sorted,
}

/// The ticks of a processor.
#[derive(Clone, Debug)]
pub struct Ticks {
    /// When they come.
    pub grid: gaps::Grid,
    /// How long they take.
    pub took: Sorted,
}

/// Calls of the scheduler.
#[derive(Clone, Debug)]
pub struct Calls {
    /// The interrupt of a timer, the wake-up of a thread and the switch to it.
    pub wake: Sorted,
    /// From its going to sleep until the thread below it runs.
    pub sleep: Sorted,
}

/// All results.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The settings of the system.
    pub facts: Facts,
    /// What its ticks took.
    pub ticks: Result<Ticks, String>,
    /// Other interruptions while ticks were measured; `None`: there was none.
    pub others: Option<Sorted>,
    /// Threads of the kernel with a real-time priority that ran.
    pub threads: Result<Vec<Thread>, String>,
    /// Calls of the scheduler.
    pub calls: Result<Calls, String>,
    /// The longest non-preemptible sections, found by wake-ups of a thread above all others.
    pub sections: Part,
    /// Overruns of runtimes of `SCHED_DEADLINE`.
    pub late: Part,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Their effect on the numbers.
    pub remarks: Vec<String>,
}

impl Measured {
    /// The numbers by their names in a profile.
    pub fn named(&self) -> Vec<(String, &Sorted)> {
        let mut named = Vec::new();
        named.extend(self.ticks.iter().map(|ticks| ("tick".to_owned(), &ticks.took)));
        let threads = self.threads.iter().flatten();
        named.extend(threads.map(|thread| (thread.name.clone(), &thread.ran)));
        if let Ok(Calls { wake, sleep }) = &self.calls {
            named.extend([("wake-up".to_owned(), wake), ("sleep".to_owned(), sleep)]);
        }
        named.extend(self.sections.iter().map(|longest| ("sections".to_owned(), longest)));
        named.extend(self.late.iter().map(|late| ("overrun".to_owned(), late)));
        named
    }
}

#[cfg(test)]
mod tests;
