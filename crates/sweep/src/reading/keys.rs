//! Which tables and keys a study has.

use vorrang_model::keys::{Key, Kind, Presence};
use vorrang_model::tree::key;

const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    key(name, kind, Presence::Required, doc)
}

const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    key(name, kind, Presence::Optional, doc)
}

/// The tables: name, whether it must be there, and what it says.
pub(super) const TABLES: &[(&str, bool, &str)] = &[
    ("core", false, "[core] has the scheduler of the core"),
    ("tasks", true, "[tasks] says how tasks are drawn: their `count`, `utilisation` and `periods`"),
    ("vms", false, "[vms] says in which virtual machines the tasks are"),
    ("interrupts", false, "[interrupts] says how interrupts are drawn"),
    ("costs", false, "[costs] states the overhead of the machine, as in a description"),
    (
        "ask",
        true,
        "[ask.NAME] says what is asked of every system; NAME is the column of the answers",
    ),
];

const COUNT: Kind = Kind::Number(1, 1_000);

pub(super) const FILE: &[Key] = &[
    required("version", Kind::Version, "Version of the format."),
    optional("seed", Kind::Number(0, u64::MAX >> 1), "What everything is drawn from."),
    required("samples", Kind::Number(1, 1), "Systems that are drawn at each point."),
    optional("shard", Kind::Number(1, 1), "Systems of one file."),
];

pub(super) const CORE: &[Key] =
    &[optional("scheduler", Kind::Text, "How the core chooses; deadline-monotonic if left out.")];

pub(super) const TASKS: &[Key] = &[
    required("count", COUNT, "Tasks on the core, or in each virtual machine."),
    required("utilisation", Kind::Part, "Of all tasks together."),
    optional("division", Kind::Text, "How it is divided among them; uunifast if left out."),
    optional(
        "least",
        Kind::Part,
        "Least utilisation of a task, or of each: \"5%, 0%, 10%\"; of `drs` only; 0% if left out.",
    ),
    optional(
        "most",
        Kind::Part,
        "Most utilisation of a task, or of each: \"50%, 20%, 30%\"; of `drs` only; 100% if left out.",
    ),
    required("periods", Kind::Text, "How periods are drawn."),
    optional(
        "shortest",
        Kind::PositiveDuration,
        "The shortest period; required but for automotive ones.",
    ),
    optional(
        "longest",
        Kind::PositiveDuration,
        "The longest period; required but for automotive ones.",
    ),
    optional(
        "grain",
        Kind::PositiveDuration,
        "All log-uniform periods are multiples of it; 1us if left out.",
    ),
    optional("deadlines", Kind::Text, "implicit or constrained; implicit if left out."),
    optional("tightest", Kind::Part, "Least part of its period that a constrained deadline is."),
];

pub(super) const VMS: &[Key] = &[
    required("count", Kind::Number(1, 64), "How many there are, with one virtual processor each."),
    required("server", Kind::Text, "The kind of their servers."),
    required("period", Kind::PositiveDuration, "The period of their servers."),
    required(
        "budget",
        Kind::Part,
        "Their budgets, as a part of what their tasks use; or \"design\".",
    ),
    optional("scheduler", Kind::Text, "The scheduler inside; deadline-monotonic if left out."),
];

pub(super) const INTERRUPTS: &[Key] = &[
    required(
        "count",
        Kind::Number(1, 64),
        "How many there are, all for the first virtual machine, or the core.",
    ),
    required("utilisation", Kind::Part, "Of all of their routines together."),
    required("shortest", Kind::PositiveDuration, "The shortest least time between two arrivals."),
    required("longest", Kind::PositiveDuration, "The longest least time between two arrivals."),
    optional(
        "host",
        Kind::Part,
        "What the routines on the core take of this, with [vms]; 20% if left out.",
    ),
    optional(
        "pseudo-vcpu",
        Kind::Flag,
        "Whether a pseudo-VCPU pays for the guest's; false if left out.",
    ),
];

const fn cost(name: &'static str) -> Key {
    optional(name, Kind::Duration, "As in a description.")
}

pub(super) const COSTS: &[Key] = &[
    cost("scheduler-call"),
    cost("context-switch"),
    cost("timer-expiry"),
    cost("interrupt-entry"),
    cost("interrupt-exit"),
    cost("vm-exit"),
];

pub(super) const ASK: &[Key] = &[
    required("question", Kind::Text, "What is asked."),
    optional(
        "by",
        Kind::Text,
        "The analysis that accepts; bounds if left out. Of `accepted` only.",
    ),
    optional("scheduler", Kind::Text, "Another scheduler of the core."),
    optional("server", Kind::Text, "Another kind of server."),
    optional("costs", Kind::Flag, "Whether the machine takes what [costs] says; true if left out."),
    optional(
        "pseudo-vcpu",
        Kind::Flag,
        "Whether a pseudo-VCPU pays for interrupts, instead of what [interrupts] says.",
    ),
    optional("steps", Kind::Number(1, 1), "Steps of the simulator, or analyses of a design."),
    optional("histories", Kind::Number(1, 1), "Random histories beside the directed ones."),
];

/// Schedulers of a core, and of a guest, that a study can have: those that need no key at each member.
pub(super) const SCHEDULERS: &[&str] = &["deadline-monotonic", "rate-monotonic", "edf"];
pub(super) const DIVISIONS: &[&str] = &["uunifast", "drs"];
pub(super) const PERIODS: &[&str] = &["log-uniform", "harmonic", "automotive"];
pub(super) const DEADLINES: &[&str] = &["implicit", "constrained"];
pub(super) const SERVERS: &[&str] = &[
    "periodic",
    "polling",
    "deferrable",
    "sporadic",
    "posix-sporadic",
    "cbs-hard",
    "cbs-soft",
    "sched-deadline",
];
pub(super) const QUESTIONS: &[&str] = &["accepted", "refuted", "tightness", "reserved"];
pub(super) const ANALYSES: &[&str] = &["bounds", "liu-layland", "hyperbolic"];
