//! What one unit takes when it is alone on its core: its choices of periods, the cheapest first.
//!
//! **Model.** For each choice of periods the least budgets are settled with no other unit there; so no
//! design gives it less with these periods. They are found as they are asked for: each choice waits under
//! a cost that it cannot be below (the work required in it), and is settled when that is the least.
//!
//! **Cost.** Memory for each choice of periods, at most [`MOST`]; analyses for those only that are cheap.

use crate::cost::Cost;
use crate::part::Part;
use crate::steps::{Spent, Steps};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use vorrang_time::Duration;

/// Choices of periods of one unit.
const MOST: u64 = 1_000_000;

/// Periods and least budgets of the nodes of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) periods: Vec<Duration>,
    pub(crate) budgets: Vec<Duration>,
    /// What they take at least.
    pub(crate) cost: Cost,
}

pub(crate) struct Options {
    solo: Part,
    /// Settled, the cheapest first.
    settled: Vec<Choice>,
    /// By cost; whether it is settled; by place in `choices`, where longer periods come first.
    waiting: BinaryHeap<Reverse<(Cost, bool, usize)>>,
    choices: Vec<Choice>,
}

impl Options {
    /// `None`: there are too many.
    pub(crate) fn new(mut solo: Part) -> Option<Self> {
        let ladders: Vec<_> = solo.nodes.iter().map(|node| node.periods.clone()).collect();
        let count = ladders.iter().try_fold(1_u64, |all, own| all.checked_mul(own.len()));
        count.filter(|count| *count <= MOST)?;
        let mut choices: Vec<Choice> = Vec::new();
        let mut all = vec![Vec::new()];
        for ladder in &ladders {
            let longer = |periods: &Vec<Duration>| {
                let periods = periods.clone();
                ladder.downwards().map(move |period| [&periods[..], &[period]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        for periods in all {
            periods.iter().enumerate().for_each(|(node, &period)| solo.set_period(node, period));
            let tops = (0..solo.nodes.len()).filter(|&node| solo.nodes[node].parent.is_none());
            if tops.collect::<Vec<_>>().into_iter().all(|node| solo.begin(node)) {
                choices.push(Choice { periods, ..solo.choice() });
            }
        }
        let waiting = choices.iter().enumerate();
        let waiting = waiting.map(|(at, choice)| Reverse((choice.cost, false, at))).collect();
        Some(Self { solo, settled: Vec::new(), waiting, choices })
    }

    /// The cheapest but `place` of those that hold.
    pub(crate) fn get(&mut self, place: usize, steps: &mut Steps) -> Result<Option<Choice>, Spent> {
        while self.settled.len() <= place {
            let Some(Reverse((cost, is_settled, at))) = self.waiting.pop() else { return Ok(None) };
            if is_settled {
                self.settled.push(self.choices[at].clone());
                continue;
            }
            let settled = self.settle(at, steps);
            match settled {
                Ok(true) => self.waiting.push(Reverse((self.choices[at].cost, true, at))),
                Ok(false) => {}
                Err(spent) => {
                    self.waiting.push(Reverse((cost, false, at)));
                    return Err(spent);
                }
            }
        }
        Ok(self.settled.get(place).cloned())
    }

    fn settle(&mut self, at: usize, steps: &mut Steps) -> Result<bool, Spent> {
        let Choice { periods, budgets, .. } = &self.choices[at];
        for (node, (&period, &budget)) in periods.iter().zip(budgets).enumerate() {
            self.solo.set_period(node, period);
            self.solo.set_budget(node, budget);
        }
        let holds = self.solo.settle_all(steps)?;
        self.choices[at] = self.solo.choice();
        Ok(holds)
    }

    /// What the unit takes at least, whatever is chosen; `None`: nothing that may be chosen holds.
    pub(crate) fn least(&self) -> Option<Cost> {
        let settled = self.settled.first().map(|choice| choice.cost);
        let waiting = self.waiting.peek().map(|Reverse((cost, ..))| *cost);
        settled.into_iter().chain(waiting).min()
    }
}

impl Part {
    fn choice(&self) -> Choice {
        let nodes = 0..self.nodes.len();
        Choice {
            periods: nodes.clone().map(|node| self.period(node)).collect(),
            budgets: nodes.map(|node| self.budget(node)).collect(),
            cost: self.cost_of_all(),
        }
    }
}
