//! What a key is, what it holds, and the kinds of things that have keys.

use crate::word::{
    ARRIVALS, CACHE_MODELS, COMMUNICATIONS, CORE_SCHEDULERS, INTERRUPT_ORDERS, INTERRUPT_TIMES,
    PREEMPTIONS, PSEUDO_VCPU_RULES, SERVER_KINDS, TIMER_QUEUES, guest_schedulers, texts,
};

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
    /// A network card.
    Device,
    /// How work progresses after something else ran.
    Cache,
    /// What must hold besides the deadlines of the tasks.
    Require,
    /// A path along which tasks hand on values.
    Chain,
}

/// What supplies time.
pub const SUPPLIES: &[Noun] = &[Noun::Core, Noun::Vcpu, Noun::Server];

impl Noun {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::Core,
        Self::Vcpu,
        Self::Server,
        Self::Task,
        Self::Interrupt,
        Self::Timer,
        Self::Device,
        Self::Cache,
        Self::Require,
        Self::Chain,
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
            Self::Device => "device",
            Self::Cache => "cache",
            Self::Require => "require",
            Self::Chain => "chain",
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
            Self::Device => "A network card, with the packets that arrive at it.",
            Self::Cache => {
                "How the work of a virtual processor, or of a task of the host, progresses after the core ran something else."
            }
            Self::Require => "Something that must hold besides the deadlines of the tasks.",
            Self::Chain => "A path along which tasks hand on values, and how old these may become.",
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
    /// The same, longer.
    Sentence,
    /// A duration above zero.
    PositiveDuration,
    /// A duration, zero allowed.
    Duration,
    /// A duration above zero, or the word `none`.
    DurationOrNone,
    /// An integer from 0 to [`crate::limits::PRIORITY`].
    Priority,
    /// A whole number in this range, both ends included.
    Number(u64, u64),
    /// `true` or `false`.
    Flag,
    /// A part of the whole in a string: a percentage, or a decimal number up to 1.
    Part,
    /// A part of the whole above zero, counted finer.
    Probability,
    /// Times with their weights, in a table.
    Execution,
    /// Starts of intervals with their lengths, in a table.
    Windows,
    /// Durations above zero, each longer than the one before.
    Distances,
    /// The scheduler of a core.
    CoreScheduler,
    /// The scheduler of a server's guest.
    GuestScheduler,
    /// The kind of a server.
    ServerKind,
    /// Which of several service routines runs.
    InterruptOrder,
    /// What service routines are charged to.
    InterruptTime,
    /// The queue of a core's timers.
    TimerQueue,
    /// When the budget of a pseudo-VCPU comes.
    PseudoVcpuRule,
    /// How packets arrive.
    Arrival,
    /// The curve of a cache.
    CacheModel,
    /// When a task reads and writes.
    Communication,
    /// Whether a job that has begun is interrupted.
    Preemption,
    /// The full name of something of one of these kinds.
    Reference(&'static [Noun]),
    /// Several of them, in order.
    References(&'static [Noun]),
    /// Paths of files.
    Files,
    /// A table with these keys.
    Table(&'static [Key]),
    /// The same, or the word `none`.
    TableOrNone(&'static [Key]),
}

impl Kind {
    /// What is expected, as a noun phrase.
    pub fn expected(self) -> String {
        match self {
            Self::Version => "the number 1".into(),
            Self::Text | Self::Sentence => "a string".into(),
            Self::PositiveDuration | Self::Duration => {
                "a duration in a string, such as \"5ms\"".into()
            }
            Self::DurationOrNone => "a duration in a string, such as \"5ms\", or \"none\"".into(),
            Self::Priority | Self::Number(..) => "a whole number".into(),
            Self::Flag => "true or false".into(),
            Self::Part => "a percentage in a string, such as \"9%\"".into(),
            Self::Probability => "a percentage in a string, such as \"99.9%\"".into(),
            Self::Execution => {
                "a table of times and weights, such as { \"5ms\" = 9, \"20ms\" = 1 }".into()
            }
            Self::Windows => {
                "a table of starts and lengths, such as { \"0s\" = \"2ms\", \"5ms\" = \"1ms\" }"
                    .into()
            }
            Self::Distances => "a list of durations, such as [\"1us\", \"5ms\"]".into(),
            Self::Reference(nouns) => {
                format!("a full name in a string, such as \"{}.NAME\"", nouns[0].word())
            }
            Self::References(nouns) => {
                let word = nouns[0].word();
                format!("a list of full names, such as [\"{word}.A\", \"{word}.B\"]")
            }
            Self::Files => "a list of files, such as [\"machine.toml\"]".into(),
            Self::Table(_) => "a table".into(),
            Self::TableOrNone(_) => "a table, or \"none\"".into(),
            _ => format!("one of {}", listed(self.words().iter().map(|(text, _)| *text))),
        }
    }

    /// The words it can be set to, each with what it means, if it is set to one of several.
    pub fn words(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::CoreScheduler => texts(CORE_SCHEDULERS),
            Self::GuestScheduler => texts(guest_schedulers()),
            Self::ServerKind => texts(SERVER_KINDS),
            Self::InterruptOrder => texts(INTERRUPT_ORDERS),
            Self::InterruptTime => texts(INTERRUPT_TIMES),
            Self::TimerQueue => texts(TIMER_QUEUES),
            Self::PseudoVcpuRule => texts(PSEUDO_VCPU_RULES),
            Self::Arrival => texts(ARRIVALS),
            Self::CacheModel => texts(CACHE_MODELS),
            Self::Communication => texts(COMMUNICATIONS),
            Self::Preemption => texts(PREEMPTIONS),
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
    /// Whether it may be left open, for `vorrang design` to choose.
    pub may_be_open: bool,
}

impl Key {
    pub(super) const fn or_open(self) -> Self {
        Self { may_be_open: true, ..self }
    }
}

/// Keys of the table that stands for a priority left open.
pub const PRIORITIES: &[Key] = &[
    bound("from", "The least urgent that is considered."),
    bound("to", "The most urgent that is considered."),
];

const fn bound(name: &'static str, doc: &'static str) -> Key {
    Key { name, kind: Kind::Priority, presence: Presence::Required, doc, may_be_open: false }
}

pub(super) const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, presence: Presence::Required, doc, may_be_open: false }
}

pub(super) const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, presence: Presence::Optional, doc, may_be_open: false }
}

pub(super) const fn defaulted(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, kind, presence: Presence::Default(default), doc, may_be_open: false }
}
