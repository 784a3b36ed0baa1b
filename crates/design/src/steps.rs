//! The count that makes a search end, the same on every machine.
//!
//! **Model.** A *step* is an analysis, or [`TERMS`] terms of the equations of one that evaluates more. Beside a
//! kernel, and near full load, one analysis takes as long as a hundred others: counted as one each, they would
//! make a search of minutes from one of seconds.
//!
//! **Assumptions.** 1. None: where a search ends decides what is found, never what is said of it.

/// Terms of equations that are a step: what the analysis of a core with some servers takes, some tens of
/// microseconds.
const TERMS: u64 = 20_000;

/// Steps that were taken and may still be taken.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) taken: u64,
    /// The search ends here.
    until: u64,
    /// Whether it is no longer wanted.
    is_end_wanted: fn() -> bool,
    /// Hears of each how many were taken, and how many may be at most.
    told: fn(u64, u64),
    most: u64,
}

/// No more may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

impl Steps {
    pub(crate) fn new(most: u64) -> Self {
        Self { taken: 0, until: most, is_end_wanted: || false, told: |_, _| {}, most }
    }

    /// None at all once its end is wanted.
    pub(crate) fn unless(self, is_end_wanted: fn() -> bool) -> Self {
        Self { is_end_wanted, ..self }
    }

    /// With someone who hears of each.
    pub(crate) fn telling(self, told: fn(u64, u64)) -> Self {
        Self { told, ..self }
    }

    /// Whether its end is wanted.
    pub(crate) fn is_over(&self) -> bool {
        (self.is_end_wanted)()
    }

    /// One for an analysis.
    pub(crate) fn take(&mut self) -> Result<(), Spent> {
        if self.taken >= self.until || self.is_over() {
            return Err(Spent);
        }
        self.taken += 1;
        (self.told)(self.taken, self.most);
        Ok(())
    }

    /// What the analysis evaluated.
    pub(crate) fn evaluated(&mut self, terms: u64) {
        self.taken += terms / TERMS;
    }

    /// What is left.
    pub(crate) fn left(&self) -> u64 {
        if self.is_over() { 0 } else { self.until.saturating_sub(self.taken) }
    }

    /// Runs something that may take at most so many of them.
    pub(crate) fn within<T>(&mut self, most: u64, run: impl FnOnce(&mut Self) -> T) -> T {
        let until = self.until;
        self.until = until.min(self.taken.saturating_add(most));
        let result = run(self);
        self.until = until;
        result
    }
}
