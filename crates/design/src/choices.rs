//! The choices of periods of one unit, and the least budgets with each as far as they are known.
//!
//! **Model.** A choice has a place: those of a unit stand in a row, longer periods first, of its first server above
//! all. Each begins with the budgets that no design is below ([`crate::layout::Node::least`]); what a try of it shows is
//! kept.
//!
//! **Assumptions.** 1. A budget that was too little alone is too little beside others, and so is a smaller one
//! (`settle.rs`).

use crate::cost::Cost;
use crate::ladder::Ladder;
use crate::part::Part;
use crate::steps::{Spent, Steps};
use std::collections::BTreeMap;
use vorrang_time::Duration;

/// Periods and least budgets of the nodes of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) periods: Vec<Duration>,
    pub(crate) budgets: Vec<Duration>,
    /// What they take at least.
    pub(crate) cost: Cost,
}

/// All of a unit that is alone on its core.
pub(crate) struct Choices {
    pub(crate) solo: Part,
    /// Of each node.
    pub(crate) ladders: Vec<Ladder>,
    /// What is known of choices, by their place, where that is more than what they begin with.
    known: BTreeMap<u64, Choice>,
}

/// What a try of a choice came to.
pub(crate) enum Try {
    Settled,
    /// It takes more than was known.
    Raised,
    /// It holds with no budgets.
    Never,
}

impl Choices {
    pub(crate) fn new(solo: Part) -> Self {
        let ladders = solo.nodes.iter().map(|node| node.periods.clone()).collect();
        Self { solo, ladders, known: BTreeMap::new() }
    }

    /// How many there are; `None`: more than can be counted.
    pub(crate) fn count(&self) -> Option<u64> {
        self.ladders.iter().try_fold(1_u64, |all, own| all.checked_mul(own.len()))
    }

    /// What a try of a choice showed.
    pub(crate) fn known(&self, place: u64) -> Option<&Choice> {
        self.known.get(&place)
    }

    /// Settles a choice; where it would take no less than `next`, one try of the largest budget below that
    /// may be enough to know it.
    pub(crate) fn settle(
        &mut self,
        at: u64,
        least: Duration,
        next: Option<Cost>,
        steps: &mut Steps,
    ) -> Result<Try, Spent> {
        let begun = self.known.get(&at).cloned().or_else(|| self.begun(at, least));
        let begun = begun.expect("it may be chosen");
        self.load(&begun);
        let top = self.solo.top();
        if let Some(next) = next {
            let ladder = self.solo.nodes[top].budgets(self.solo.period(top));
            let first = ladder.least(self.solo.budget(top));
            let mut above = first..ladder.len();
            // The first budget with which it takes `next` or more.
            while !above.is_empty() {
                let middle = above.start + (above.end - above.start) / 2;
                self.solo.set_budget(top, ladder.at(middle));
                if self.solo.cost_of_all() < next {
                    above.start = middle + 1;
                } else {
                    above.end = middle;
                }
            }
            let above = above.start;
            if above > first
                && above < ladder.len()
                && self.solo.lacks(top, ladder.at(above - 1), steps)?
            {
                self.load(&begun);
                self.solo.set_budget(top, ladder.at(above));
                self.known.insert(at, self.solo.choice());
                return Ok(Try::Raised);
            }
            self.load(&begun);
        }
        let holds = self.solo.settle_all(steps)?;
        self.known.insert(at, self.solo.choice());
        Ok(if holds { Try::Settled } else { Try::Never })
    }

    /// The longest periods that are no longer than this, the shortest if there are none; shorter ones where these
    /// leave no budget.
    pub(crate) fn longest_within(&self, most: Duration) -> Option<Choice> {
        let first = |ladder: &Ladder| ladder.len() - ladder.within(most);
        let from = |shorter: u64| {
            let place = |ladder: &Ladder| (first(ladder) + shorter).min(ladder.len() - 1);
            let periods = self.ladders.iter().map(|ladder| ladder.nth_longest(place(ladder)));
            self.of_periods(&periods.collect::<Vec<Duration>>())
        };
        let longest = self.ladders.iter().map(Ladder::len).max()?;
        if self.ladders.iter().any(|ladder| ladder.len() == 0) {
            return None;
        }
        let shorter = (0..).map(|power| (1_u64 << power) - 1);
        shorter.take_while(|shorter| *shorter < 2 * longest).find_map(from)
    }

    /// Of each node the period with so many longer ones, or the shortest.
    pub(crate) fn nth_longest(&self, place: u64) -> Option<Choice> {
        let nth = |ladder: &Ladder| {
            let last = ladder.len().checked_sub(1)?;
            Some(ladder.nth_longest(place.min(last)))
        };
        let periods = self.ladders.iter().map(nth);
        self.of_periods(&periods.collect::<Option<Vec<Duration>>>()?)
    }

    /// What is known of these periods; `None`: nothing holds with them.
    pub(crate) fn of_periods(&self, periods: &[Duration]) -> Option<Choice> {
        let mut place = 0;
        for (ladder, period) in self.ladders.iter().zip(periods) {
            let at = ladder.least(*period);
            if at >= ladder.len() || ladder.at(at) != *period {
                return None;
            }
            place = place * ladder.len() + (ladder.len() - 1 - at);
        }
        self.choice(place)
    }

    /// The periods of one of its nodes.
    pub(crate) fn ladder(&self, node: usize) -> &Ladder {
        &self.ladders[node]
    }

    /// The node that is in no other.
    pub(crate) fn top(&self) -> usize {
        self.solo.top()
    }

    /// What is known of a choice; `None`: no budget is enough.
    pub(crate) fn choice(&self, place: u64) -> Option<Choice> {
        self.known.get(&place).cloned().or_else(|| self.begun(place, Duration::ZERO))
    }

    /// A choice with the budgets that no design is below, of which the first is at least `least`.
    pub(crate) fn begun(&self, place: u64, least: Duration) -> Option<Choice> {
        let mut rest = place;
        let mut periods: Vec<Duration> = Vec::new();
        for ladder in self.ladders.iter().rev() {
            periods.push(ladder.nth_longest(rest % ladder.len()));
            rest /= ladder.len();
        }
        periods.reverse();
        let (mut budgets, mut cost) = (Vec::new(), Cost::ZERO);
        for (node, &period) in periods.iter().enumerate() {
            let of = &self.solo.nodes[node];
            let ladder = of.budgets(period);
            let first = ladder.least(of.least(period).max(least));
            if first >= ladder.len() {
                return None;
            }
            budgets.push(ladder.at(first));
            cost = cost.plus(self.solo.cost_with(node, ladder.at(first), period));
        }
        Some(Choice { periods, budgets, cost })
    }

    fn load(&mut self, choice: &Choice) {
        for (node, (&period, &budget)) in choice.periods.iter().zip(&choice.budgets).enumerate() {
            self.solo.set_period(node, period);
            self.solo.set_budget(node, budget);
        }
    }
}

impl Part {
    /// The only node that is in no other.
    fn top(&self) -> usize {
        let top = self.nodes.iter().position(|node| node.parent.is_none());
        top.expect("a unit has one")
    }

    fn choice(&self) -> Choice {
        let nodes = 0..self.nodes.len();
        Choice {
            periods: nodes.clone().map(|node| self.period(node)).collect(),
            budgets: nodes.map(|node| self.budget(node)).collect(),
            cost: self.cost_of_all(),
        }
    }
}
