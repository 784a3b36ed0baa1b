//! What takes less than a design that was found, looked at one by one.
//!
//! **Model.** By all theorems a larger budget of one server may help another, so no search that raises budgets
//! is exact. First each budget alone is lowered as far as that goes by halving. Then, where all choices
//! of periods, budgets and inner orders that take less than the best, and no less than every server needs
//! ([`crate::needed`]), are no more than the analyses that are left, each of them is looked at, the cheapest first.
//!
//! **Guaranteed.** If it is closed, nothing that may be chosen on the core, with what is fixed there, is accepted
//! and takes less.
//!
//! **Assumptions.** 1. What the analysis accepts is so: then no budget below what a server needs is accepted. Nothing is
//! assumed of how bounds depend on budgets.

use crate::cost::Cost;
use crate::enumeration;
use crate::order::Priorities;
use crate::part::Part;
use crate::search::Best;
use crate::steps::{Spent, Steps};
use vorrang_time::Duration;

/// Orders inside servers that are tried for each choice.
const FEW: usize = 120;
/// Choices that are held in memory.
const MOST: u64 = 1_000_000;

/// Periods and budgets of all nodes, and what they take.
type Choice = (Cost, Vec<(Duration, Duration)>);

impl Part {
    /// Looks for what takes less than the best; and whether there is nothing that does.
    pub(crate) fn close(&mut self, best: Option<Best>, steps: &mut Steps) -> (Option<Best>, bool) {
        let Some(orders) = enumeration::all(&self.orders).filter(|all| all.len() <= FEW) else {
            return (best, false);
        };
        let most = (steps.left() / orders.len() as u64).min(MOST);
        let than = best.as_ref().map(|best| best.cost);
        let Some(choices) = Cheaper { part: self, than, most }.all() else { return (best, false) };
        match self.first_of(&choices, &orders, steps) {
            Ok(found) => (found.or(best), true),
            Err(Spent) => (best, false),
        }
    }

    fn first_of(
        &mut self,
        choices: &[Choice],
        orders: &[Priorities],
        steps: &mut Steps,
    ) -> Result<Option<Best>, Spent> {
        for (cost, values) in choices {
            self.set_all(values);
            for order in orders {
                self.set_priorities(order);
                let seen = self.analysed(steps)?;
                if seen.is_some_and(|seen| seen.judgement(&self.nodes).holds()) {
                    return Ok(Some(Best { cost: *cost, chosen: self.all_chosen() }));
                }
            }
        }
        Ok(None)
    }

    /// Lowers one budget after the other of a design as far as it is accepted.
    pub(crate) fn lowered(&mut self, mut best: Best, steps: &mut Steps) -> Best {
        loop {
            // A smaller budget inside costs nothing less by itself, and the one around it may be smaller then.
            let before = best.chosen.clone();
            for node in 0..self.nodes.len() {
                self.choose(&best.chosen);
                // What was found until the analyses are used up stays.
                let _ = self.lower(node, &mut best, steps);
            }
            if best.chosen == before {
                return best;
            }
        }
    }

    fn lower(&mut self, node: usize, best: &mut Best, steps: &mut Steps) -> Result<(), Spent> {
        let ladder = self.nodes[node].budgets(self.period(node));
        let mut enough = ladder.least(self.budget(node));
        let mut least = ladder.least(self.nodes[node].least(self.period(node)));
        while least < enough {
            let middle = least.midpoint(enough);
            self.set_budget(node, ladder.at(middle));
            if self.judge(steps)?.is_some_and(|judged| judged.holds()) {
                *best = Best { cost: self.cost_of_all(), chosen: self.all_chosen() };
                enough = middle;
            } else {
                least = middle + 1;
            }
        }
        Ok(())
    }

    fn set_all(&mut self, values: &[(Duration, Duration)]) {
        for (node, &(period, budget)) in values.iter().enumerate() {
            self.set_period(node, period);
            self.set_budget(node, budget);
        }
    }
}

/// The choices that take less than something.
struct Cheaper<'a> {
    part: &'a mut Part,
    than: Option<Cost>,
    most: u64,
}

impl Cheaper<'_> {
    /// The cheapest first; `None`: too many.
    fn all(mut self) -> Option<Vec<Choice>> {
        let nodes = 0..self.part.nodes.len();
        let least: Option<Vec<Cost>> = nodes.map(|node| self.cheapest(node)).collect();
        // Nothing may be chosen for one of them.
        let Some(least) = least else { return Some(Vec::new()) };
        let mut rest = vec![Cost::ZERO];
        for own in least.into_iter().rev() {
            rest.push(own.plus(rest[rest.len() - 1]));
        }
        rest.reverse();
        let mut found = Vec::new();
        self.extend((Cost::ZERO, Vec::new()), &rest[1..], &mut found)?;
        found.sort_by_key(|(cost, _)| *cost);
        Some(found)
    }

    /// What a node takes at least.
    fn cheapest(&mut self, node: usize) -> Option<Cost> {
        let periods = self.part.nodes[node].periods.clone();
        let costs = periods.downwards().filter_map(|period| {
            let of = self.part.nodes[node].budgets(period);
            let first = of.least(self.part.nodes[node].least(period));
            (first < of.len()).then(|| self.cost(node, period, of.at(first)))
        });
        costs.min()
    }

    fn cost(&mut self, node: usize, period: Duration, budget: Duration) -> Cost {
        self.part.set_period(node, period);
        self.part.set_budget(node, budget);
        self.part.cost(node)
    }

    /// Everything that begins so, and takes no less than `rest` for the nodes that are not chosen yet.
    fn extend(&mut self, begun: Choice, rest: &[Cost], found: &mut Vec<Choice>) -> Option<()> {
        let (before, values) = begun;
        let node = values.len();
        let Some((after, further)) = rest.split_first() else {
            found.push((before, values));
            return (found.len() as u64 <= self.most).then_some(());
        };
        let periods = self.part.nodes[node].periods.clone();
        for period in periods.downwards() {
            let of = self.part.nodes[node].budgets(period);
            for at in of.least(self.part.nodes[node].least(period))..of.len() {
                let budget = of.at(at);
                let cost = before.plus(self.cost(node, period, budget));
                if self.than.is_some_and(|than| cost.plus(*after) >= than) {
                    break;
                }
                let longer = [&values[..], &[(period, budget)]].concat();
                self.extend((cost, longer), further, found)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
