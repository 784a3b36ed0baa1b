//! What a job finds unfinished: an upper bound on the tail of a random walk with a barrier.
//!
//! **Model.** `w := max(0, w + c − n)`, at first 0, where `c` is drawn anew each time and `n` is
//! what is served between two arrivals, both in steps. `tail(x)` is at least `P(w >= x)` for every
//! job, the first and the thousandth.
//!
//! ```text
//!   1 |*\                       first guess   r^x, with E r^(n-c) <= 1 (Kingman)
//!     | \ *--___                then          tail(x) := min(tail(x), E tail(x + n - c)),
//!     |  *--___  ‾‾‾--___                     where tail(y) = 1 for y <= 0
//!     +------------------------ x
//! ```
//!
//! **Argument.** If `tail` holds for `w`, then `P(w + c − n >= x) = E P(w >= x + n − c | c)` is at
//! most `E tail(x + n − c)`, for `w` and `c` are independent. The first `w` is 0. So by induction
//! over the jobs one step keeps a tail that holds for all jobs; `r^x` is such a tail, because
//! `E min(1, r^(x + n − c)) <= r^x E r^(n − c)`. Replacing one value at a time is a step as well.
//!
//! **Assumptions.** 1. The times of jobs are independent and have the same distribution, rounded up to steps. 2. No less than `n`
//! steps are served between two arrivals, and the first job finds nothing.
//!
//! **Cost.** Sweeps of (places times distinct times), until nothing changes by more than a part in
//! a million, [`SWEEPS`] are done or the effort is spent.
//!
//! Theory: docs/theory/backlog.md.

use super::{Distribution, Probability};
use crate::ground::{Effort, NoBound};

/// Sweeps of the iteration at most.
const SWEEPS: u32 = 300;

/// Places beyond which only the last one is used.
const MOST_PLACES: usize = 1 << 16;

/// An upper bound on the tail of the backlog.
#[derive(Clone, Debug)]
pub struct Backlog {
    /// Of x = 1, 2, …; the last one holds for everything beyond.
    tail: Vec<Probability>,
    /// What is served between two arrivals.
    served: u64,
    /// The base of the first guess; zero where nothing is ever left.
    decay: Probability,
}

impl Backlog {
    /// What jobs of `cost` find, when `served` steps are served between two arrivals; sharper the more
    /// effort there is.
    ///
    /// # Errors
    /// [`NoBound::Overload`] if the mean cost is not below what is served.
    pub fn new(cost: &Distribution, served: u64, effort: &Effort) -> Result<Self, NoBound> {
        if u64::from(cost.longest()) <= served {
            let (tail, decay) = (vec![Probability::ZERO], Probability::ZERO);
            return Ok(Self { tail, served, decay });
        }
        let steps = u32::try_from(served).expect("less than the longest time");
        let decay = decay(cost, steps).ok_or(NoBound::Overload)?;
        let mut backlog = Self { tail: exponential(decay), served, decay };
        backlog.sharpen(cost, steps, effort);
        Ok(backlog)
    }

    /// At least the probability that a job finds `x` steps or more.
    pub fn at_least(&self, x: i64) -> Probability {
        match usize::try_from(x - 1) {
            Err(_) => Probability::ONE,
            Ok(place) => self.tail[place.min(self.tail.len() - 1)],
        }
    }

    /// What is served between two arrivals, in steps.
    pub fn served(&self) -> u64 {
        self.served
    }

    /// The base of the exponential bound from which the tail was sharpened.
    pub fn decay(&self) -> Probability {
        self.decay
    }

    fn sharpen(&mut self, cost: &Distribution, served: u32, effort: &Effort) {
        let terms = self.tail.len() * cost.times();
        for _ in 0..SWEEPS {
            if effort.spend(terms).is_err() || !self.sweep(cost, served) {
                break;
            }
        }
    }

    /// One step of the walk at every place; whether that changed anything worth another sweep.
    fn sweep(&mut self, cost: &Distribution, served: u32) -> bool {
        let mut changed = false;
        for (place, x) in (0..self.tail.len()).zip(1 + i64::from(served)..) {
            let next = cost.mean_ceil(|c| self.at_least(x - i64::from(c)));
            let known = self.tail[place];
            if next < known {
                changed |= known.0 - next.0 > known.0 >> 20;
                self.tail[place] = next;
            }
        }
        changed
    }
}

/// The least `r` found with `E r^(served − c) <= 1`; `None` if there is none below one.
fn decay(cost: &Distribution, served: u32) -> Option<Probability> {
    let (mut fails, mut holds) = (Probability::ZERO, Probability::ONE);
    while holds.0 - fails.0 > 1 {
        let middle = Probability(fails.0 + (holds.0 - fails.0) / 2);
        if decays(cost, served, middle) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    (holds < Probability::ONE).then_some(holds)
}

/// Whether `E r^(longest − c) <= r^(longest − served)`.
fn decays(cost: &Distribution, served: u32, r: Probability) -> bool {
    let longest = cost.longest();
    let powers: Vec<_> = powers(r, Probability::times_ceil).take(longest as usize + 1).collect();
    let right = powers_floor(r, longest - served);
    cost.mean_ceil(|c| powers[(longest - c) as usize]) <= right
}

fn powers_floor(r: Probability, exponent: u32) -> Probability {
    powers(r, Probability::times_floor).nth(exponent as usize).unwrap_or(Probability::ZERO)
}

/// 1, r, r², …, each rounded by `times`.
fn powers(
    r: Probability,
    times: fn(Probability, Probability) -> Probability,
) -> impl Iterator<Item = Probability> {
    core::iter::successors(Some(Probability::ONE), move |&power| Some(times(power, r)))
}

/// r, r², … down to what is not worth a place.
fn exponential(r: Probability) -> Vec<Probability> {
    powers(r, Probability::times_ceil)
        .skip(1)
        .take(MOST_PLACES)
        .scan(true, |go_on, power| {
            let taken = go_on.then_some(power);
            *go_on = power.0 > 1 << 10;
            taken
        })
        .collect()
}
