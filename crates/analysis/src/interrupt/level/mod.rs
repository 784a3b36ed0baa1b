//! One service routine among those of a core, or of a guest.
//!
//! **Model.** A busy window of the interrupt level begins when a routine is requested and none was
//! pending. Look at a request with the latest instant `s` (arrival + J) after that. What is ahead
//! of it, by order:
//!
//! | order | of the same priority | of a higher one | of a lower one |
//! |---|---|---|---|
//! | first come (all the same) | `floor((s+J)/T + 1) C` | – | – |
//! | priority | the same | all that come until it begins, at `w`: `floor((w+J)/T + 1) C` | the longest, less 1 ns: it has begun |
//! | nested | the same | all that come until it ends, at `x`: `ceil((x+J)/T) C` | – |
//!
//! With its own `floor(s/T) + 1` requests this is a fixed point; the response time is `x + J − s`. The sum
//! grows only where a request of the same priority comes, so only those `s` of the busy window are
//! looked at. Guests serve first come, first served, on any supply.
//!
//! **Storms.** Others that state a storm come as often as in it, all of them at once: [`Routine::storm`]. The pending
//! bit gives a second bound, whatever the rate: of those that merge, and have the same priority,
//! at most one request each waits at any time. So look at the window since which a request that
//! does not merge has always been there: between one such request and the next there is room for
//! at most one of each that merges, of cost M together, and at its beginning one may have begun:
//!
//! ```text
//!   | begun | M | a1 | M | a2 | M | a3 |       a: do not merge, first come, first served
//! ```
//!
//! so every `a` costs `C + M`, and the lesser of the two bounds holds.
//!
//! **Timers.** The timer interrupt of a core is more urgent than every routine, and handles what
//! expires meanwhile: what timers take counts like what is of a higher priority, in every order. A
//! section of the kernel may have begun before (one, like a routine of a lower priority).
//!
//! **Assumptions.** 1. Nothing else runs at interrupt level. 2. Non-preemptive by priority only on a core. 3. The
//! routine that is looked at keeps its least inter-arrival time; others may storm.
//!
//! **Cost.** One step for each request of the same priority in the busy window.
//!
//! Reference: George, Rivierre, Spuri 1996 (non-preemptive, first-come); Davis, Burns, Bril,
//! Lukkien 2007; derived in docs/theory/interrupt-level.md; storms in docs/theory/storms.md.

mod demanded;

use crate::arrival::Arrivals;
use crate::demand::{Load, Loads};
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, least_fixed_point};
use crate::supply::Supply;
use vorrang_model::system::{InterruptOrder, Priority};
use vorrang_time::Duration;

/// One routine of a level.
#[derive(Clone, Copy, Debug)]
pub struct Routine<'a> {
    /// While it keeps what is promised of it.
    pub calm: Load<'a>,
    /// At its worst.
    pub storm: Load<'a>,
    /// Whether a request merges with one that waits.
    pub merges: bool,
    /// Among those of its core.
    pub priority: Priority,
}

/// The routines of a core or of a guest.
#[derive(Clone, Copy)]
pub struct Level<'a> {
    /// What they run on.
    pub supply: &'a dyn Supply,
    /// Which of several runs.
    pub order: InterruptOrder,
    /// All of them.
    pub routines: &'a [Routine<'a>],
    /// What comes before all of them.
    pub timers: &'a [Load<'a>],
    /// What may have begun before and is not stopped.
    pub section: Duration,
}

/// The worst request of an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worst {
    /// From its arrival (or from its request) to the end of the routine.
    pub bound: Duration,
    /// The latest instant of the request, from the start of the busy window.
    pub requested: Duration,
    /// The end of the routine, from there.
    pub window: Duration,
    /// Whether it was found by what merges.
    pub merged: bool,
}

impl<'a> Level<'a> {
    /// The longest time from the arrival of an interrupt that behaves to the end of its routine, if
    /// `gift` of the work is done elsewhere by then.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn response(
        &self,
        index: usize,
        gift: Duration,
        effort: &Effort,
    ) -> Result<Worst, NoBound> {
        let own = self.routines[index].calm;
        self.least(index, own, |queue| queue.worst(Since::Arrival, gift, effort))
    }

    /// The longest time from a request of an interrupt to the end of its routine, in storms of its own, too.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn delay(&self, index: usize, effort: &Effort) -> Result<Duration, NoBound> {
        let own = self.routines[index].storm;
        self.least(index, own, |queue| queue.worst(Since::Request, Duration::ZERO, effort))
            .map(|worst| worst.bound)
    }

    /// The lesser of the bounds by rates and by what merges.
    fn least(
        &self,
        index: usize,
        own: Load<'a>,
        worst: impl Fn(&Queue<'a>) -> Result<Worst, NoBound>,
    ) -> Result<Worst, NoBound> {
        let by_rates = worst(&self.queue(index, own));
        let Some(queue) = self.merging_queue(index, own) else { return by_rates };
        match (by_rates, worst(&queue)) {
            (Ok(rates), Ok(merged)) if merged.bound < rates.bound => Ok(merged),
            (Ok(rates), _) => Ok(rates),
            (Err(_), Ok(merged)) => Ok(merged),
            (Err(why), Err(_)) => Err(why),
        }
    }

    fn is_first_come(&self) -> bool {
        self.order == InterruptOrder::FirstCome
    }

    fn equals(&self, index: usize) -> impl Iterator<Item = &'a Routine<'a>> + use<'a> {
        let (own, all) = (self.routines[index].priority, self.is_first_come());
        let others = self.routines.iter().enumerate().filter(move |(other, _)| *other != index);
        others.map(|(_, routine)| routine).filter(move |other| all || other.priority == own)
    }

    pub(super) fn queue(&self, index: usize, own: Load<'a>) -> Queue<'a> {
        let priority = self.routines[index].priority;
        let more_urgent = |other: &&Routine<'_>| other.priority.is_more_urgent_than(priority);
        let less_urgent = |other: &&Routine<'_>| priority.is_more_urgent_than(other.priority);
        let ranked = || self.routines.iter().filter(|_| !self.is_first_come());
        let begun = match self.order {
            InterruptOrder::Priority => {
                ranked().filter(less_urgent).map(|other| other.storm.cost).max()
            }
            _ => None,
        };
        let begun = begun.map_or(Duration::ZERO, |cost| cost.saturating_sub(Duration::RESOLUTION));
        let higher = ranked().filter(more_urgent).map(|other| other.storm);
        Queue {
            supply: self.supply,
            stops: self.order != InterruptOrder::Priority,
            before: begun.max(self.section),
            higher: higher.chain(self.timers.iter().copied()).collect(),
            equal: self.equals(index).map(|other| other.storm).collect(),
            last: own.cost,
            own,
            merged: false,
        }
    }

    /// The same by what merges, if something does.
    pub(super) fn merging_queue(&self, index: usize, own: Load<'a>) -> Option<Queue<'a>> {
        let routine = &self.routines[index];
        let merging = || self.equals(index).chain([routine]).filter(|other| other.merges);
        let begun = merging().map(|other| other.storm.cost).max()?;
        let each: Duration = merging().map(|other| other.storm.cost).sum();
        let plain = self.queue(index, own);
        let and_each = |load: Load<'a>| Load { cost: load.cost + each, ..load };
        let own = if routine.merges {
            let arrivals = Arrivals::new(ONCE, own.arrivals.jitter);
            Load { cost: each, arrivals, ..own }
        } else {
            and_each(own)
        };
        let equal = self.equals(index).filter(|other| !other.merges);
        let equal = equal.map(|other| and_each(other.storm)).collect();
        Some(Queue { before: plain.before.max(begun), equal, own, merged: true, ..plain })
    }
}

/// A period that ends after every window.
const ONCE: Duration = Duration::from_ns(LONGEST_WINDOW.as_ns() * 2);

/// From when a response is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    Arrival,
    Request,
}

/// What is served before one routine.
pub(super) struct Queue<'a> {
    pub(super) supply: &'a dyn Supply,
    /// Whether higher ones stop it once it has begun.
    pub(super) stops: bool,
    /// What was begun before.
    pub(super) before: Duration,
    pub(super) higher: Vec<Load<'a>>,
    pub(super) equal: Vec<Load<'a>>,
    pub(super) own: Load<'a>,
    /// The routine itself.
    pub(super) last: Duration,
    pub(super) merged: bool,
}

impl Queue<'_> {
    fn terms(&self) -> usize {
        1 + self.higher.len() + self.equal.len()
    }

    fn all(&self) -> impl Iterator<Item = &Load<'_>> {
        self.higher.iter().chain(&self.equal).chain([&self.own])
    }

    /// By when everything that comes before it ends is served.
    fn busy_window(&self, effort: &Effort) -> Result<Duration, NoBound> {
        let load =
            self.all().fold(crate::ground::Rate::ZERO, |sum, load| sum.plus(load.rate_floor()));
        effort.expect(load, self.supply.rate_ceil(), self.terms())?;
        // What takes no time may come together with what does.
        let served = |work: Duration| self.supply.time_for(work.max(Duration::RESOLUTION));
        let start = served(self.before + self.own.cost)?;
        least_fixed_point(effort, self.terms(), start, |window| {
            let all = self.all().try_fold(self.before, |sum, load| {
                sum.checked_add(load.in_window(window)?).ok_or(NoBound::TooLong)
            })?;
            served(all)
        })
    }

    fn worst(&self, since: Since, gift: Duration, effort: &Effort) -> Result<Worst, NoBound> {
        let end = self.busy_window(effort)?;
        let jitter =
            if since == Since::Arrival { self.own.arrivals.jitter } else { Duration::ZERO };
        let mut worst: Option<Worst> = None;
        let mut requested = Duration::ZERO;
        while requested < end {
            let known = worst.map_or(Duration::ZERO, |worst| worst.bound);
            if end + jitter <= requested + known {
                break;
            }
            effort.spend(self.terms())?;
            let window = self.completion(requested, since, gift, effort)?;
            let bound = (window + jitter).saturating_sub(requested);
            if worst.is_none() || bound > known {
                worst = Some(Worst { bound, requested, window, merged: self.merged });
            }
            requested = self.next(requested, since);
        }
        Ok(worst.expect("the first request is at zero, before the end of the window"))
    }

    /// Its own requests up to one at that instant.
    pub(super) fn own_work(&self, requested: Duration, since: Since) -> Result<Duration, NoBound> {
        match since {
            Since::Arrival => {
                let count = self.own.arrivals.spacing().by(requested);
                self.own.cost.checked_mul(count).ok_or(NoBound::TooLong)
            }
            Since::Request => self.own.begun_by(requested),
        }
    }

    /// The work of those of the same priority, its own included.
    pub(super) fn ahead(&self, requested: Duration, since: Since) -> Result<Duration, NoBound> {
        let own = self.own_work(requested, since)?;
        let known = own.checked_add(self.before).ok_or(NoBound::TooLong)?;
        self.equal.iter().try_fold(known, |sum, load| {
            sum.checked_add(load.begun_by(requested)?).ok_or(NoBound::TooLong)
        })
    }

    fn completion(
        &self,
        requested: Duration,
        since: Since,
        gift: Duration,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let ahead = self.ahead(requested, since)?;
        let higher = Loads::new(&self.higher);
        if self.stops {
            let work = ahead.saturating_sub(gift);
            let start = self.supply.time_for(work)?;
            return least_fixed_point(effort, self.terms(), start, |window| {
                let all = work.checked_add(higher.in_window(window)?).ok_or(NoBound::TooLong)?;
                self.supply.time_for(all)
            });
        }
        let work = ahead - self.last;
        let begins = least_fixed_point(effort, self.terms(), work, |begins| {
            let by_then = higher.in_window(begins + Duration::RESOLUTION)?;
            work.checked_add(by_then).ok_or(NoBound::TooLong)
        })?;
        Ok(begins + self.last)
    }

    /// The next instant at which more is ahead.
    fn next(&self, requested: Duration, since: Since) -> Duration {
        let own = match since {
            Since::Arrival => self.own.arrivals.spacing().next(requested),
            Since::Request => self.own.next_begin(requested),
        };
        self.equal.iter().map(|load| load.next_begin(requested)).fold(own, Duration::min)
    }
}
