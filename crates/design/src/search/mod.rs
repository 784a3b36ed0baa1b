//! The periods of the servers of one core: branch and bound.
//!
//! **Model.** Units join one after the other, the most urgent first. A node of the tree has chosen the
//! periods of the first few; their budgets are settled with the others away. It takes at least what
//! these take, and what each of the others takes at least alone ([`crate::options`]); where that is no
//! less than the best design so far it is left. Choices are tried from the cheapest on, so the first
//! design that is found is a good one.
//!
//! **Assumptions.**
//! 1. Of a branch that is left, and of the bound: a unit takes at least what it takes alone, and with the units before it
//!    at least what these take without it ([`crate::bare`]). By all theorems that is not so, and nothing is said of what
//!    was left.
//!
//! **Guaranteed.** If the search was closed on a core for which the assumptions of [`crate::settle`] hold
//! ([`Trust::Core`]), the best is the least, and where there is none there is no design.

use crate::bare::Trust;
use crate::choices::Choice;
use crate::cost::Cost;
use crate::judge::Theorems;
use crate::options::Options;
use crate::part::Part;
use crate::steps::{Spent, Steps};
use vorrang_model::Chosen;
use vorrang_time::Duration;

/// One core, with its units.
pub(crate) struct Core {
    /// Of each unit, alone.
    pub(crate) options: Vec<Options>,
    /// The nodes of each unit by their places in the parts that hold it.
    pub(crate) places: Vec<Vec<Vec<usize>>>,
    /// The first unit, the first two, and so on.
    pub(crate) parts: Vec<Part>,
    /// The outermost server of each unit.
    pub(crate) names: Vec<String>,
    pub(crate) trust: Trust,
    /// Whether all theorems may accept more than the monotonic ones.
    pub(crate) differs: bool,
    pub(crate) theorems: Theorems,
    /// Whether budgets above the least are tried: where a first search without finds nothing, and more may
    /// help.
    pub(crate) climbs: bool,
}

/// What is known about the designs of a core.
pub(crate) struct Found {
    /// The cheapest that was found.
    pub(crate) best: Option<Best>,
    /// What every design takes at least; `None`: there is none.
    pub(crate) least: Option<Cost>,
    /// The same of those that the monotonic theorems accept.
    pub(crate) least_monotonic: Option<Cost>,
}

pub(crate) struct Best {
    pub(crate) cost: Cost,
    pub(crate) chosen: Vec<(usize, Chosen)>,
}

impl Found {
    /// Whether nothing better can be found.
    pub(crate) fn is_closed(&self) -> bool {
        match (&self.best, self.least) {
            (_, None) => true,
            (best, Some(least)) => best.as_ref().is_some_and(|best| best.cost <= least),
        }
    }
}

impl Core {
    pub(crate) fn search(&mut self, steps: &mut Steps) -> Found {
        self.search_below(None, steps)
    }

    /// The same for what takes less than a design that is known.
    pub(crate) fn search_below(&mut self, mut best: Option<Best>, steps: &mut Steps) -> Found {
        let mut closed = self.descend(0, Cost::ZERO, &[], &mut best, steps).is_ok();
        if closed && best.is_none() && self.may_climb() {
            self.climbs = true;
            closed = self.descend(0, Cost::ZERO, &[], &mut best, steps).is_ok();
        }
        let mut least_monotonic = self.sum(Options::least);
        if closed && self.trust == Trust::Core {
            least_monotonic = best.as_ref().map(|best| best.cost);
        }
        let least = if self.differs { self.sum(Options::least_of_all) } else { least_monotonic };
        Found { best, least, least_monotonic }
    }

    /// What all units take at least; `None`: nothing holds for one of them.
    fn sum(&self, least: fn(&Options) -> Option<Cost>) -> Option<Cost> {
        let least = self.options.iter().map(least).collect::<Option<Vec<Cost>>>();
        least.map(|costs| costs.into_iter().fold(Cost::ZERO, Cost::plus))
    }

    /// Whether larger budgets than the least may hold where those do not.
    fn may_climb(&self) -> bool {
        self.trust != Trust::Core || self.theorems == Theorems::All
    }

    /// Tries the choices of unit `unit` and of all behind it; those before it take `before`, with these
    /// periods and budgets.
    fn descend(
        &mut self,
        unit: usize,
        before: Cost,
        chosen: &[(Duration, Duration)],
        best: &mut Option<Best>,
        steps: &mut Steps,
    ) -> Result<(), Spent> {
        for place in 0.. {
            let rest = self.options[unit + 1..].iter().map(Options::least);
            // Nothing holds for one that comes later.
            let Some(rest) = rest.collect::<Option<Vec<Cost>>>() else { return Ok(()) };
            let rest = rest.into_iter().fold(Cost::ZERO, Cost::plus);
            let worse = |cost: Cost| best.as_ref().is_some_and(|best| best.cost <= cost);
            let is_useless = |cost: Cost| worse(before.plus(cost).plus(rest));
            let choice = self.options[unit].get(place, is_useless, steps)?;
            let Some(choice) = choice else { return Ok(()) };
            if !self.join(unit, chosen, &choice, steps)? {
                continue;
            }
            let cost = self.parts[unit].cost_of_all();
            if worse(cost.plus(rest)) {
                continue;
            }
            if unit + 1 == self.options.len() {
                *best = Some(Best { cost, chosen: self.parts[unit].all_chosen() });
            } else {
                let settled = self.settled(unit);
                self.descend(unit + 1, cost, &settled, best, steps)?;
            }
        }
        Ok(())
    }

    /// Settles a unit beside those before it, which begin with these periods and budgets; whether all holds.
    pub(crate) fn join(
        &mut self,
        unit: usize,
        before: &[(Duration, Duration)],
        choice: &Choice,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        let part = &mut self.parts[unit];
        let own = choice.periods.iter().copied().zip(choice.budgets.iter().copied());
        let all = before.iter().copied().chain(own);
        for (&node, (period, budget)) in self.places[unit].iter().flatten().zip(all) {
            part.set_period(node, period);
            part.set_budget(node, budget);
        }
        if part.settle_all(steps)? {
            return Ok(true);
        }
        if !self.climbs {
            return Ok(false);
        }
        let own = &self.places[unit][unit];
        let top = own.iter().find(|&&node| part.nodes[node].parent.is_none());
        part.climb(*top.expect("a unit has one"), steps)
    }

    /// Periods and budgets of the first units, up to this one, as they are settled.
    pub(crate) fn settled(&self, unit: usize) -> Vec<(Duration, Duration)> {
        let part = &self.parts[unit];
        let nodes = self.places[unit].iter().flatten();
        nodes.map(|&node| (part.period(node), part.budget(node))).collect()
    }
}

#[cfg(test)]
mod tests;
