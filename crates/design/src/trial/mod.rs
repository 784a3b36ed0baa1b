//! One choice of periods for the units of a core, settled, and others next to it.
//!
//! **Model.** Units are settled one after the other, the most urgent first, each with those before it
//! ([`Core`]). At first each has the periods with which it takes least alone; where that does not hold, the second
//! longest of its own, the third and the fourth; then the more urgent the shorter, from the longest that may be chosen down to the shortest, in several gradients. Then
//! one period is changed at a time, to the next of those that are considered, or by four of them, sixteen and so
//! on. What was settled before a unit that changes stays.
//!
//! **Assumptions.** 1. None: what is found is accepted by the analysis, and nothing is said of what is not.

use crate::choices::Choice;
use crate::cost::Cost;
use crate::judge::Theorems;
use crate::ladder::Ladder;
use crate::options::Options;
use crate::search::{Best, Core};
use crate::steps::{Spent, Steps};
use std::collections::BTreeSet;
use vorrang_time::Duration;

/// Times that a common period is halved.
const HALVINGS: u32 = 24;
/// How many of the periods of each unit are longer than those that are tried before common ones.
const SHORTER: [u64; 3] = [1, 2, 3];
/// The gradients that are tried first, as powers of two between the shortest and the longest period.
const FIRST: [usize; 3] = [2, 1, 3];

/// In what two cores differ besides the periods, by the names of their units.
#[derive(Default)]
pub(crate) struct Changed {
    /// Those of which something is another, perhaps only how urgent they are.
    pub(crate) moved: BTreeSet<String>,
    /// Of these, those that are others alone, too.
    pub(crate) inside: BTreeSet<String>,
    /// Whether something differs that is in no unit.
    pub(crate) is_beside: bool,
}

/// A core on which everything but budgets and periods is fixed, and the best that was found there.
pub(crate) struct Trial {
    pub(crate) core: Core,
    /// Of each unit, the periods that it has, and with them what it takes alone as far as that is known.
    choices: Vec<Choice>,
    /// After each unit, periods and budgets of all up to it.
    settled: Vec<Vec<(Duration, Duration)>>,
    pub(crate) best: Option<Best>,
}

impl Trial {
    pub(crate) fn new(core: Core) -> Self {
        Self { core, choices: Vec::new(), settled: Vec::new(), best: None }
    }

    /// Looks for a first design.
    pub(crate) fn first(&mut self, steps: &mut Steps) -> Result<bool, Spent> {
        let half = steps.left() / 2;
        let options = &mut self.core.options;
        match steps.within(half, |steps| alone(options, steps)) {
            Ok(None) => return Ok(false),
            Ok(Some(alone)) => {
                if self.adopt(0, alone, steps)? {
                    return Ok(true);
                }
            }
            // There are too few analyses to know what each takes alone.
            Err(Spent) => {}
        }
        for place in SHORTER {
            let shorter =
                self.core.options.iter().map(|options| options.choices.nth_longest(place));
            let Some(shorter) = shorter.collect::<Option<Vec<Choice>>>() else { return Ok(false) };
            self.adopt(0, shorter, steps)?;
        }
        for lengths in self.graded() {
            let options = self.core.options.iter().zip(lengths);
            let within: Option<Vec<Choice>> =
                options.map(|(options, length)| options.choices.longest_within(length)).collect();
            let Some(within) = within else { return Ok(false) };
            self.adopt(0, within, steps)?;
        }
        Ok(self.best.is_some())
    }

    /// Looks for a design with the periods of another trial that takes less than that.
    pub(crate) fn resume(
        &mut self,
        other: &Self,
        changed: &Changed,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        let Some(best) = &other.best else { return Ok(false) };
        let mut choices = Vec::new();
        for (options, name) in self.core.options.iter().zip(&self.core.names) {
            let place = other.core.names.iter().position(|own| own == name);
            let own = &other.choices[place.expect("the same units stand there")];
            let own = if changed.inside.contains(name) {
                options.choices.of_periods(&own.periods)
            } else {
                Some(own.clone())
            };
            let Some(own) = own else { return Ok(false) };
            choices.push(own);
        }
        let names = self.core.names.iter().zip(&other.core.names);
        let same = names.take_while(|(own, of)| own == of && !changed.moved.contains(*own)).count();
        // The last is settled in any case: with it all is.
        let same = if changed.is_beside { 0 } else { same.min(choices.len() - 1) };
        self.settled = other.settled[..same].to_vec();
        self.best = Some(Best { cost: best.cost, chosen: Vec::new() });
        self.adopt(same, choices, steps)
    }

    /// Changes one period after the other where that takes less; whether any did.
    pub(crate) fn improve(&mut self, steps: &mut Steps) -> Result<bool, Spent> {
        let mut is_better = false;
        for unit in 0..self.choices.len() {
            let nodes = self.choices[unit].periods.len();
            for node in 0..nodes {
                while self.improve_period(unit, node, steps)? {
                    is_better = true;
                }
            }
        }
        Ok(is_better)
    }

    /// The best that was found, each of its budgets lowered as far as all theorems accept it.
    pub(crate) fn lowered(&mut self, steps: &mut Steps) -> Option<Best> {
        let best = self.best.take()?;
        let last = self.core.parts.last_mut().filter(|_| self.core.differs);
        let Some(part) = last else { return Some(best) };
        part.theorems = Theorems::All;
        Some(part.lowered(best, steps))
    }

    fn improve_period(
        &mut self,
        unit: usize,
        node: usize,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        let options = &self.core.options[unit];
        let now = &self.choices[unit].periods;
        let others: Vec<Choice> = near(options.choices.ladder(node), now[node])
            .filter_map(|period| {
                let mut periods = now.clone();
                periods[node] = period;
                options.choices.of_periods(&periods)
            })
            .collect();
        for other in others {
            let mut choices = self.choices.clone();
            choices[unit] = other;
            if self.adopt(unit, choices, steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Settles the units from `from` on, those before it as they are; what comes of it is kept if it takes less
    /// than the best so far.
    fn adopt(
        &mut self,
        from: usize,
        choices: Vec<Choice>,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        let mut settled = self.settled[..from].to_vec();
        let mut cost = Cost::ZERO;
        for unit in from..choices.len() {
            let before = settled.last().map_or(&[][..], |of| &of[..]);
            if !self.core.join(unit, before, &choices[unit], steps)? {
                return Ok(false);
            }
            let part = &self.core.parts[unit];
            cost = part.cost_of_all();
            let rest = choices[unit + 1..].iter().map(|choice| choice.cost);
            let least = rest.fold(cost, Cost::plus);
            if self.best.as_ref().is_some_and(|best| best.cost <= least) {
                return Ok(false);
            }
            settled.push(self.core.settled(unit));
        }
        let Some(last) = self.core.parts.last() else { return Ok(false) };
        self.best = Some(Best { cost, chosen: last.all_chosen() });
        (self.choices, self.settled) = (choices, settled);
        Ok(true)
    }

    /// Lengths that the periods of the units may have, the first to be tried first: the more urgent the
    /// shorter, evenly as powers of two.
    fn graded(&self) -> Vec<Vec<Duration>> {
        let ladders =
            self.core.options.iter().map(|options| options.choices.ladder(options.choices.top()));
        let ends: Vec<(Duration, Duration)> = ladders
            .filter(|ladder| ladder.len() > 0)
            .map(|ladder| (ladder.at(0), ladder.at(ladder.len() - 1)))
            .collect();
        let shortest = ends.iter().map(|(shortest, _)| *shortest).min();
        let longest = ends.iter().map(|(_, longest)| *longest).max();
        let Some((shortest, longest)) = shortest.zip(longest) else { return Vec::new() };
        let halved = (0..HALVINGS).map(|times| Duration::from_ns(longest.as_ns() >> times));
        let all: Vec<Duration> = halved.take_while(|length| *length >= shortest).collect();
        let last = self.core.options.len() - 1;
        let of = |long: usize, short: usize| {
            let length = |unit: usize| all[short - (short - long) * unit / last.max(1)];
            (0..=last).map(length).collect()
        };
        let apart = |width: usize| {
            let middle = (all.len() - width) / 2;
            let firsts = (middle..all.len() - width).chain((0..middle).rev());
            firsts.map(move |long| (long, long + width))
        };
        // Of few analyses most are left where designs are found most often.
        let first = FIRST.into_iter().filter(|width| *width < all.len());
        let widths = first.chain((0..all.len()).filter(|width| !FIRST.contains(width)));
        widths.flat_map(apart).map(|(long, short)| of(long, short)).collect()
    }
}

/// The periods with which each unit takes least alone; `None`: nothing holds for one of them.
fn alone(options: &mut [Options], steps: &mut Steps) -> Result<Option<Vec<Choice>>, Spent> {
    options.iter_mut().map(|options| options.get(0, |_| false, steps)).collect()
}

/// Other periods of a ladder, the farthest first.
fn near(ladder: &Ladder, now: Duration) -> impl Iterator<Item = Duration> {
    let at = ladder.least(now);
    let strides = (0..).map(|power| 4_u64.saturating_pow(power));
    let strides: Vec<u64> = strides.take_while(|stride| *stride < ladder.len()).collect();
    let both = strides.into_iter().rev().flat_map(move |stride| {
        [at.checked_sub(stride), at.checked_add(stride)].into_iter().flatten()
    });
    let len = ladder.len();
    let all: Vec<Duration> =
        both.filter(|other| *other < len).map(|other| ladder.at(other)).collect();
    all.into_iter()
}

#[cfg(test)]
mod tests;
