//! What one unit takes when it is alone on its core: its choices of periods, the cheapest first.
//!
//! **Model.** For each choice of periods the least budgets are settled with no other unit there; so no
//! design gives it less with these periods. They are found as they are asked for: each choice waits under
//! a cost that it cannot be below (the work required in it, or a budget that was too little), and is
//! settled when that is the least.
//!
//! Where a longer period asks for no smaller budget, a *span* of periods waits as one, under what the budget
//! of the next shorter period that was settled takes of its longest:
//!
//! ```text
//!   budget |            ____----       nothing in the span takes less than
//!          |     ___----|      |
//!          |_----|      |      |         (budget of a + switching) / b
//!          +-----a------+------b-> period
//!                | span |
//! ```
//!
//! Its middle is settled when that is the least of all that wait, and two shorter spans are left.
//!
//! **Assumptions.**
//! 1. Of a span: alone, what is in the unit and holds with a budget and a period, holds with the budget and a
//!    shorter period, if that budget is guaranteed (`longer_periods_need_no_less` in [`crate::part`] says where that is
//!    taken for granted, docs/design.md why). Whether the budget is guaranteed, or anything beside holds, is not.
//!
//! **Cost.** Memory for each choice of periods, at most [`MOST`], and analyses for those only that are cheap;
//! of a span for those only that were settled.

use crate::bare::Trust;
use crate::choices::{Choice, Choices, Try};
use crate::cost::Cost;
use crate::part::Part;
use crate::steps::{Spent, Steps};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use vorrang_time::Duration;

/// Choices of periods of one unit.
const MOST: u64 = 1_000_000;
/// Periods that are no span: each waits by itself.
const FEW: u64 = 10;

/// Choices that were not settled, or one that was, by their place: longer periods come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    /// The places from the one to the other, none of which has a budget below `least`.
    Span {
        first: u64,
        end: u64,
        least: Duration,
    },
    Settled(u64),
}

pub(crate) struct Options {
    pub(crate) choices: Choices,
    /// Settled, the cheapest first.
    settled: Vec<Choice>,
    /// By what they take at least.
    waiting: BinaryHeap<Reverse<(Cost, Waiting)>>,
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
        let spans = trust >= Trust::Alone && solo.longer_periods_need_no_less();
        let choices = Choices::new(solo);
        let count = choices.count().filter(|count| *count <= MOST)?;
        let (settled, waiting, work) = (Vec::new(), BinaryHeap::new(), None);
        let mut options = Self { choices, settled, waiting, work, trust, trust_all };
        if spans && count > FEW {
            options.work = options.least_work(count);
            options.wait(0, count - 1, Duration::ZERO);
        } else {
            (0..count).for_each(|place| options.wait(place, place, Duration::ZERO));
            options.work = options.waiting.peek().map(|Reverse((cost, _))| *cost);
        }
        Some(options)
    }

    /// The cheapest but `place` of those that hold, unless it takes so much that it is of no use.
    pub(crate) fn get(
        &mut self,
        place: usize,
        is_useless: impl Fn(Cost) -> bool,
        steps: &mut Steps,
    ) -> Result<Option<Choice>, Spent> {
        while self.settled.len() <= place {
            let Some(&Reverse((cost, next))) = self.waiting.peek() else { return Ok(None) };
            if is_useless(cost) {
                return Ok(None);
            }
            match next {
                Waiting::Settled(at) => {
                    self.waiting.pop();
                    self.settled.push(self.choices.choice(at).expect("it was settled"));
                }
                Waiting::Span { first, end, least } if first == end => {
                    self.settle_one(first, least, steps)?;
                }
                Waiting::Span { first, end, least } => {
                    self.settle_middle(first, end, least, steps)?;
                }
            }
        }
        Ok(self.settled.get(place).filter(|choice| !is_useless(choice.cost)).cloned())
    }

    /// Settles the only choice of the first span that waits.
    fn settle_one(&mut self, at: u64, least: Duration, steps: &mut Steps) -> Result<(), Spent> {
        let settled = |Reverse((cost, of)): &Reverse<(Cost, Waiting)>| {
            matches!(of, Waiting::Settled(_)).then_some(*cost)
        };
        let is_nested = self.choices.ladders.len() > 1;
        let next = is_nested.then(|| self.waiting.iter().filter_map(settled).min()).flatten();
        let waits = match self.choices.settle(at, least, next, steps)? {
            Try::Settled => Some(Waiting::Settled(at)),
            Try::Raised => Some(Waiting::Span { first: at, end: at, least: Duration::ZERO }),
            Try::Never => None,
        };
        let cost = self.choices.known(at).map(|choice| choice.cost);
        self.waiting.pop();
        self.waiting.extend(waits.zip(cost).map(|(waits, cost)| Reverse((cost, waits))));
        Ok(())
    }

    /// Settles the middle of the first span that waits, and leaves what is longer and what is shorter.
    fn settle_middle(
        &mut self,
        first: u64,
        end: u64,
        least: Duration,
        steps: &mut Steps,
    ) -> Result<(), Spent> {
        let middle = first.midpoint(end);
        let mut of_longer = self.needs(middle, least);
        let tried = match self.choices.begun(middle, least) {
            Some(_) => self.choices.settle(middle, least, None, steps)?,
            None => Try::Never,
        };
        self.waiting.pop();
        if let Some(known) = self.choices.known(middle) {
            of_longer = of_longer.max(known.budgets[0]);
            if matches!(tried, Try::Settled) {
                self.waiting.push(Reverse((known.cost, Waiting::Settled(middle))));
            }
        }
        if middle > first {
            self.wait(first, middle - 1, of_longer);
        }
        self.wait(middle + 1, end, least);
        Ok(())
    }

    /// Lets places wait, none of which has a budget below `least`.
    fn wait(&mut self, first: u64, end: u64, least: Duration) {
        let cost = if first == end {
            self.choices.begun(first, least).map(|choice| choice.cost)
        } else {
            Some(self.span_cost(first, end, least))
        };
        let waits = Waiting::Span { first, end, least };
        self.waiting.extend(cost.map(|cost| Reverse((cost, waits))));
    }

    /// What nothing in a span takes less than.
    fn span_cost(&self, first: u64, end: u64, least: Duration) -> Cost {
        let budget = self.needs(end, least);
        self.choices.solo.cost_with(0, budget, self.choices.ladders[0].nth_longest(first))
    }

    /// The least budget with a period of a span, and with every longer one.
    fn needs(&self, place: u64, least: Duration) -> Duration {
        let period = self.choices.ladders[0].nth_longest(place);
        self.choices.solo.nodes[0].least(period).max(least)
    }

    /// What the work that is required takes at least in all spans.
    fn least_work(&self, count: u64) -> Option<Cost> {
        let zero = Duration::ZERO;
        let span = |first, end| Reverse((self.span_cost(first, end, zero), first, end));
        let mut waiting = BinaryHeap::from([span(0, count - 1)]);
        while let Some(Reverse((cost, first, end))) = waiting.pop() {
            if first > end {
                return Some(cost);
            }
            let middle = first.midpoint(end);
            // One that is looked at is no span any more: its places are the wrong way round.
            let begun = self.choices.begun(middle, zero);
            waiting.extend(begun.map(|choice| Reverse((choice.cost, 1, 0))));
            if middle > first {
                waiting.push(span(first, middle - 1));
            }
            if middle < end {
                waiting.push(span(middle + 1, end));
            }
        }
        None
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
