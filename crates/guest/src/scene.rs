//! What a scene is: threads that sleep beside one that computes, and what happens to them.

use crate::scheduling::Policy;
use serde::{Deserialize, Serialize};

/// Threads that sleep beside one that computes, and what happens to them. Instants are nanoseconds after a common one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// The thread that computes, from the common instant on.
    pub urgent: Option<Urgent>,
    /// The threads that sleep.
    pub sleepers: Vec<Sleeper>,
    /// Whether the first of them owns a lock while it sleeps: one with inheritance.
    pub has_lock: bool,
    /// The processor of the thread that controls them, above all of them.
    pub from: usize,
    /// What happens to them, in the order of its instants.
    pub meddling: Vec<Meddling>,
}

/// The thread of a scene that computes; it is called `urgent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Urgent {
    /// Its processor.
    pub cpu: usize,
    /// Its policy.
    pub policy: Policy,
    /// For how long, if nothing interrupts it.
    pub time: u64,
}

/// A thread of a scene that sleeps once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sleeper {
    /// Its name.
    pub name: String,
    /// Its processor; any if none is stated.
    pub cpu: Option<usize>,
    /// Its policy.
    pub policy: Policy,
    /// The clock on which its instant is.
    pub clock: Clock,
    /// The instant.
    pub until: u64,
    /// Whether it can be unparked before.
    pub parks: bool,
    /// Whether it takes the lock of the scene afterwards.
    pub wants: bool,
    /// Whether it may run on all processors once it has come to its own.
    pub roams: bool,
}

/// A clock that timers are set on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// `CLOCK_MONOTONIC`.
    Monotonic,
    /// `CLOCK_REALTIME`.
    Realtime,
    /// `CLOCK_BOOTTIME`.
    Boottime,
    /// `CLOCK_TAI`.
    Tai,
}

/// Something that happens in a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meddling {
    /// From the beginning of the scene, in nanoseconds.
    pub after: u64,
    /// What is done.
    pub what: Action,
}

/// What happens; threads are named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// A thread is given another policy.
    SetPolicy {
        /// The thread.
        thread: String,
        /// The policy.
        policy: Policy,
    },
    /// A thread is moved to another processor.
    Place {
        /// The thread.
        thread: String,
        /// The processor.
        cpu: usize,
    },
    /// A thread that parks is woken.
    Unpark {
        /// The thread.
        thread: String,
    },
    /// A thread is sent a signal, which it handles.
    Signal {
        /// The thread.
        thread: String,
    },
    /// The process with a name is killed.
    Kill {
        /// The name.
        process: String,
    },
    /// Civil time is set.
    StepClock {
        /// By so much.
        by: i64,
    },
    /// A file is written.
    Write {
        /// The file.
        path: String,
        /// The text.
        text: String,
    },
    /// A file is read, and told.
    Read {
        /// The file.
        path: String,
    },
}
