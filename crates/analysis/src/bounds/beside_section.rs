//! What counts beside a section that blocks a member.
//!
//! Theory: docs/theory/work-in-servers.md.

use super::Fold;
use crate::demand::Load;
use crate::request::{Competitor, Ranked};
use std::borrow::Cow;
use vorrang_model::system::Member;

impl Fold<'_> {
    /// What is at least as urgent as a member, where a section may hold that up: it delays equally urgent servers as well,
    /// and what is in those that state a shorter one may then be complete later than bounded, so they count with their budgets.
    pub(super) fn valid_beside_section<'l, 'a>(
        &self,
        (member, ranked, place): (Member, &[Ranked<'_>], usize),
        loads: &'l [Load<'a>],
        first: usize,
    ) -> Cow<'l, [Load<'a>]> {
        let section = self.system.blocking(member);
        let is_delayed_more = |other: &Ranked<'_>| match other.who {
            Competitor::Member(member) => self.system.blocking(member) < section,
            Competitor::PseudoVcpu(_) => false,
        };
        let mut valid = Cow::Borrowed(loads);
        for (at, other) in ranked[..place].iter().enumerate().rev() {
            if other.rank != ranked[place].rank {
                break;
            }
            if loads[first + at].used_by.is_some() && is_delayed_more(other) {
                valid.to_mut()[first + at] = loads[first + at].by_budgets();
            }
        }
        valid
    }
}
