//! Many timers that expire: of one thread, and of many in random histories.

use crate::scheduling::Policy;
use serde::{Deserialize, Serialize};

/// How a thread gets to know that a timer of its own has expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// By a file (`timerfd`).
    File,
    /// By a signal (`timer_create`).
    Signal,
    /// By a signal that the process ignores: not at all.
    Ignored,
}

/// A thread with timers of its own, each with a period of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManyTimers {
    /// Its processor.
    pub cpu: usize,
    /// Its policy.
    pub policy: Policy,
    /// How many.
    pub number: u64,
    /// The period of the first.
    pub period: u64,
    /// By how much the period of each is longer than that of the one before.
    pub apart: u64,
    /// How it is told.
    pub told: Told,
    /// Whether it may not have a real-time priority.
    pub unprivileged: bool,
    /// Whether each file that it reads has it disarm another one, or arm that anew.
    pub meddles: bool,
}

/// Threads that sleep for random times on one processor, and one above them that wakes one of them, changes the
/// priority of one, and computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exercise {
    /// The processor.
    pub cpu: usize,
    /// Decides everything that is random.
    pub seed: u64,
    /// Until timers were armed, have expired or were cancelled, and priorities changed, so often in all.
    pub steps: u64,
    /// How many threads sleep; they have so many priorities, from 2 on.
    pub threads: u32,
    /// They sleep for this long, shortest and longest.
    pub sleeps: (u64, u64),
    /// The priority of the one above them.
    pub above: u32,
    /// It sleeps for this long, shortest and longest.
    pub pauses: (u64, u64),
    /// It computes for at most this long.
    pub computes: u64,
}
