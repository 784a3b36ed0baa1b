//! A server that keeps its budget, from the begin of a period on.
//!
//! Theory: docs/theory/idle-start.md.

use super::Parent;
use crate::derivation::{Derivation, OfSupply};
use crate::ground::NoBound;
use crate::ground::Source;
use vorrang_time::Duration;

/// A server that keeps its budget.
#[derive(Clone, Copy)]
pub struct Kept<'a> {
    /// The task or server that keeps it.
    pub of: Source,
    /// What its parent provides to it.
    pub parent: &'a dyn Parent,
    /// What it has in each period.
    pub budget: Duration,
    /// Its period.
    pub period: Duration,
    /// Whether a whole budget returns at fixed instants, also while another is used.
    pub is_deferrable: bool,
}

impl Kept<'_> {
    /// How long whole periods take before the rest of the work, from the begin of one on, and the rest.
    ///
    /// # Errors
    /// [`NoBound::TooLong`].
    fn split(&self, work: Duration) -> Result<(Duration, Duration), NoBound> {
        let whole = work.div_ceil(self.budget).saturating_sub(1);
        let waits = self.period.checked_mul(whole).ok_or(NoBound::TooLong)?;
        Ok((waits, work - self.budget * whole))
    }

    /// How long work takes from then on.
    ///
    /// # Errors
    /// Why there is no such time.
    pub(super) fn whole_from(&self, work: Duration) -> Result<Duration, NoBound> {
        let (waits, rest) = self.split(work)?;
        waits.checked_add(self.parent.in_period(rest)?).ok_or(NoBound::TooLong)
    }

    /// How that comes about.
    pub(super) fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok((waits, rest)) = self.split(work) else { return };
        if !waits.is_zero() {
            let Self { budget, period, .. } = *self;
            to.push(OfSupply::WholePeriods { budget, period, waits, rest });
        }
        let Ok(time) = self.parent.in_period(rest) else { return };
        self.parent.derive(rest, time, to);
    }
}
