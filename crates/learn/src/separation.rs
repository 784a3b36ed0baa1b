//! What is between two jobs of a thread.
//!
//! **Model.** A thread sleeps when it calls the kernel for something that is not there yet. Some of these sleeps are between
//! jobs, the others are inside: the job suspends itself. Which is which nothing but the program knows; where the trace has
//! the calls, they are told apart by those, and otherwise by what ended the sleep.

use std::fmt;
use std::str::FromStr;

/// What ends a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Separation {
    /// Any sleep, but not for a lock or a disk; of a reservation also `sched_yield`.
    #[default]
    Sleep,
    /// Sleep until a time.
    Timer,
    /// Sleep for input.
    Read,
    /// Sleep for a lock or a condition of the program.
    Futex,
    /// Sleep for one of several files.
    Poll,
    /// `sched_yield`.
    Yield,
}

const WORDS: [(&str, Separation); 6] = [
    ("sleep", Separation::Sleep),
    ("timer", Separation::Timer),
    ("read", Separation::Read),
    ("futex", Separation::Futex),
    ("poll", Separation::Poll),
    ("yield", Separation::Yield),
];

/// Calls by which a thread may come to sleep.
const CALLS: [(&[u8], Separation); 21] = [
    (b"clock_nanosleep", Separation::Timer),
    (b"nanosleep", Separation::Timer),
    (b"read", Separation::Read),
    (b"readv", Separation::Read),
    (b"pread64", Separation::Read),
    (b"recvfrom", Separation::Read),
    (b"recvmsg", Separation::Read),
    (b"recvmmsg", Separation::Read),
    (b"accept", Separation::Read),
    (b"accept4", Separation::Read),
    (b"mq_timedreceive", Separation::Read),
    (b"futex", Separation::Futex),
    (b"futex_wait", Separation::Futex),
    (b"futex_waitv", Separation::Futex),
    (b"poll", Separation::Poll),
    (b"ppoll", Separation::Poll),
    (b"select", Separation::Poll),
    (b"pselect6", Separation::Poll),
    (b"epoll_wait", Separation::Poll),
    (b"epoll_pwait", Separation::Poll),
    (b"sched_yield", Separation::Yield),
];

impl Separation {
    /// The kind of sleep that a call may come to; `None`: another call.
    pub(crate) fn of_call(name: &[u8]) -> Option<Self> {
        CALLS.iter().find(|(call, _)| *call == name).map(|(_, kind)| *kind)
    }

    /// The calls that are traced for it.
    pub fn calls() -> impl Iterator<Item = &'static str> {
        CALLS.iter().filter_map(|(call, _)| std::str::from_utf8(call).ok())
    }
}

impl fmt::Display for Separation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, own)| own == self).map_or("", |(word, _)| word);
        f.write_str(word)
    }
}

impl FromStr for Separation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = WORDS.iter().find(|(word, _)| *word == text).map(|(_, own)| *own);
        found.ok_or_else(|| {
            let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            format!("jobs are separated by {}", words.join(", "))
        })
    }
}
