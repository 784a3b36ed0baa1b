//! Response time of one task under EDF, on any supply, where arrivals by the clock are among what comes before it, or are its own.
//!
//! **Model.** A task by the clock arrives at `O + n T`, for whole n, and each of its jobs is released up to J later. Look at the job that
//! arrives at a and is due at d, in a window that begins at s, before which nothing due by d was pending. Of a task by the
//! clock the jobs with `O + n T + J >= s` that arrive before `s + x` and are due by d are in it at most; of everything else
//! as much as `response.rs` says. So the job completes at the least `x = supply(B + own + sum of both)` after s.
//!
//! **Own arrivals by the clock.** Then a is one of those of a common multiple of the periods, and s at most the longest
//! busy window before it. Only s at `O + n T + J` of some task by the clock matter, and those at which something else has one
//! more due by d. All s between two of these count as the later one, with what else is due in the window from the earlier.
//!
//! **Other own arrivals.** Then window and job move together to the next `O + n T + J`; only arrivals matter from which on something more
//! is due.
//!
//! **Places.** As in `fixed_priority/by_clock.rs`.
//!
//! **Assumptions.** 1. Those of `response.rs`. 2. All offsets are of one clock.
//!
//! **Cost.** One fixed point for each window and job. With more than the effort of one search there is no bound here.
//!
//! Theory: docs/theory/by-the-clock.md.

use super::demand::Contender;
use super::response::ResponseTimes;
use crate::arrival::{Beginnings, Clock};
use crate::ground::{Effort, NoBound, least_fixed_point};
use crate::supply::{Placed, Supply};
use std::collections::BTreeSet;
use vorrang_time::Duration;

/// One task among members some of which come by the clock.
pub(crate) struct ByClock<'a> {
    all: &'a ResponseTimes<'a, dyn Supply + 'a>,
    /// Of each member, where it comes so.
    clocks: &'a [Option<Clock>],
    index: usize,
    own: &'a Contender<'a>,
    placed: Option<Placed<'a>>,
    /// The longest time before an arrival, or after a beginning, that need be looked at.
    last: i128,
    effort: &'a Effort,
}

/// The worst job of all windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorstByClock {
    /// Response time, from the arrival.
    pub(crate) bound: Duration,
    /// When its window begins, in the common multiple of the periods.
    pub(crate) begin: i128,
    /// Own jobs up to it.
    pub(crate) count: u64,
    /// From the beginning to its completion.
    pub(crate) window: Duration,
    /// How many windows there are.
    pub(crate) windows: u64,
    /// What is before its end.
    pub(crate) parts: Parts,
}

/// What is before the end of a job besides own work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) blocking: Duration,
    /// Jobs by the clock, by the place of their task among the members.
    pub(crate) by_clock: Vec<(usize, u64)>,
    /// What else, with its bound by release and by deadline, and that deadline.
    pub(crate) others: Vec<(usize, Option<Duration>, Duration)>,
    pub(crate) due: Duration,
}

/// A job in a window.
#[derive(Clone, Copy)]
struct Look {
    begin: i128,
    due: Duration,
    due_at: i128,
    count: u64,
    arrival: i128,
}

impl Look {
    /// How many jobs of a member by the clock are in its window.
    fn jobs(&self, (member, clock): (&Contender<'_>, &Clock), window: Duration) -> u64 {
        let end = self.begin + ns(window);
        clock.between(self.begin, end.min(self.due_at - ns(member.deadline()) + 1))
    }
}

impl<'a> ByClock<'a> {
    /// `None`: nothing comes by the clock, or windows need not end.
    pub(super) fn new(
        all: &'a ResponseTimes<'a, dyn Supply + 'a>,
        (clocks, index): (&'a [Option<Clock>], usize),
        effort: &'a Effort,
    ) -> Option<Self> {
        let is_known = all.ends && clocks.iter().any(Option::is_some);
        let own = &all.total.members[index];
        let placed = all.supply.placed();
        // From a pause between windows one goes back to its beginning.
        let pause = placed.as_ref().map_or(0, |placed| placed.ends().0);
        let last = ns(all.last) + pause;
        is_known.then_some(Self { all, clocks, index, own, placed, last, effort })
    }

    /// The longest response time; `None`: nothing is known here.
    pub(crate) fn response(&self) -> Option<WorstByClock> {
        let known: Vec<Clock> = self.clocks.iter().copied().flatten().collect();
        let ends = self.placed.as_ref().map(Placed::ends);
        let ends = ends.as_ref().map(|(period, ends)| (*period, ends.as_slice()));
        let beginnings = Beginnings::of(&known, ends)?;
        let looks = match &self.clocks[self.index] {
            Some(own) => self.at_own_arrivals(own, &beginnings),
            None => self.at_beginnings(&beginnings),
        };
        let worst = self.worst(&looks.ok()?).ok()??;
        Some(WorstByClock { begin: worst.begin.rem_euclid(beginnings.all), ..worst })
    }

    fn worst(&self, looks: &[Look]) -> Result<Option<WorstByClock>, NoBound> {
        let mut worst: Option<WorstByClock> = None;
        let windows = looks.len() as u64;
        for look in looks {
            let Look { begin, count, arrival, .. } = *look;
            let window = self.completion(look)?;
            let bound = begin + i128::from(window.as_ns()) - arrival;
            let bound = Duration::from_ns(u64::try_from(bound.max(0)).unwrap_or(u64::MAX));
            if worst.as_ref().is_none_or(|worst| worst.bound < bound) {
                let parts = self.parts(look, window)?;
                worst = Some(WorstByClock { bound, begin, count, window, windows, parts });
            }
        }
        Ok(worst)
    }

    /// Each own arrival of the common multiple, with each beginning of a window that it may be in.
    fn at_own_arrivals(&self, own: &Clock, beginnings: &Beginnings) -> Result<Vec<Look>, NoBound> {
        let (deadline, last) = (ns(self.own.deadline()), self.last);
        let bends = self.bends(deadline - own.jitter, deadline + last)?;
        let mut looks = Vec::new();
        for number in 0..beginnings.all / own.period {
            let arrival = own.arrival(number);
            let (after, until, due_at) = (arrival - last, arrival + own.jitter, arrival + deadline);
            let mut begins: BTreeSet<i128> = bends.iter().map(|bend| due_at - bend).collect();
            // A long busy window has very many.
            for begin in beginnings.within(after, until) {
                self.effort.spend(1)?;
                begins.insert(begin);
            }
            let mut before = after;
            for &begin in begins.range(after + 1..=until) {
                self.effort.spend(1)?;
                let due = positive(due_at - before - 1);
                let count = own.between(begin, arrival + 1);
                looks.push(Look { begin, due, due_at, count, arrival });
                before = begin;
            }
        }
        Ok(looks)
    }

    /// Each beginning, with each own arrival after it from which on more is due.
    fn at_beginnings(&self, beginnings: &Beginnings) -> Result<Vec<Look>, NoBound> {
        let (deadline, jitter) = (ns(self.own.deadline()), ns(self.own.jitter()));
        let last = self.last;
        let mut bends = self.bends(deadline - jitter, deadline + last)?;
        let mut next = Duration::ZERO;
        while ns(next) < last + jitter {
            self.effort.spend(1)?;
            bends.insert(ns(next) + deadline - jitter);
            next = self.own.next_job(next);
        }
        let mut looks = Vec::new();
        for &begin in &beginnings.instants {
            let mut dues = bends.clone();
            self.deadlines_of_clocks(begin, begin + deadline + last, &mut dues)?;
            let dues: Vec<i128> = dues.range(deadline - jitter..deadline + last).copied().collect();
            for (place, &from) in dues.iter().enumerate() {
                self.effort.spend(1)?;
                let released = from + jitter - deadline;
                let until = dues.get(place + 1).map_or(deadline + last, |next| *next) - 1;
                let count = self.own.jobs_by(positive(released));
                let (due, due_at) = (positive(until), begin + from);
                looks.push(Look { begin, due, due_at, count, arrival: due_at - deadline });
            }
        }
        Ok(looks)
    }

    /// From a beginning on: when jobs by the clock of its window are due, up to an instant.
    fn deadlines_of_clocks(
        &self,
        begin: i128,
        until: i128,
        dues: &mut BTreeSet<i128>,
    ) -> Result<(), NoBound> {
        for (member, clock) in self.others() {
            let Some(clock) = clock else { continue };
            let mut number = clock.first(begin);
            while clock.arrival(number) + ns(member.deadline()) < until {
                self.effort.spend(1)?;
                dues.insert(clock.arrival(number) + ns(member.deadline()) - begin);
                number += 1;
            }
        }
        Ok(())
    }

    /// After which times from the beginning of a window one more is due of what does not come by the clock, or may block: all up
    /// to a time, and the last up to another.
    fn bends(&self, from: i128, until: i128) -> Result<BTreeSet<i128>, NoBound> {
        let mut bends = BTreeSet::new();
        for (member, _) in self.others().filter(|(_, clock)| clock.is_none()) {
            let mut bend = member.last_bend(positive(from));
            while ns(bend) <= until {
                self.effort.spend(1)?;
                bends.insert(ns(bend));
                bend = member.next_bend(bend);
            }
        }
        bends.extend(self.all.total.blocking.iter().map(|(from, _)| ns(*from)));
        bends.insert(from);
        Ok(bends)
    }

    fn others(&self) -> impl Iterator<Item = (&Contender<'_>, &Option<Clock>)> {
        let members = self.all.total.members.iter().zip(self.clocks).enumerate();
        members.filter(|(place, _)| *place != self.index).map(|(_, both)| both)
    }

    /// What is before the end of a job.
    fn parts(&self, look: &Look, window: Duration) -> Result<Parts, NoBound> {
        let blocking = self.all.total.blocking_up_to(look.due);
        let (mut by_clock, mut others) = (Vec::new(), Vec::new());
        for (place, (member, clock)) in self.all.total.members.iter().zip(self.clocks).enumerate() {
            match clock {
                _ if place == self.index => {}
                Some(clock) => by_clock.push((place, look.jobs((member, clock), window))),
                None => {
                    let due = member.by_deadline(look.due)?;
                    others.push((place, member.by_release(window).ok(), due));
                }
            }
        }
        Ok(Parts { blocking, by_clock, others, due: look.due })
    }

    /// From the beginning until a job is complete.
    fn completion(&self, look: &Look) -> Result<Duration, NoBound> {
        let Look { begin, due, count, .. } = *look;
        let own = self.own.cost.checked_mul(count).ok_or(NoBound::TooLong)?;
        let blocking = self.all.total.blocking_up_to(due);
        let fixed = own.checked_add(blocking).ok_or(NoBound::TooLong)?;
        let time_for = |work| match &self.placed {
            None => self.all.supply.time_for(work),
            Some(placed) => placed.time_for(begin, work, self.effort),
        };
        least_fixed_point(self.effort, self.clocks.len(), time_for(fixed)?, |window| {
            let mut sum = fixed;
            for (member, clock) in self.others() {
                let most = match clock {
                    None => member.takes(window, due)?,
                    Some(clock) => {
                        let jobs = look.jobs((member, clock), window);
                        member.cost.checked_mul(jobs).ok_or(NoBound::TooLong)?
                    }
                };
                sum = sum.checked_add(most).ok_or(NoBound::TooLong)?;
            }
            time_for(sum)
        })
    }

    /// Where the windows of the supply stand, if that counts.
    pub(crate) fn placed(&self) -> Option<&Placed<'a>> {
        self.placed.as_ref()
    }
}

fn ns(duration: Duration) -> i128 {
    duration.as_ns().into()
}

/// What is below zero is none.
fn positive(time: i128) -> Duration {
    Duration::from_ns(u64::try_from(time.max(0)).unwrap_or(u64::MAX))
}
