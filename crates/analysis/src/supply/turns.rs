//! One member of a supply whose members take turns in a ring.
//!
//! **Model.** Between two visits to a member that stays ready every other one is visited at most
//! once: who leaves and joins comes last. A visit to the member gives it `V`, one to each other at
//! most `O` together, and what joins or has just lost its turn waits for the others first:
//!
//! ```text
//!   window begins                                   done
//!     :    O     |  V  |    O     |  V  |    O     |rest|
//! ```
//!
//! so `time_for(w) = parent(w + O ceil(w / V))`. A window that begins within a visit has a part of
//! `V` more at first.
//!
//! **Assumptions.** 1. The member wants time throughout the window, so it never leaves. 2. Visits
//! are counted in the time of the parent; what comes before all members is taken off the parent.
//!
//! Derived in docs/theory/turns.md; the rule is in docs/model.md, "Turns".
//!
//! Theory: docs/theory/turns.md.

use super::Supply;
use crate::derivation::{Derivation, OfRule};
use crate::ground::NoBound;
use crate::ground::Repetition;
use crate::ground::{Rate, common_multiple};
use vorrang_time::Duration;

/// A share of the turns of another supply.
#[derive(Clone, Copy)]
pub struct Turns<'a> {
    parent: &'a dyn Supply,
    own: Duration,
    others: Duration,
}

impl<'a> Turns<'a> {
    /// `own` at each visit, after visits to others that take at most `others` together.
    ///
    /// # Panics
    /// If a visit takes no time.
    pub fn new(parent: &'a dyn Supply, own: Duration, others: Duration) -> Self {
        assert!(!own.is_zero(), "a visit takes time");
        Self { parent, own, others }
    }

    /// The work of the parent until `work` is done.
    fn in_parent(&self, work: Duration) -> Result<Duration, NoBound> {
        let others = self.others.checked_mul(work.div_ceil(self.own)).ok_or(NoBound::TooLong)?;
        others.checked_add(work).ok_or(NoBound::TooLong)
    }
}

impl Supply for Turns<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        self.parent.time_for(self.in_parent(work)?)
    }

    fn repeats(&self) -> Option<Repetition> {
        let parent = self.parent.repeats()?;
        let round = self.own.checked_add(self.others)?;
        let work = common_multiple(parent.work, round)?;
        let time = parent.time.checked_mul(work.div_floor(parent.work))?;
        Some(Repetition { work: self.own * work.div_floor(round), time })
    }

    fn rate_ceil(&self) -> Rate {
        let round = self.own.checked_add(self.others).unwrap_or(Duration::MAX);
        self.parent.rate_ceil().part_ceil(self.own, round)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(all) = self.in_parent(work) else { return };
        let Self { own, others, .. } = *self;
        to.push(OfRule::Turns { work, visits: work.div_ceil(own), own, others, all });
        to.cite("turns in a ring, docs/theory/turns.md");
        self.parent.derive(all, to);
    }
}
