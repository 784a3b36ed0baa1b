//! What a description says, read and typed, its names not yet looked up.
//!
//! Every field knows whether it was left out, wrong (and reported), or right, so that the
//! resolver neither trusts a missing value nor reports it a second time.

use crate::diagnostic::Span;
use crate::keys::Noun;
use crate::system::{Priority, ServerKind};
use crate::word::Rule;
use std::collections::BTreeSet;
use vorrang_time::Duration;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// What became of a key.
#[derive(Clone, Debug)]
pub(crate) enum Field<T> {
    Absent,
    /// There, but wrong; that has been reported.
    Wrong,
    Is(At<T>),
}

impl<T> Field<T> {
    /// The value, if there is a right one.
    pub(crate) fn get(&self) -> Option<&At<T>> {
        match self {
            Self::Is(at) => Some(at),
            _ => None,
        }
    }

    /// The value, or `default` if it was left out; `None` if it is wrong.
    pub(crate) fn or(&self, default: T) -> Option<T>
    where
        T: Copy,
    {
        match self {
            Self::Is(at) => Some(at.value),
            Self::Absent => Some(default),
            Self::Wrong => None,
        }
    }
}

/// A full name as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) text: String,
    /// What it may name.
    pub(crate) nouns: &'static [Noun],
    /// The key it stands at.
    pub(crate) key: &'static str,
}

/// Everything that was declared, each kind in the order of declaration.
#[derive(Default)]
pub(crate) struct Description {
    pub(crate) profile: Option<String>,
    /// Whether there is a table of cores, right or wrong.
    pub(crate) mentions_cores: bool,
    /// Full names whose declaration was refused, so that they are not missed as well.
    pub(crate) refused: BTreeSet<String>,
    pub(crate) supplies: Vec<Declared<Supply>>,
    pub(crate) tasks: Vec<Declared<Task>>,
    pub(crate) interrupts: Vec<Declared<Interrupt>>,
    pub(crate) timers: Vec<Declared<Timer>>,
    pub(crate) requirements: Vec<Declared<Requirement>>,
}

/// Something with a name.
pub(crate) struct Declared<T> {
    pub(crate) noun: Noun,
    /// The full name, such as `task.speed`.
    pub(crate) name: String,
    /// Where the name stands in the declaration.
    pub(crate) span: Span,
    pub(crate) body: T,
}

pub(crate) struct Supply {
    pub(crate) scheduler: Field<Rule>,
    /// `None` for a core.
    pub(crate) server: Option<Server>,
}

pub(crate) struct Server {
    pub(crate) vm: Field<String>,
    pub(crate) on: Field<Reference>,
    pub(crate) kind: Field<ServerKind>,
    pub(crate) budget: Field<Duration>,
    pub(crate) period: Field<Duration>,
    pub(crate) offset: Field<Duration>,
    pub(crate) priority: Field<Priority>,
}

pub(crate) struct Task {
    pub(crate) on: Field<Reference>,
    pub(crate) wcet: Field<Duration>,
    pub(crate) period: Field<Duration>,
    /// `None` for best effort.
    pub(crate) deadline: Field<Option<Duration>>,
    pub(crate) jitter: Field<Duration>,
    pub(crate) blocking: Field<Duration>,
    pub(crate) priority: Field<Priority>,
}

pub(crate) struct Interrupt {
    pub(crate) on: Field<Reference>,
    pub(crate) isr: Field<Duration>,
    pub(crate) min_interarrival: Field<Duration>,
    pub(crate) jitter: Field<Duration>,
    pub(crate) delivery: Option<Virtual>,
}

/// The delivery of an interrupt to a guest.
pub(crate) struct Virtual {
    pub(crate) vcpu: Field<Reference>,
    pub(crate) wakes: Field<Reference>,
    pub(crate) pseudo_vcpu: Option<PseudoVcpu>,
}

pub(crate) struct PseudoVcpu {
    pub(crate) span: Span,
    pub(crate) budget: Field<Duration>,
    pub(crate) period: Field<Duration>,
    pub(crate) priority: Field<Priority>,
}

pub(crate) struct Timer {
    pub(crate) armed_by: Field<Reference>,
}

pub(crate) struct Requirement {
    pub(crate) of: Field<Reference>,
    pub(crate) handled_within: Field<Duration>,
}
