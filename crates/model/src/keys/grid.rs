//! The keys of a duration that is left open.

use super::key::{Key, Kind, required};

/// Keys of the table that stands for a duration left open.
pub const GRID: &[Key] = &[
    required("from", Kind::PositiveDuration, "The shortest that is considered."),
    required("to", Kind::PositiveDuration, "The longest that is considered."),
    required(
        "step",
        Kind::PositiveDuration,
        "From one that is considered to the next, from `from` on.",
    ),
];
