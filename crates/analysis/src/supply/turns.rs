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
//! Where the machine takes time, each round takes `M` more for switches and ends of turns, and for the work that a cold cache keeps a
//! visit from doing; a window that begins within a visit takes `F` more. `V` is then the work of a visit.
//!
//! **Assumptions.** 1. The member wants time throughout the window, so it never leaves. 2. Visits
//! are counted in the time of the parent; what comes before all members is taken off the parent.
//!
//! In cycles of virtual-time round-robin the same holds with the turns of a cycle for a visit, and the cycle before the first
//! that begins in the window comes at first.
//!
//! Derived in docs/theory/turns.md and docs/theory/cycles.md; the rules are in docs/model.md, "Turns".
//!
//! Theory: docs/theory/turns.md, docs/theory/cycles.md.

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
    machine: OfMachine,
    cite: &'static str,
}

/// What the machine takes of turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfMachine {
    /// In each round.
    pub round: Duration,
    /// Of the visit within which a window begins.
    pub at_first: Duration,
}

impl<'a> Turns<'a> {
    /// `own` at each visit, after visits to others that take at most `others` together.
    ///
    /// # Panics
    /// If a visit takes no time.
    pub fn new(parent: &'a dyn Supply, own: Duration, others: Duration) -> Self {
        assert!(!own.is_zero(), "a visit takes time");
        let cite = "turns in a ring, docs/theory/turns.md";
        Self { parent, own, others, machine: OfMachine::default(), cite }
    }

    /// `own` in each cycle, in which others take at most `others` together, and `before` the first that begins in a window.
    ///
    /// # Panics
    /// If a cycle gives no time.
    pub fn in_cycles(
        parent: &'a dyn Supply,
        own: Duration,
        others: Duration,
        before: Duration,
    ) -> Self {
        let machine = OfMachine { round: Duration::ZERO, at_first: before };
        let cite = "turns in cycles, docs/theory/cycles.md";
        Self { machine, cite, ..Self::new(parent, own, others) }
    }

    /// The same where the machine takes so much of them.
    #[must_use]
    pub const fn beside(self, machine: OfMachine) -> Self {
        Self { machine, ..self }
    }

    /// A visit to each other, and what the machine takes in a round; `None` out of range.
    fn around(&self) -> Option<Duration> {
        self.others.checked_add(self.machine.round)
    }

    /// The work of the parent until `work` is done.
    fn in_parent(&self, work: Duration) -> Result<Duration, NoBound> {
        let around = self.around().and_then(|around| around.checked_mul(work.div_ceil(self.own)));
        let all = around.and_then(|around| around.checked_add(work));
        all.and_then(|all| all.checked_add(self.machine.at_first)).ok_or(NoBound::TooLong)
    }
}

impl Supply for Turns<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        self.parent.time_for(self.in_parent(work)?)
    }

    fn repeats(&self) -> Option<Repetition> {
        let parent = self.parent.repeats()?;
        let round = self.own.checked_add(self.around()?)?;
        let work = common_multiple(parent.work, round)?;
        let time = parent.time.checked_mul(work.div_floor(parent.work))?;
        Some(Repetition { work: self.own * work.div_floor(round), time })
    }

    fn rate_ceil(&self) -> Rate {
        let round = self.around().and_then(|around| around.checked_add(self.own));
        let round = round.unwrap_or(Duration::MAX);
        self.parent.rate_ceil().part_ceil(self.own, round)
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(all) = self.in_parent(work) else { return };
        let Self { own, others, machine, cite, .. } = *self;
        let visits = work.div_ceil(own);
        let OfMachine { round, at_first } = machine;
        to.push(OfRule::Turns { work, visits, own, others, round, at_first, all });
        to.cite(cite);
        self.parent.derive(all, to);
    }
}
