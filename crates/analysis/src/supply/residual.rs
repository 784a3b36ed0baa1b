//! What more urgent load leaves of a supply.
//!
//! **Model.** `time_for(w)` is the least `x` with `x = parent(w + B + sum ceil((x + J) / T) C)`: in
//! that window the parent provides the work, everything more urgent that can stand before it, and
//! what less urgent was under way and is not interrupted (`B`; mostly nothing).
//!
//! **Own work just before.** A member as urgent as others may have kept them waiting, with work of its
//! own that is not what is asked for, and waits for them now. With `E` of it at most, from `E` before
//! the work is asked for, that is the least `x` with `x + E = parent(E + w + B + sum ceil((x + E + J) / T) C)`.
//!
//! **Assumptions.** 1. Loads are bounded as [`Loads`] says, in windows that start when the level
//! becomes busy. 2. Load and work share the parent's time and nothing else does, but for `B` once
//! in each such window.
//!
//! **Cost.** One evaluation of the parent and of all loads per step of the iteration.
//!
//! Reference: Joseph, Pandya 1986; on a supply: Almeida, Pedreiras 2004; Shin, Lee 2003.
//!
//! Theory: docs/theory/residual.md.

use super::{Placed, Supply};
use crate::demand::Loads;
use crate::derivation::{Derivation, OfSupply};
use crate::ground::Rate;
use crate::ground::Repetition;
use crate::ground::{Effort, NoBound, least_fixed_point};
use vorrang_time::Duration;

/// A supply less the load that comes first.
#[derive(Clone, Copy)]
pub struct Residual<'a> {
    parent: &'a dyn Supply,
    loads: Loads<'a>,
    /// What they take in the long run.
    rate: Rate,
    blocking: Duration,
    earlier: Duration,
    effort: &'a Effort,
}

impl<'a> Residual<'a> {
    /// What `loads` leave of `parent`.
    pub fn new(parent: &'a dyn Supply, loads: Loads<'a>, effort: &'a Effort) -> Self {
        let (rate, none) = (loads.rate_floor(), Duration::ZERO);
        Self { parent, loads, rate, blocking: none, earlier: none, effort }
    }

    /// The same where less urgent work may be under way and is not interrupted for so long.
    #[must_use]
    pub fn blocked(self, blocking: Duration) -> Self {
        Self { blocking, ..self }
    }

    /// The same for who has kept equally urgent ones waiting with so much of its own.
    #[must_use]
    pub fn after_own(self, earlier: Duration) -> Self {
        Self { earlier, ..self }
    }
}

impl Supply for Residual<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        if self.rate > self.parent.rate_ceil() {
            return Err(NoBound::Overload);
        }
        let before = self.blocking.checked_add(self.earlier).ok_or(NoBound::TooLong)?;
        let work = work.checked_add(before).ok_or(NoBound::TooLong)?;
        let start = self.parent.time_for(work)?;
        if self.loads.is_empty() {
            return Ok(self.effort.known(start)? - self.earlier);
        }
        let window = least_fixed_point(self.effort, 1 + self.loads.len(), start, |window| {
            let demand = work.checked_add(self.loads.in_window(window)?).ok_or(NoBound::TooLong)?;
            self.parent.time_for(demand)
        })?;
        Ok(window - self.earlier)
    }

    fn placed(&self) -> Option<Placed<'_>> {
        let parent = self.parent.placed().filter(|_| self.earlier.is_zero())?;
        parent.after(self.loads, self.blocking)
    }

    fn repeats(&self) -> Option<Repetition> {
        self.loads.leave(self.parent.repeats()?)
    }

    fn rate_ceil(&self) -> Rate {
        self.parent.rate_ceil().minus(self.rate)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(window) = self.time_for(work) else { return };
        to.push(OfSupply::Residual { work, window });
        if !self.earlier.is_zero() {
            to.push(OfSupply::Earlier(self.earlier));
        }
        to.indented(|to| to.blocking(self.blocking));
        let before = self.blocking + self.earlier;
        let demand = to.terms(work + before, self.loads, window + self.earlier);
        self.parent.derive(demand, to);
    }

    fn derive_load(&self, window: Duration, to: &mut Derivation) {
        to.indented(|to| to.blocking(self.blocking));
        // More than can be counted has no terms.
        if self.loads.in_window(window).is_ok() {
            to.terms(Duration::ZERO, self.loads, window);
        }
        self.parent.derive_load(window, to);
    }
}
