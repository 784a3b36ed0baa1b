//! Priorities of members whose budgets are given: Audsley's algorithm.
//!
//! **Model.** From the least urgent place up, a member gets a place if it holds there with everything above
//! it that has none yet. Deadline monotonic order is tried first, and where several hold the one with
//! the longest time is taken. Where the condition of the algorithm is not met and it finds none, every order
//! is tried if they are few ([`FEW`]).
//!
//! **Assumptions.** 1. Where an order is said not to exist: what holds at a place depends only on which members are above
//! it, and holds higher up as well (docs/design.md; N. Audsley 1991; R. Davis, A. Burns 2011). Elsewhere
//! (`Order::trust`) one is found, or none is excluded.
//!
//! **Cost.** For n members without inner orders n (n + 1) / 2 analyses, and two.

use crate::judge::{Judgement, Seen, Theorems};
use crate::part::Part;
use crate::steps::{Spent, Steps};
use std::collections::BTreeSet;
use vorrang_model::limits;
use vorrang_model::system::Priority;

/// Orders of one supply that are tried one by one: those of five members.
const FEW: usize = 120;

impl Part {
    /// What the analysis says with the best order there is of what is not fixed; `None`: it does not fit
    /// together.
    pub(crate) fn judge(&mut self, steps: &mut Steps) -> Result<Option<Judgement>, Spent> {
        for order in 0..self.orders.len() {
            self.order_by_deadlines(order);
        }
        let Some(mut seen) = self.analysed(steps)? else { return Ok(None) };
        for order in 0..self.orders.len() {
            if !self.is_inner(order) && !self.holds_in_order(order, &seen) {
                self.arrange(order, steps)?;
                let Some(again) = self.analysed(steps)? else { return Ok(None) };
                seen = again;
            }
        }
        Ok(Some(seen.judgement(&self.nodes)))
    }

    /// Looks for an order in which every member holds; deadline monotonic if there is none.
    fn arrange(&mut self, order: usize, steps: &mut Steps) -> Result<bool, Spent> {
        let members = self.orders[order].members.clone();
        let waiting = self.orders[order].longest_first();
        let mut waiting: Vec<usize> =
            waiting.into_iter().filter(|&place| members[place].is_open()).collect();
        for &place in &waiting {
            let above = u32::try_from(place).expect("few members");
            self.set_priority(&members[place], Priority(limits::PRIORITY + 1 + above));
        }
        let numbers: BTreeSet<Priority> =
            members.iter().flat_map(|member| member.choices.iter().copied()).collect();
        for number in numbers {
            // Those that share a number first; a member with one of its own takes one that is free.
            let mut is_taken = false;
            for has_own in [false, true] {
                let candidates = waiting.clone().into_iter().filter(|&place| {
                    members[place].has_own == has_own && members[place].choices.contains(&number)
                });
                for place in candidates {
                    if has_own && is_taken {
                        break;
                    }
                    let before = self.priority(&members[place]);
                    self.set_priority(&members[place], number);
                    if self.holds_there(order, place, steps)? {
                        waiting.retain(|&other| other != place);
                        is_taken = true;
                    } else {
                        self.set_priority(&members[place], before);
                    }
                }
            }
        }
        if waiting.is_empty() {
            return Ok(true);
        }
        let decides = self.is_decided[order] && self.theorems == Theorems::Monotonic;
        let found = !decides && self.try_each(order, steps)?;
        if !found {
            self.order_by_deadlines(order);
        }
        Ok(found)
    }

    /// Looks for an order in which every member holds, one after the other if they are few.
    fn try_each(&mut self, order: usize, steps: &mut Steps) -> Result<bool, Spent> {
        let all = self.orders[order].all().filter(|all| all.len() <= FEW);
        for priorities in all.unwrap_or_default() {
            self.set_priorities(&priorities);
            let seen = self.analysed(steps)?;
            if seen.is_some_and(|seen| self.holds_in_order(order, &seen)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a member holds where it stands, with some order of what is in it.
    fn holds_there(
        &mut self,
        order: usize,
        place: usize,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        let member = self.orders[order].members[place].member.clone();
        let inner: Vec<usize> =
            (0..self.orders.len()).filter(|&inner| self.stands_in(inner, &member)).collect();
        for &inner in &inner {
            self.order_by_deadlines(inner);
        }
        let Some(seen) = self.analysed(steps)? else { return Ok(false) };
        if seen.holds(&member) || inner.is_empty() {
            return Ok(seen.holds(&member));
        }
        for inner in inner {
            self.arrange(inner, steps)?;
        }
        Ok(self.analysed(steps)?.is_some_and(|seen| seen.holds(&member)))
    }

    fn holds_in_order(&self, order: usize, seen: &Seen) -> bool {
        self.orders[order].members.iter().all(|own| seen.holds(&own.member))
    }

    /// Whether an order is of something that stands in a member of another.
    fn is_inner(&self, order: usize) -> bool {
        let members = self.orders.iter().flat_map(|other| &other.members);
        members.into_iter().any(|own| own.is_open() && self.stands_in(order, &own.member))
    }

    fn order_by_deadlines(&mut self, order: usize) {
        let all = self.orders[order].by_deadlines();
        self.set_priorities(&all);
    }
}
