//! Response time of one task under preemptive fixed priority, on any supply, where arrivals by the clock are among what
//! comes before it, or are its own.
//!
//! **Model.** A task by the clock arrives at `O + n T`, for whole n, and each of its jobs is released up to J later. Let the
//! busy window of a level begin at s. Of such a task the jobs with `O + n T + J >= s` that arrive before `s + x` are
//! released in the window of length x, or later; of everything else it holds as much as
//! in any other window. So job q of the window completes at the least `x = supply((q + 1) C + B + sum n_j(s, x) C_j)`, and
//! responds by `s + x` less its arrival, which is known where the task is by the clock itself.
//!
//! What a job of the task wakes at its level, on the same supply, comes when that job completes. So it counts once for each
//! earlier job of the window, and not as often as it may come, and for nothing else in the window.
//!
//! Only beginnings at `O + n T + J` of some such task matter, and in the common multiple of their periods each occurs once.
//!
//! **Places.** Where the windows of the supply are by the clock as well, `supply` is what it has from s on. Then the ends of windows are
//! beginnings, too, and the common multiple is one of the period of these windows.
//!
//! **Assumptions.** 1. Those of `response.rs`. 2. All offsets are of one clock.
//!
//! **Cost.** One search for each beginning. With more than 1 000 there is no bound here.
//!
//! Theory: docs/theory/by-the-clock.md, docs/theory/propagation.md.

use crate::arrival::{Beginnings, Clock};
use crate::demand::{Load, Loads};
use crate::ground::{Effort, NoBound, least_fixed_point};
use crate::supply::{Placed, Supply};
use std::collections::BTreeSet;
use vorrang_time::Duration;

/// What comes before a task in the busy windows of its level.
pub(crate) struct ByClock<'a, S: ?Sized> {
    pub(crate) supply: &'a S,
    pub(crate) own: Load<'a>,
    /// When its own jobs come, where that is known.
    pub(crate) clock: Option<Clock>,
    pub(crate) blocking: Duration,
    /// What each of its jobs wakes at its level, directly or over others: none of it is there before that completes.
    pub(crate) behind: Duration,
    /// What comes by the clock.
    pub(crate) known: Vec<(Clock, Load<'a>)>,
    /// All else.
    pub(crate) others: Vec<Load<'a>>,
}

/// The worst job of all busy windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worst {
    /// Response time, from the arrival.
    pub(crate) bound: Duration,
    /// The job of the busy window that has it, from 0.
    pub(crate) job: u64,
    /// From the beginning of the busy window to the completion of that job.
    pub(crate) window: Duration,
    /// When that window begins, in the common multiple of the periods.
    pub(crate) begin: Duration,
    /// How many beginnings there are.
    pub(crate) beginnings: u64,
    /// Whether it rests on where the windows of the supply are.
    pub(crate) in_places: bool,
}

impl<S: Supply + ?Sized> ByClock<'_, S> {
    /// The longest response time; `None`: nothing is known here.
    pub(crate) fn response(&self, effort: &Effort) -> Option<Worst> {
        let placed = self.supply.placed().filter(|_| self.comes_by_clock());
        let with_places = placed.and_then(|placed| self.worst(Some(&placed), effort));
        with_places.or_else(|| self.worst(None, effort))
    }

    /// The same where the supply is in its places, or may be anywhere.
    fn worst(&self, placed: Option<&Placed<'_>>, effort: &Effort) -> Option<Worst> {
        let beginnings = self.beginnings(placed)?;
        let mut worst: Option<Worst> = None;
        for &begin in &beginnings {
            let found = self.from(begin, placed, effort).ok()?;
            let longer = |found: &Worst| worst.is_none_or(|worst| worst.bound < found.bound);
            worst = found.filter(longer).or(worst);
        }
        let beginnings = u64::try_from(beginnings.len()).ok()?;
        worst.map(|worst| Worst { beginnings, in_places: placed.is_some(), ..worst })
    }

    /// Whether anything does.
    pub(crate) fn comes_by_clock(&self) -> bool {
        self.clock.is_some() || !self.known.is_empty()
    }

    /// When a busy window may begin, in the common multiple of the periods; any instant is as good where nothing comes by
    /// the clock. `None`: too many.
    fn beginnings(&self, placed: Option<&Placed<'_>>) -> Option<BTreeSet<i128>> {
        let known = self.known.iter().map(|(clock, _)| *clock);
        let clocks: Vec<Clock> = known.chain(self.clock).collect();
        if clocks.is_empty() {
            return Some(BTreeSet::from([0]));
        }
        let ends = placed.map(Placed::ends);
        let ends = ends.as_ref().map(|(period, ends)| (*period, ends.as_slice()));
        Beginnings::of(&clocks, ends).map(|beginnings| beginnings.instants)
    }

    /// The worst job of the window that begins there; `None`: none of its jobs is in it.
    fn from(
        &self,
        begin: i128,
        placed: Option<&Placed<'_>>,
        effort: &Effort,
    ) -> Result<Option<Worst>, NoBound> {
        let terms = 1 + self.known.len() + self.others.len();
        let time_for = |work| match placed {
            None => self.supply.time_for(work),
            Some(placed) => placed.time_for(begin, work, effort),
        };
        let needed = |work: Duration, x: Duration| {
            time_for(work.checked_add(self.before(begin, x)?).ok_or(NoBound::TooLong)?)
        };
        let without = least_fixed_point(effort, terms, Duration::RESOLUTION, |x| {
            Ok(needed(self.blocking, x)?.max(Duration::RESOLUTION))
        })?;
        if i128::from(without.as_ns()) <= self.arrival(begin, 0)? {
            return Ok(None);
        }
        let (mut demand, mut window) = (self.blocking, Duration::ZERO);
        let mut worst: Option<Worst> = None;
        for job in 0.. {
            demand = demand.checked_add(self.own.cost).ok_or(NoBound::TooLong)?;
            let start = time_for(demand)?.max(window + self.own.cost);
            window = least_fixed_point(effort, terms, start, |x| needed(demand, x))?;
            let end = i128::from(window.as_ns());
            let bound = u64::try_from((end - self.arrival(begin, job)?).max(0));
            let bound = Duration::from_ns(bound.map_err(|_| NoBound::TooLong)?);
            if worst.is_none_or(|worst| worst.bound < bound) {
                let begin = Duration::from_ns(u64::try_from(begin).unwrap_or_default());
                let (beginnings, in_places) = (0, false);
                worst = Some(Worst { bound, job, window, begin, beginnings, in_places });
            }
            // What it has woken is of this window, too.
            demand = demand.checked_add(self.behind).ok_or(NoBound::TooLong)?;
            let over = least_fixed_point(effort, terms, window, |x| needed(demand, x))?;
            if i128::from(over.as_ns()) <= self.arrival(begin, job + 1)? {
                break;
            }
        }
        Ok(worst)
    }

    /// When a job of the window arrives, from its beginning on; of one that is not by the clock, when it does at the
    /// earliest.
    fn arrival(&self, begin: i128, job: u64) -> Result<i128, NoBound> {
        if let Some(clock) = self.clock {
            return Ok(clock.arrival(clock.first(begin) + i128::from(job)) - begin);
        }
        let arrivals = self.own.arrivals;
        let due = arrivals.spacing().after(job).ok_or(NoBound::TooLong)?;
        Ok(i128::from(due.as_ns()) - i128::from(arrivals.jitter.as_ns()))
    }

    /// What comes before it in a window.
    fn before(&self, begin: i128, window: Duration) -> Result<Duration, NoBound> {
        let others = Loads::new(&self.others).in_window(window)?;
        self.known.iter().try_fold(others, |sum, (clock, load)| {
            let own = load.cost.checked_mul(clock.in_window(begin, window));
            own.and_then(|own| sum.checked_add(own)).ok_or(NoBound::TooLong)
        })
    }
}
