//! The keys of what is required besides deadlines, and of what releases jobs.

use super::key::{Key, Kind, Noun, defaulted, optional, required};

pub(super) const REQUIRE: &[Key] = &[
    required(
        "of",
        Kind::Reference(&[Noun::Interrupt, Noun::Task]),
        "The interrupt or task it is about.",
    ),
    required("handled-within", Kind::PositiveDuration, "Longest time from arrival to completion."),
    optional(
        "probability",
        Kind::Probability,
        "How probable that must be at least for each job; every job must if left out.",
    ),
];

pub(super) const CHAIN: &[Key] = &[
    required(
        "path",
        Kind::References(&[Noun::Task]),
        "The tasks from the first that reads to the last that writes, each once.",
    ),
    optional(
        "reaction",
        Kind::PositiveDuration,
        "Longest reaction time: from an event to the end of the first output that reflects it; not required if left out.",
    ),
    optional(
        "age",
        Kind::PositiveDuration,
        "Longest data age: from the reading of a value to the end of the last output that rests on it; not required if left out.",
    ),
];

/// Of an interrupt.
pub(super) const MIN_INTERARRIVAL: Key = optional(
    "min-interarrival",
    Kind::PositiveDuration,
    "Least time between two arrivals; required without `min-distances`.",
);

/// Of a task.
pub(super) const PERIOD: Key = optional(
    "period",
    Kind::PositiveDuration,
    "Least time between two arrivals; required without `min-distances`, except for a task that something wakes, which has that of the source if it is left out, and one that `polls`.",
);

/// Of whatever arrives.
pub(super) const MIN_DISTANCES: Key = optional(
    "min-distances",
    Kind::Distances,
    "Least time from an arrival to the next one, to the one after that, and so on; `\"32: 80ms\"` to the 32nd; further ones by adding up. Instead of the least time between two.",
);

pub(super) const LATEST_INTERARRIVAL: Key = optional(
    "latest-interarrival",
    Kind::PositiveDuration,
    "Longest time between two arrivals, which chains of registers need; the `period` where it is strictly periodic; unknown if left out.",
);

pub(super) const TASK_OFFSET: Key = optional(
    "offset",
    Kind::Duration,
    "When it arrives by the clock of the system: then and whole periods later, and never else; at any time if left out.",
);

pub(super) const TASK_BLOCKING: Key = optional(
    "blocking",
    Kind::Duration,
    "Longest time that less urgent work of the same supply can hold it up; if left out, where priority decides, the longest that a member at least as urgent states, if something less urgent is there; otherwise `0s`.",
);

pub(super) const COMMUNICATION: Key = defaulted(
    "communication",
    Kind::Communication,
    "registers",
    "When its jobs read and write what chains hand on.",
);

pub(super) const PREEMPTION: Key = defaulted(
    "preemption",
    Kind::Preemption,
    "full",
    "Whether more urgent members of its supply interrupt a job that has begun.",
);

pub(super) const POLLS: Key = optional(
    "polls",
    Kind::Flag,
    "Whether it polls for ever: one job, which wants all the time that it can get, and never ends; `false` if left out.",
);

pub(super) const WAKES: Key = optional(
    "wakes",
    Kind::References(&[Noun::Task]),
    "The tasks of which a job is released whenever a job of this one completes, on any supply of any core.",
);

pub(super) const AFTER: Key = optional(
    "after",
    Kind::References(&[Noun::Task]),
    "The tasks of which one job each completes before a job of this one is released; they descend from one task.",
);

pub(super) const LEARNT: Key = optional(
    "learnt",
    Kind::Part,
    "Margin of its times if they were learnt ([learn.md](learn.md)): verdicts that rest on them name it.",
);
