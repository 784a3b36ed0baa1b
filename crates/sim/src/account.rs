//! The iteration budget of a search: its steps, divided among the histories that it will run.
//!
//! **Model.** Cores that paths connect have their own account, so that nothing of others decides what is tried on
//! them. The synchronous history may take nearly all of it. Each other history gets a part of the rest in proportion
//! to its weight among the histories still to come, times [`GENEROSITY`]: most take much less, and the remainder goes to the others.
//! A history that has taken its share ends early; one for which no step is left is omitted and counted.
//!
//! The steps are those of [`crate::Simulator::allow`], never a time, so that all machines run, truncate and
//! omit the same histories.

use crate::pattern::Form;
use vorrang_model::system::SupplyId;

/// Of histories of equal length, one in this many may use its whole share.
const GENEROSITY: u64 = 8;

/// The share of the work on a core that is planned as its synchronous history: one half.
pub(crate) const SYNCHRONOUS: u64 = 2;

/// Histories of one kind on one core that were not run, or not to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omission {
    /// The core.
    pub core: SupplyId,
    /// Which histories.
    pub kind: HistoryKind,
    /// How many were planned.
    pub wanted: u64,
    /// How many of them were omitted.
    pub left_out: u64,
    /// How many of them ended before their horizon.
    pub cut_short: u64,
}

/// Kinds of histories that a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryKind {
    /// Everything at one instant.
    Synchronous,
    /// Directed at one task or interrupt.
    Directed,
    /// With a storm.
    Storm,
    /// Drawn at random.
    Random,
    /// Steps of the climbs.
    Climb,
}

impl HistoryKind {
    pub(crate) fn of(form: &Form) -> Self {
        match form {
            Form::Synchronous => Self::Synchronous,
            Form::Exhausted { .. }
            | Form::Blocked { .. }
            | Form::Last { .. }
            | Form::Charged { .. } => Self::Directed,
            Form::Storm { .. } => Self::Storm,
            Form::Random { .. } | Form::Periodic { .. } => Self::Random,
            Form::Explicit(_) => Self::Climb,
        }
    }

    /// Their name, in the singular and the plural.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Synchronous => ("synchronous history", "synchronous histories"),
            Self::Directed => ("directed history", "directed histories"),
            Self::Storm => ("history with a storm", "histories with a storm"),
            Self::Random => ("random history", "random histories"),
            Self::Climb => ("step of the climbs", "steps of the climbs"),
        }
    }
}

/// The steps of a search of some cores that paths connect.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// Those that are left.
    steps: u64,
    /// The weights of all that is still to come.
    weight: u64,
    /// The first of these cores.
    core: SupplyId,
    omissions: Vec<Omission>,
}

impl Account {
    /// An account of this many steps, for histories of this weight in all.
    pub(crate) fn new(steps: u64, core: SupplyId, weight: u64) -> Self {
        Self { steps, weight, core, omissions: Vec::new() }
    }

    /// The share of what comes next.
    pub(crate) fn share(&mut self, kind: HistoryKind, weight: u64) -> u64 {
        let all = u128::from(self.weight.max(1));
        self.weight = self.weight.saturating_sub(weight);
        if kind == HistoryKind::Synchronous {
            // It is planned by the number of cores, and not by what is on them.
            return self.steps - self.steps / 16;
        }
        let share = u128::from(self.steps) * u128::from(weight) * u128::from(GENEROSITY) / all;
        u64::try_from(share).unwrap_or(u64::MAX).min(self.steps)
    }

    /// Something of this weight is not wanted any more.
    pub(crate) fn pass(&mut self, weight: u64) {
        self.weight = self.weight.saturating_sub(weight);
    }

    /// Takes this many steps of a share.
    pub(crate) fn pay(&mut self, taken: u64) {
        self.steps = self.steps.saturating_sub(taken);
    }

    /// Of `wanted` histories this many were omitted, and this many truncated.
    pub(crate) fn note(&mut self, kind: HistoryKind, wanted: u64, left_out: u64, cut_short: u64) {
        let of_kind = |own: &&mut Omission| own.kind == kind;
        if let Some(known) = self.omissions.iter_mut().rev().find(of_kind) {
            known.wanted += wanted;
            known.left_out += left_out;
            known.cut_short += cut_short;
        } else {
            self.omissions.push(Omission { core: self.core, kind, wanted, left_out, cut_short });
        }
    }

    /// What was omitted or truncated, in the order of the search.
    pub(crate) fn omissions(self) -> Vec<Omission> {
        let is_one = |own: &Omission| own.left_out + own.cut_short > 0;
        self.omissions.into_iter().filter(is_one).collect()
    }
}
