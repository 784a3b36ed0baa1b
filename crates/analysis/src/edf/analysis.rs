//! All members of an EDF supply at once: what their searches share, and which of two bounds on lateness counts.
//!
//! **Model.** Response times, and lateness where there are none, are looked for on the same supply. Members of a core that
//! all pay for the routines that interrupt them have a second bound on lateness: with these routines a part of their budgets,
//! the core is theirs except for what is charged to none ([`Analysis::charged`]). The lesser of both counts.
//!
//! **Assumptions.** 1. Members are bounded as `demand.rs` says. 2. What is charged to a member is in its budget.
//!
//! Theory: docs/theory/edf-response.md, docs/theory/lateness.md.

use super::by_clock::ByClock;
use super::guest_work::{Guests, guest};
use super::total::Total;
use super::{Before, Contender, EarlierJobs, Late, Portion, Response, ResponseTimes, lateness};
use crate::arrival::Clock;
use crate::demand::Interference;
use crate::demand::Loads;
use crate::ground::{Effort, NoBound};
use crate::supply::{Dedicated, Residual, Supply, UsedBefore};
use core::cell::OnceCell;
use vorrang_time::Duration;

/// An EDF supply and everything on it.
pub(crate) struct Analysis<'a> {
    supply: &'a dyn Supply,
    /// A core that nothing else takes any time of.
    is_bare_core: bool,
    members: &'a [Contender<'a>],
    guests: Guests<'a>,
    effort: &'a Effort,
    /// What the searches for response times share.
    responses: Result<ResponseTimes<'a, dyn Supply + 'a>, NoBound>,
    /// Where the members pay for the routines that interrupt them: what comes before them besides.
    unpaid: Option<Interference<'a>>,
    /// The largest lateness, computed on demand; `None`: it is not bounded.
    late: OnceCell<Option<Duration>>,
    /// The same without what is known of guests.
    first: Option<&'a Self>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(
        (supply, is_bare_core): (&'a dyn Supply, bool),
        members: &'a [Contender<'a>],
        effort: &'a Effort,
    ) -> Self {
        effort.restart_for_all();
        let responses = ResponseTimes::new(supply, members, effort);
        let (unpaid, late, first) = (None, OnceCell::new(), None);
        let guests: Guests<'_> = &[];
        Self { supply, is_bare_core, members, guests, effort, responses, unpaid, late, first }
    }

    /// The same where servers take no more than the work in them; lateness is that of their budgets.
    pub(crate) fn beside(first: &'a Self, guests: Guests<'a>, effort: &'a Effort) -> Self {
        let Self { supply, is_bare_core, members, .. } = *first;
        effort.restart_for_all();
        let total = Total::new(members).beside(guests);
        let responses = ResponseTimes::of_total(supply, total, effort);
        let (unpaid, late, first) = (None, OnceCell::new(), Some(first));
        Self { supply, is_bare_core, members, guests, effort, responses, unpaid, late, first }
    }

    /// The same where the members pay for routines, and this comes before them besides.
    pub(crate) fn charged(self, unpaid: Option<Interference<'a>>) -> Self {
        Self { unpaid, ..self }
    }

    /// The supply.
    pub(crate) fn supply(&self) -> &'a dyn Supply {
        self.supply
    }

    /// The competitors, and what their guests do.
    pub(crate) fn competing(&self) -> (&'a [Contender<'a>], Guests<'a>) {
        (self.members, self.guests)
    }

    /// The competitors.
    pub(crate) fn members(&self) -> &'a [Contender<'a>] {
        self.members
    }

    /// The longest response time of a member.
    ///
    /// # Errors
    /// Why there is no bound.
    pub(crate) fn response_time(&self, index: usize) -> Result<Response, NoBound> {
        let responses = self.responses.as_ref().map_err(|&why| why)?;
        self.effort.restart(self.members.len());
        responses.of(index, self.effort)
    }

    /// The same where some come by the clock, each by its place; `None`: nothing is known by that.
    pub(crate) fn by_clock(
        &'a self,
        clocks: &'a [Option<Clock>],
        index: usize,
        effort: &'a Effort,
    ) -> Option<ByClock<'a>> {
        let responses = self.responses.as_ref().ok().filter(|_| self.guests.is_empty())?;
        ByClock::new(responses, (clocks, index), effort)
    }

    /// How late work is that is due `from` or more after the start of its window.
    pub(crate) fn lateness(&self, from: Duration) -> Option<Duration> {
        if let Some(first) = self.first {
            return first.lateness(from);
        }
        let on = |supply: &dyn Supply, from| {
            self.effort.restart_for_all();
            lateness(supply, self.is_bare_core, self.members, from, self.effort).ok()
        };
        let search = |from| {
            let apart = on(self.supply, from);
            let unpaid = self.unpaid.as_ref().filter(|_| apart != Some(Duration::ZERO));
            let charged = unpaid.and_then(|Interference { loads, blocking }| {
                let core = Residual::new(&Dedicated, Loads::new(loads), self.effort);
                on(&core.blocked(*blocking), from)
            });
            apart.into_iter().chain(charged).min()
        };
        let any = *self.late.get_or_init(|| search(Duration::RESOLUTION));
        if any == Some(Duration::ZERO) { any } else { search(from).or(any) }
    }

    /// By when a member that is released a relative deadline ahead is complete, although its response time has no bound.
    pub(crate) fn deadline_and_lateness(&self, index: usize) -> Option<Duration> {
        let own = &self.members[index];
        let from = own.least_time_to_deadline();
        let late = if from.is_zero() { None } else { self.lateness(from) };
        late.map(|late| own.deadline() + late)
    }

    /// Whether what is released a relative deadline ahead is complete by then.
    pub(crate) fn is_never_late(&self, index: usize) -> bool {
        self.lateness(self.members[index].deadline()) == Some(Duration::ZERO)
    }

    /// How late a kept budget is at most; `None`: nothing bounds it.
    pub(crate) fn kept(&self) -> Option<Duration> {
        let keeps = self.members.iter().any(Contender::keeps);
        if keeps { self.lateness(Duration::RESOLUTION) } else { Some(Duration::ZERO) }
    }

    /// How late the budget of a server is that keeps what its guest does not want.
    pub(crate) fn late(&self, index: usize) -> Option<Late> {
        let kept = self.lateness(Duration::RESOLUTION)?;
        let whole = self.lateness(self.members[index].deadline())?;
        Some(Late { whole, kept })
    }
}

/// By when one server of an EDF supply delivers parts of its budgets.
pub(crate) struct Deliveries<'a> {
    pub(crate) analysis: &'a Analysis<'a>,
    pub(crate) index: usize,
    /// What others take besides their columns, because budgets come early.
    pub(crate) early: Duration,
    /// Of a whole budget, once it is known.
    pub(crate) whole: OnceCell<Option<Duration>>,
    /// The steps of its searches.
    pub(crate) effort: Effort,
}

impl Deliveries<'_> {
    /// Of one part, after it is wanted; `None`: nothing was found.
    pub(crate) fn of(&self, portion: Portion) -> Option<Duration> {
        self.delivery(portion, Before::Budgets).ok()
    }

    /// Of a whole budget.
    pub(crate) fn whole(&self) -> Option<Duration> {
        let own = &self.analysis.members[self.index];
        *self.whole.get_or_init(|| self.of(Portion { work: own.cost, deadline: own.deadline() }))
    }

    /// Within what time every job of the only task of the server is complete, where that is known.
    pub(crate) fn response(&self) -> Option<Duration> {
        guest(self.analysis.guests, self.index)?.response
    }

    /// The same after earlier jobs of the only task of the server.
    pub(crate) fn after_jobs(&self, portion: Portion, earlier: EarlierJobs) -> Option<Duration> {
        self.delivery(portion, Before::Jobs(earlier)).ok()
    }

    /// The same from an instant on at which the guest was idle, `portion.deadline` before the deadline of the budget or
    /// later.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn after_idle(
        &self,
        portion: Portion,
        used: UsedBefore<'_>,
    ) -> Result<Duration, NoBound> {
        self.delivery(portion, Before::Used(used))
    }

    fn delivery(&self, portion: Portion, before: Before<'_>) -> Result<Duration, NoBound> {
        let responses = self.analysis.responses.as_ref().map_err(|&why| why)?;
        self.effort.restart(self.analysis.members.len());
        let work = portion.work.checked_add(self.early).ok_or(NoBound::TooLong)?;
        responses.delivery(self.index, (Portion { work, ..portion }, before), &self.effort)
    }
}
