//! The keys of what is required besides deadlines.

use super::tables::{optional, required};
use super::{Key, Kind, Noun};

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
