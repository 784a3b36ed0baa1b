//! The count of analyses that makes a search end, the same on every machine.

/// Analyses that were made and may still be made.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) taken: u64,
    /// The search ends here.
    until: u64,
    /// Whether nobody waits for it any more.
    is_end_wanted: fn() -> bool,
}

/// No more analyses may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

impl Steps {
    pub(crate) fn new(most: u64) -> Self {
        Self { taken: 0, until: most, is_end_wanted: || false }
    }

    /// None at all once its end is wanted.
    pub(crate) fn unless(self, is_end_wanted: fn() -> bool) -> Self {
        Self { is_end_wanted, ..self }
    }

    /// One analysis.
    pub(crate) fn take(&mut self) -> Result<(), Spent> {
        if self.taken >= self.until || (self.is_end_wanted)() {
            return Err(Spent);
        }
        self.taken += 1;
        Ok(())
    }

    /// What is left.
    pub(crate) fn left(&self) -> u64 {
        self.until - self.taken
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
