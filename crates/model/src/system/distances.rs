//! How close several successive arrivals may come.
//!
//! **Model.** `d(n)` is the least time from an arrival to the `n`-th after it. The first `k` of these are stated; all follow
//! from them by adding up: `n` steps are `a` steps and then `b`, so they take at least `d(a) + d(b)`. The largest such sum counts
//! (the superadditive closure), also where it is more than what is stated.
//!
//! **Argument** that so few numbers say all of them. Let `p` be the `n <= k` with the largest `d(n) / n`. Of `p` addends that are not `p`
//! some add up to a multiple of `p`, and that many `p` are no less. So a largest sum has at most `p − 1` others, and for
//! `n > (p − 1) k` it is `d(n − p) + d(p)`.
//!
//! Reference: Richter 2005 (event models); Bouillard, Boyer, Le Corronc 2018, for the closure.
//!
//! Theory: docs/theory/distances.md.

use crate::limits;
use vorrang_time::Duration;

/// The least time from an arrival to the `n`-th after it, for every `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// Those from the first on, up to the last that does not follow from one `every` before it.
    least: Vec<Duration>,
    /// So many arrivals later everything repeats.
    every: usize,
    /// How many were stated.
    stated: usize,
}

impl Distances {
    /// What follows from the distances to the next, the second next and further arrivals; `None` if there are none of
    /// them, too many, or one is zero.
    pub fn of(stated: &[Duration]) -> Option<Self> {
        let is_right = (1..=limits::DISTANCES).contains(&stated.len())
            && stated.iter().all(|own| !own.is_zero() && *own <= Duration::MAX_STATED);
        if !is_right {
            return None;
        }
        let mut least = Vec::new();
        for &own in stated {
            least.push(longest_sum(&least, stated.len()).max(own));
        }
        // What follows from those before it need not be stated.
        while least.len() > 1
            && least.last().copied() == Some(longest_sum(&least[..least.len() - 1], least.len()))
        {
            least.pop();
        }
        let (every, stated) = (slowest(&least), least.len());
        while least.len() < (every - 1) * stated {
            least.push(longest_sum(&least, stated));
        }
        let (whole, mut known) = (least[every - 1], least.len());
        while known > every && least[known - 1] == least[known - 1 - every] + whole {
            known -= 1;
        }
        // The stated ones are kept, for what writes them.
        least.truncate(known.max(stated));
        Some(Self { least, every, stated })
    }

    /// Those that were stated, as much as they do not follow from others, and none of them less than the others allow.
    pub fn stated(&self) -> &[Duration] {
        &self.least[..self.stated]
    }

    /// So many arrivals take at least so long, over and over.
    pub fn cycle(&self) -> (u64, Duration) {
        (self.every as u64, self.least[self.every - 1])
    }

    /// The longest that the next arrival may have to wait for those before it.
    pub fn widest(&self) -> Duration {
        let before = [Duration::ZERO].into_iter().chain(self.stated().iter().copied());
        let gaps = self.stated().iter().zip(before).map(|(own, before)| *own - before);
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

/// The longest sum of two for one more arrival than there are, one of the two for at most `parts` arrivals.
fn longest_sum(least: &[Duration], parts: usize) -> Duration {
    let sums = least.iter().zip(least.iter().rev()).take(parts).map(|(first, rest)| *first + *rest);
    sums.max().unwrap_or_default()
}

/// The first number of arrivals that takes the longest for each.
fn slowest(least: &[Duration]) -> usize {
    let time = |steps: usize| u128::from(least[steps - 1].as_ns());
    let slower = |best: usize, steps: usize| {
        if time(steps) * best as u128 > time(best) * steps as u128 { steps } else { best }
    };
    (1..=least.len()).fold(1, slower)
}
