//! How often members of a core get it, and how often its scheduler is called, in the first part of a history.
//!
//! **Model.** That of [`super::kernel`]; where members take turns, a turn begins after an event of its member, or after one that was
//! used up.
//!
//! **Assumptions.** Those of [`super::kernel`].
//!
//! Theory: docs/theory/lost-time.md.

use super::caller::Caller;
use super::kernel::Kernel;
use crate::ground::Reason;
use crate::request::Competitor;
use vorrang_model::system::Member;
use vorrang_time::Duration;

impl<'s> Kernel<'s> {
    /// How often a member gets the core after another one.
    pub(crate) fn times_chosen(&self, member: Member, window: Duration) -> Result<u64, Reason> {
        if let Some(reason) = self.uncounted(member) {
            return Err(reason.clone());
        }
        let own = self.caller(Competitor::Member(member));
        // Its pseudo-VCPUs run its context, and the least urgent of them waits for the most.
        let contexts = || self.callers.iter().filter(|caller| caller.is_context_of(own));
        let least = contexts().min_by_key(|caller| caller.urgency).unwrap_or(own);
        let others = self.others_above(least);
        let all = contexts().chain(others).flat_map(Caller::events).chain(own.resumes());
        let events: u64 = all.map(|event| event.in_window(window)).sum();
        Ok(events + used_up(self.quantum.or(own.slice), window))
    }

    /// How often a section gets the core that holds up a member, besides where the member itself is interrupted, and what it loses each
    /// time; none if there is none.
    pub(crate) fn sections_before(
        &self,
        member: Member,
        window: Duration,
    ) -> Option<(u64, Duration)> {
        let own = self.caller(Competitor::Member(member));
        Some((own.times_held_up(window), own.section_loss?))
    }

    /// How often the scheduler is called: each event may begin and end something, and end a section between.
    pub(crate) fn calls_in(&self, window: Duration) -> u64 {
        let calls = |caller: &Caller<'s>| {
            let events: u64 = caller.events().map(|event| event.in_window(window)).sum();
            2 * events + caller.times_held_up(window)
        };
        let slice = self.callers.iter().find_map(|caller| caller.slice);
        self.callers.iter().map(calls).sum::<u64>() + used_up(self.quantum.or(slice), window)
    }
}

/// How many turns, or slices, are used up at most in the first so long of a history.
fn used_up(turn: Option<Duration>, window: Duration) -> u64 {
    turn.map_or(0, |turn| window.div_floor(turn))
}
