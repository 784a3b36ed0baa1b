//! Which tables and keys a description has: the single source for reading, for "did you mean"
//! and for the JSON Schema.

use crate::word::{CORE_SCHEDULERS, SERVER_KINDS, guest_schedulers};

/// A kind of thing that a description declares, each under a name of its own: `[core.0]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noun {
    /// A processor core.
    Core,
    /// A server with a guest inside.
    Vcpu,
    /// A server.
    Server,
    /// Work that wants time.
    Task,
    /// What a device raises.
    Interrupt,
    /// What a task arms.
    Timer,
    /// What must hold besides the deadlines of the tasks.
    Require,
}

/// What supplies time.
pub const SUPPLIES: &[Noun] = &[Noun::Core, Noun::Vcpu, Noun::Server];

impl Noun {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::Core,
        Self::Vcpu,
        Self::Server,
        Self::Task,
        Self::Interrupt,
        Self::Timer,
        Self::Require,
    ];

    /// The word in the text.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Vcpu => "vcpu",
            Self::Server => "server",
            Self::Task => "task",
            Self::Interrupt => "interrupt",
            Self::Timer => "timer",
            Self::Require => "require",
        }
    }

    /// The noun of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|noun| noun.word() == word)
    }

    /// What it is, in one line.
    pub const fn doc(self) -> &'static str {
        match self {
            Self::Core => "A processor core.",
            Self::Vcpu => "A virtual processor: a server with a guest's scheduler inside.",
            Self::Server => "A reservation of processor time.",
            Self::Task => "Work that wants time from a supply.",
            Self::Interrupt => "An interrupt of a device, with its service routine.",
            Self::Timer => "A timer that a task arms.",
            Self::Require => "Something that must hold besides the deadlines of the tasks.",
        }
    }

    /// The keys of its table.
    pub const fn keys(self) -> &'static [Key] {
        match self {
            Self::Core => CORE,
            Self::Vcpu => VCPU,
            Self::Server => SERVER,
            Self::Task => TASK,
            Self::Interrupt => INTERRUPT,
            Self::Timer => TIMER,
            Self::Require => REQUIRE,
        }
    }
}

/// What a key holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The version of the format.
    Version,
    /// Free text of one line, not empty.
    Text,
    /// A duration above zero.
    PositiveDuration,
    /// A duration, zero allowed.
    Duration,
    /// A duration above zero, or the word `none`.
    DurationOrNone,
    /// An integer from 0 to [`crate::limits::PRIORITY`].
    Priority,
    /// The scheduler of a core.
    CoreScheduler,
    /// The scheduler of a server's guest.
    GuestScheduler,
    /// The kind of a server.
    ServerKind,
    /// The full name of something of one of these kinds.
    Reference(&'static [Noun]),
    /// A table with these keys.
    Table(&'static [Key]),
}

impl Kind {
    /// What is expected, as a noun phrase.
    pub fn expected(self) -> String {
        match self {
            Self::Version => "the number 1".into(),
            Self::Text => "a string".into(),
            Self::PositiveDuration | Self::Duration => {
                "a duration in a string, such as \"5ms\"".into()
            }
            Self::DurationOrNone => "a duration in a string, such as \"5ms\", or \"none\"".into(),
            Self::Priority => "a whole number".into(),
            Self::CoreScheduler | Self::GuestScheduler | Self::ServerKind => {
                format!("one of {}", listed(self.words()))
            }
            Self::Reference(nouns) => {
                format!("a full name in a string, such as \"{}.NAME\"", nouns[0].word())
            }
            Self::Table(_) => "a table".into(),
        }
    }

    /// The words it can be set to, if it is set to one of several.
    pub(crate) fn words(self) -> Vec<&'static str> {
        match self {
            Self::CoreScheduler => CORE_SCHEDULERS.iter().map(|word| word.text).collect(),
            Self::GuestScheduler => guest_schedulers().iter().map(|word| word.text).collect(),
            Self::ServerKind => SERVER_KINDS.iter().map(|word| word.text).collect(),
            _ => Vec::new(),
        }
    }
}

/// `"a", "b", "c"`.
pub(crate) fn listed(words: impl IntoIterator<Item = &'static str>) -> String {
    words.into_iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// It must.
    Required,
    /// It may be left out; what that means is said in the documentation of the key.
    Optional,
    /// Left out, it is this.
    Default(&'static str),
}

/// One key of one table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it must be there.
    pub presence: Presence,
    /// What it says, in one line.
    pub doc: &'static str,
}

const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, presence: Presence::Required, doc }
}

const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, presence: Presence::Optional, doc }
}

const fn defaulted(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, kind, presence: Presence::Default(default), doc }
}

/// Keys of the whole file, beside the tables of the nouns.
pub const FILE: &[Key] = &[
    required("version", Kind::Version, "Version of the format."),
    optional("profile", Kind::Text, "File with the costs of the machine."),
    optional("$schema", Kind::Text, "Address of the schema, for editors; not used."),
];

const CORE: &[Key] =
    &[required("scheduler", Kind::CoreScheduler, "How it chooses among what is on it.")];

const SERVER_ON: Key =
    required("on", Kind::Reference(SUPPLIES), "The supply it takes its time from.");
const SERVER_KIND: Key =
    required("server", Kind::ServerKind, "How budget is spent and replenished.");
const BUDGET: Key = required("budget", Kind::PositiveDuration, "Time in every period.");
const SERVER_PERIOD: Key = required("period", Kind::PositiveDuration, "Replenishment period.");
const OFFSET: Key = optional(
    "offset",
    Kind::Duration,
    "Start of a slot within its period; of a slot only, and required there.",
);
const PRIORITY: Key = optional(
    "priority",
    Kind::Priority,
    "Urgency on a fixed-priority supply, larger is more urgent; required where there is a choice.",
);
const GUEST_SCHEDULER: Key = defaulted(
    "scheduler",
    Kind::GuestScheduler,
    "fixed-priority",
    "How it divides what it receives among what is on it.",
);

const SERVER: &[Key] =
    &[SERVER_ON, SERVER_KIND, BUDGET, SERVER_PERIOD, OFFSET, PRIORITY, GUEST_SCHEDULER];

const VCPU: &[Key] = &[
    optional("vm", Kind::Text, "The virtual machine it belongs to."),
    SERVER_ON,
    SERVER_KIND,
    BUDGET,
    SERVER_PERIOD,
    OFFSET,
    PRIORITY,
    GUEST_SCHEDULER,
];

const TASK: &[Key] = &[
    required("on", Kind::Reference(SUPPLIES), "The supply it runs on."),
    required("wcet", Kind::PositiveDuration, "Longest execution time of a job."),
    required("period", Kind::PositiveDuration, "Least time between two arrivals."),
    optional(
        "deadline",
        Kind::DurationOrNone,
        "Longest time from arrival to completion; the period if left out; \"none\" for best effort.",
    ),
    defaulted("jitter", Kind::Duration, "0s", "Longest time from arrival to release."),
    defaulted(
        "blocking",
        Kind::Duration,
        "0s",
        "Longest time that less urgent work of the same supply can hold it up.",
    ),
    PRIORITY,
];

const INTERRUPT: &[Key] = &[
    required("on", Kind::Reference(&[Noun::Core]), "The core that takes it."),
    required("isr", Kind::PositiveDuration, "Longest execution time of its service routine."),
    required("min-interarrival", Kind::PositiveDuration, "Least time between two arrivals."),
    defaulted("jitter", Kind::Duration, "0s", "Longest time from arrival to request."),
    optional("virtual", Kind::Table(VIRTUAL), "Its delivery to a guest."),
];

const VIRTUAL: &[Key] = &[
    required("vcpu", Kind::Reference(&[Noun::Vcpu]), "The virtual processor that takes it."),
    required("isr", Kind::PositiveDuration, "Longest execution time of the guest's routine."),
    optional("wakes", Kind::Reference(&[Noun::Task]), "The task that it releases."),
    optional("pseudo-vcpu", Kind::Table(PSEUDO_VCPU), "The reservation that pays for it."),
];

const PSEUDO_VCPU: &[Key] = &[BUDGET, SERVER_PERIOD, PRIORITY];

const TIMER: &[Key] = &[
    required("armed-by", Kind::Reference(&[Noun::Task]), "The task that arms it."),
    required("period", Kind::PositiveDuration, "Least time between two expiries."),
];

const REQUIRE: &[Key] = &[
    required(
        "of",
        Kind::Reference(&[Noun::Interrupt, Noun::Task]),
        "The interrupt or task it is about.",
    ),
    required("handled-within", Kind::PositiveDuration, "Longest time from arrival to completion."),
];
