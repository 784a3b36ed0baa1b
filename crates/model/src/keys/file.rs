//! The keys of a whole file, beside its tables.

use super::key::{Key, Kind, defaulted, optional, required};

/// Keys of the whole file, beside the tables of the nouns.
pub const FILE: &[Key] = &[
    required("version", Kind::Version, "Version of the format."),
    optional(
        "profile",
        Kind::Text,
        "File with costs and caches of the machine, beside the description; what is stated here replaces what it says.",
    ),
    optional(
        "include",
        Kind::Files,
        "Descriptions whose tables belong to this one, each relative to the file that names it; nothing may be stated twice.",
    ),
    optional("$schema", Kind::Text, "Address of the schema, for editors; not used."),
    COSTS_OF_THE_MACHINE,
];

/// Keys of the profile of a machine, beside its caches; its conditions are not looked at.
pub const PROFILE: &[Key] =
    &[required("version", Kind::Version, "Version of the format."), COSTS_OF_THE_MACHINE];

const COSTS_OF_THE_MACHINE: Key = optional(
    "costs",
    Kind::Table(COSTS),
    "What the machine takes for its own work, beside the work of the tasks.",
);
const COSTS: &[Key] = &[
    cost("scheduler-call", "One call of a core's scheduler."),
    cost(
        "context-switch",
        "Giving a core to another virtual processor or task of the host, besides cold caches.",
    ),
    cost("timer-expiry", "The callback of one expired timer."),
    cost("interrupt-entry", "Entering a service routine, or the timer interrupt."),
    cost("interrupt-exit", "Leaving it."),
    cost("vm-exit", "Leaving a guest and coming back."),
];

const fn cost(name: &'static str, doc: &'static str) -> Key {
    defaulted(name, Kind::Duration, "0s", doc)
}
