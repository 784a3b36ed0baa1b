//! How close several successive arrivals may come.
//!
//! **Model.** `d(n)` is the least time from an arrival to the `n`-th after it. Some of these are stated, the first one and others up
//! to the `k`-th; all follow from them by adding up: `n` steps are `a` steps and then `b`, so they take at least `d(a) + d(b)`. The
//! largest such sum counts (the superadditive closure), also where it is more than what is stated.
//!
//! **Argument** that so few numbers say all of them. Let `p` be the `n <= k` with the largest `d(n) / n`. Of `p` addends that are not `p`
//! some add up to a multiple of `p`, and that many `p` are no less. So a largest sum has at most `p − 1` others, and for
//! `n > (p − 1) k` it is `d(n − p) + d(p)`. For every `n` it is at least that: where `(p − 1) k` is more than [`KNOWN`], it counts
//! from there on. None of the `p` before counts more than the first that follows does, so that times still grow.
//!
//! Reference: Richter 2005 (event models); Bouillard, Boyer, Le Corronc 2018, for the closure.
//!
//! Theory: docs/theory/distances.md.

use crate::limits;
use std::sync::Arc;
use vorrang_time::Duration;

/// So many times are known one by one, at most: of the last that is stated there is a whole cycle besides.
const KNOWN: usize = 2 * limits::DISTANCE;

/// The least time from an arrival to one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// So many arrivals later.
    pub steps: usize,
    /// At least so long.
    pub least: Duration,
}

/// The least time from an arrival to the `n`-th after it, for every `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// Those from the first on, up to the last that does not follow from one `every` before it.
    least: Arc<[Duration]>,
    /// So many arrivals later everything repeats.
    every: usize,
    /// Those that were stated.
    stated: Arc<[Distance]>,
}

impl Distances {
    /// What follows from the distances to the next, the second next and further arrivals; `None` if there are none of
    /// them, too many, or one is zero.
    pub fn of(stated: &[Duration]) -> Option<Self> {
        let all = (1..).zip(stated).map(|(steps, least)| Distance { steps, least: *least });
        Self::some(&all.collect::<Vec<_>>())
    }

    /// The same of some: the first is that to the next arrival, and each is to a later one than the one before; `None` also
    /// where that is not so, or one is to an arrival that is too late.
    pub fn some(stated: &[Distance]) -> Option<Self> {
        let is_right = (1..=limits::DISTANCES).contains(&stated.len())
            && stated[0].steps == 1
            && stated.is_sorted_by(|one, next| one.steps < next.steps)
            && stated[stated.len() - 1].steps <= limits::DISTANCE
            && stated.iter().all(|own| !own.least.is_zero() && own.least <= Duration::MAX_STATED);
        if !is_right {
            return None;
        }
        let (mut least, mut parts) = (Vec::new(), Vec::new());
        for own in stated {
            while least.len() < own.steps {
                least.push(longest_sum(&least, &parts));
            }
            // What follows from those before it need not be stated, unless something after it is.
            let raised = least[own.steps - 1].max(own.least);
            least[own.steps - 1] = raised;
            parts.push(Distance { steps: own.steps, least: raised });
        }
        while let [before @ .., last] = &parts[..]
            && !before.is_empty()
            && last.least == longest_sum(&least[..last.steps - 1], before)
        {
            parts.pop();
        }
        let farthest = parts.last().map_or(1, |own| own.steps);
        least.truncate(farthest);
        let every = slowest(&parts);
        let exact = (every - 1) * farthest;
        while least.len() < exact.min(KNOWN) {
            least.push(longest_sum(&least, &parts));
        }
        if exact > KNOWN {
            let next = least[KNOWN - every] + least[every - 1];
            least[KNOWN - every..].iter_mut().for_each(|own| *own = next.min(*own));
        }
        let (whole, mut known) = (least[every - 1], least.len());
        while known > every && least[known - 1] == least[known - 1 - every] + whole {
            known -= 1;
        }
        // The stated ones are kept, for what writes them.
        least.truncate(known.max(farthest));
        Some(Self { least: least.into(), every, stated: parts.into() })
    }

    /// Those that were stated, as much as they do not follow from others, and none of them less than the others allow.
    pub fn stated(&self) -> &[Distance] {
        &self.stated
    }

    /// To how many arrivals after one something was stated.
    pub fn farthest(&self) -> usize {
        self.stated.last().map_or(1, |own| own.steps)
    }

    /// So many arrivals take at least so long, over and over.
    pub fn cycle(&self) -> (u64, Duration) {
        (self.every as u64, self.least[self.every - 1])
    }

    /// The longest that the next arrival may have to wait for those before it.
    pub fn widest(&self) -> Duration {
        let before =
            |own: &Distance| own.steps.checked_sub(2).map_or(Duration::ZERO, |at| self.least[at]);
        let gaps = self.stated.iter().map(|own| own.least - before(own));
        gaps.max().unwrap_or_default()
    }

    /// The least time from an arrival to the `steps`-th after it; `None` if that is out of range.
    pub fn after(&self, steps: u64) -> Option<Duration> {
        let known = self.least.len() as u64;
        let (every, whole) = self.cycle();
        let cycles = steps.saturating_sub(known).div_ceil(every);
        let rest = steps - cycles * every;
        let place = usize::try_from(rest).ok()?;
        let first = place.checked_sub(1).map_or(Duration::ZERO, |place| self.least[place]);
        whole.checked_mul(cycles)?.checked_add(first)
    }

    /// How many arrivals there can be after one, each less than `span` after it.
    pub fn below(&self, span: Duration) -> u64 {
        let (every, whole) = self.cycle();
        let last = self.least[self.least.len() - 1];
        let cycles = span.saturating_sub(last).div_ceil(whole);
        let rest = span - whole * cycles;
        cycles * every + self.least.partition_point(|own| *own < rest) as u64
    }
}

/// So many arrive at most in so long a time, over and over.
pub(super) fn cycle(least: Duration, further: Option<&Distances>) -> (u64, Duration) {
    further.map_or((1, least), Distances::cycle)
}

/// The time between two of so many in so long a time, rounded down.
pub(super) fn mean((count, time): (u64, Duration)) -> Duration {
    Duration::from_ns((time.as_ns() / count).max(1))
}

/// The longest sum of two for one more arrival than there are, one of the two a part.
fn longest_sum(least: &[Duration], parts: &[Distance]) -> Duration {
    let rest =
        |part: &Distance| Some(part.least + *least.get(least.len().checked_sub(part.steps)?)?);
    parts.iter().filter_map(rest).max().unwrap_or_default()
}

/// The first number of arrivals that takes the longest for each: one that was stated, for sums take no longer than their parts.
fn slowest(parts: &[Distance]) -> usize {
    let slower = |best: Distance, own: &Distance| {
        let time = |of: &Distance| u128::from(of.least.as_ns());
        let is_slower = time(own) * best.steps as u128 > time(&best) * own.steps as u128;
        if is_slower { *own } else { best }
    };
    parts.iter().fold(parts[0], slower).steps
}
