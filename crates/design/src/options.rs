//! What one unit takes when it is alone on its core: its choices of periods, the cheapest first.
//!
//! **Model.** For each choice of periods the least budgets are settled with no other unit there; so no
//! design gives it less with these periods. They are found as they are asked for: each choice waits under
//! a cost that it cannot be below (the work required in it, or a budget that was too little), and is
//! settled when that is the least.
//!
//! **Cost.** Memory for each choice of periods, at most [`MOST`]; analyses for those only that are cheap.

use crate::bare::Trust;
use crate::cost::Cost;
use crate::ladder::Ladder;
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
    /// The work that is required, with switching; a bound whatever the analysis.
    work: Option<Cost>,
    /// What a lower bound of what the monotonic theorems accept may rest on.
    trust: Trust,
    /// The same of what all of them accept.
    trust_all: Trust,
}

impl Options {
    /// `None`: there are too many.
    pub(crate) fn new(mut solo: Part, trust: Trust, trust_all: Trust) -> Option<Self> {
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
        let work = choices.iter().map(|choice| choice.cost).min();
        Some(Self { solo, settled: Vec::new(), waiting, choices, work, trust, trust_all })
    }

    /// The cheapest but `place` of those that hold.
    pub(crate) fn get(&mut self, place: usize, steps: &mut Steps) -> Result<Option<Choice>, Spent> {
        while self.settled.len() <= place {
            let Some(Reverse((cost, is_settled, at))) = self.waiting.pop() else { return Ok(None) };
            if is_settled {
                self.settled.push(self.choices[at].clone());
                continue;
            }
            let next = self.waiting.iter().filter(|Reverse((_, is_settled, _))| *is_settled);
            let next = next.map(|Reverse((cost, ..))| *cost).min();
            match self.settle(at, next, steps) {
                Ok(Try::Settled) => self.waiting.push(Reverse((self.choices[at].cost, true, at))),
                Ok(Try::Raised) => self.waiting.push(Reverse((self.choices[at].cost, false, at))),
                Ok(Try::Never) => {}
                Err(spent) => {
                    self.waiting.push(Reverse((cost, false, at)));
                    return Err(spent);
                }
            }
        }
        Ok(self.settled.get(place).cloned())
    }

    /// Settles a choice; where it would take no less than `next`, one try of the largest budget below that
    /// may be enough to know it.
    fn settle(&mut self, at: usize, next: Option<Cost>, steps: &mut Steps) -> Result<Try, Spent> {
        self.load(at);
        let top = self.solo.top();
        if let Some(next) = next.filter(|_| self.solo.nodes.len() > 1) {
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
                self.load(at);
                self.solo.set_budget(top, ladder.at(above));
                self.choices[at] = self.solo.choice();
                return Ok(Try::Raised);
            }
            self.load(at);
        }
        let holds = self.solo.settle_all(steps)?;
        self.choices[at] = self.solo.choice();
        Ok(if holds { Try::Settled } else { Try::Never })
    }

    /// The longest periods that are no longer than this; the shortest if there are none.
    pub(crate) fn longest_within(&self, most: Duration) -> Option<Choice> {
        let fits = |choice: &&Choice| choice.periods.iter().all(|period| *period <= most);
        self.choices.iter().find(fits).or(self.choices.last()).cloned()
    }

    /// Of each node the period with so many longer ones, or the shortest.
    pub(crate) fn nth_longest(&self, place: u64) -> Option<Choice> {
        let nth = |ladder: &Ladder| {
            let last = ladder.len().checked_sub(1)?;
            Some(ladder.at(last.saturating_sub(place)))
        };
        let periods = self.solo.nodes.iter().map(|node| nth(&node.periods));
        self.of_periods(&periods.collect::<Option<Vec<Duration>>>()?)
    }

    /// What is known of these periods; `None`: nothing holds with them.
    pub(crate) fn of_periods(&self, periods: &[Duration]) -> Option<Choice> {
        self.choices.iter().find(|choice| choice.periods == periods).cloned()
    }

    /// The periods of one of its nodes.
    pub(crate) fn ladder(&self, node: usize) -> &Ladder {
        &self.solo.nodes[node].periods
    }

    /// The node that is in no other.
    pub(crate) fn top(&self) -> usize {
        self.solo.top()
    }

    fn load(&mut self, at: usize) {
        let Choice { periods, budgets, .. } = &self.choices[at];
        for (node, (&period, &budget)) in periods.iter().zip(budgets).enumerate() {
            self.solo.set_period(node, period);
            self.solo.set_budget(node, budget);
        }
    }

    /// What the unit takes at least, whatever is chosen, by the monotonic theorems; `None`: nothing that may be
    /// chosen holds.
    pub(crate) fn least(&self) -> Option<Cost> {
        self.least_by(self.trust)
    }

    /// The same by all theorems.
    pub(crate) fn least_of_all(&self) -> Option<Cost> {
        self.least_by(self.trust_all)
    }

    fn least_by(&self, trust: Trust) -> Option<Cost> {
        match trust {
            Trust::Nothing => return Some(Cost::ZERO),
            Trust::Work => return self.work,
            Trust::Alone | Trust::Core => {}
        }
        let settled = self.settled.first().map(|choice| choice.cost);
        let waiting = self.waiting.peek().map(|Reverse((cost, ..))| *cost);
        settled.into_iter().chain(waiting).min()
    }
}

/// What a try of a choice came to.
enum Try {
    Settled,
    /// It takes more than was known.
    Raised,
    /// It holds with no budgets.
    Never,
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
