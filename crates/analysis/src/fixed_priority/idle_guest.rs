//! The guest of a server that keeps its budget, once more: windows begin when the guest has nothing to do.
//!
//! **Model.** What is known after the first look says how long each job can have used budget; with that
//! [`IdleStart`] bounds every task, and every server in the guest, again. The lesser of both bounds counts.
//!
//! **Response times that rest on each other.** Let `F(R)` be the bounds of the tasks of the guest if all jobs respond within `R`. If
//! `F(R) <= R` then all do: the first job to exceed its `R` would do so in a window before which none did. Such an `R` is looked for from
//! the execution times up; where none is found soon, that of the first look is taken.
//!
//! **Assumptions.** 1. The bounds of the first look hold. 2. The tasks that are described are all work of the guest, but for what
//! holds them up. 3. Response times are used only of members that no section of another delays: one that holds up a member
//! at least as urgent comes before them in each of its busy windows, and their own bounds do not contain it. 4. A sporadic server in
//! the guest is guaranteed its budget, else nothing bounds what it takes before a window.
//!
//! **Does not cover** guests with routines, pseudo-VCPUs, cold caches, sections, storms, or tasks that take packets: their
//! bounds stay as they are.
//!
//! Theory: docs/theory/idle-start.md.

use super::response_time;
use crate::arrival::Arrivals;
use crate::demand::{Load, Loads, task_anywhere};
use crate::ground::{Effort, NoBound};
use crate::request::{Competitor, Ranked, equals};
use crate::supply::{Earlier, IdleStart, Kept, Own, Residual, Supply};
use vorrang_model::system::{Member, System, TaskId};
use vorrang_time::Duration;

/// Rounds in which response times that rest on each other are looked for.
const ROUNDS: usize = 16;

/// A server that keeps its budget, and its guest.
pub(crate) struct Guest<'a> {
    pub(crate) system: &'a System,
    pub(crate) server: Kept<'a>,
    pub(crate) usual: &'a dyn Supply,
    /// Its members, the most urgent first, and what they take in windows that begin when their level does.
    pub(crate) ranked: &'a [Ranked<'a>],
    pub(crate) loads: &'a [Load<'a>],
    /// Which of them catch up: sporadic servers that may not use a unit of budget within a period of its time, and then several in a
    /// row. In windows that begin anywhere nothing bounds what they take.
    pub(crate) catches_up: &'a [bool],
    pub(crate) effort: &'a Effort,
}

/// What bounds one member.
pub(crate) struct Place<'a> {
    /// What comes before it in windows that begin anywhere.
    anywhere: Vec<Load<'a>>,
    /// What else may have used budget; none if nothing bounds that.
    others: Option<Vec<Load<'a>>>,
    /// Of a task: earlier jobs of it.
    own: Option<Own<'a>>,
}

impl<'a> Guest<'a> {
    /// By place: within what time every job of a task is complete; none where nothing bounds that, and of servers.
    pub(crate) fn responses(
        &self,
        known: &dyn Fn(TaskId) -> Option<Duration>,
    ) -> Vec<Option<Duration>> {
        let task = |own: &Ranked<'_>| match own.who {
            Competitor::Member(Member::Task(task)) => Some(task),
            _ => None,
        };
        let known = |place: usize| {
            if self.is_behind_a_section(place) { None } else { known(task(&self.ranked[place])?) }
        };
        let first: Vec<Option<Duration>> = (0..self.ranked.len()).map(known).collect();
        let costs = first.iter().zip(self.loads).map(|(known, own)| known.map(|_| own.cost));
        let mut responses: Vec<Option<Duration>> = costs.collect();
        for _ in 0..ROUNDS {
            let mut grows = false;
            for place in 0..first.len() {
                let (Some(known), Some(before)) = (first[place], responses[place]) else {
                    continue;
                };
                let Some(task) = task(&self.ranked[place]) else { continue };
                let found = self
                    .place(place, &responses)
                    .map(|bounds| self.response((place, task), &bounds).unwrap_or(known));
                let now = found.unwrap_or(known).min(known).max(before);
                grows |= now > before;
                responses[place] = Some(now);
            }
            if !grows {
                return responses;
            }
        }
        first
    }

    /// Whether a section that holds up another member at least as urgent comes before this one too: more often than its
    /// bound says.
    fn is_behind_a_section(&self, place: usize) -> bool {
        let until = place + equals(self.ranked, place);
        let holds_up = |other: usize| match self.ranked[other].who {
            Competitor::Member(member) => !self.system.blocking(member).is_zero(),
            Competitor::PseudoVcpu(_) => false,
        };
        (0..until).any(|other| other != place && holds_up(other))
    }

    /// What bounds one member, if jobs respond within `responses`; none if something more urgent has no bound.
    pub(crate) fn place(&self, place: usize, responses: &[Option<Duration>]) -> Option<Place<'a>> {
        let until = place + equals(self.ranked, place);
        let other = |other: usize| -> Option<Load<'a>> {
            let load = self.loads[other];
            match self.ranked[other].who {
                Competitor::Member(Member::Task(task)) => {
                    Some(task_anywhere(self.system, task, load, responses[other]?))
                }
                _ if self.is_behind_a_section(other) || self.catches_up[other] => None,
                _ => Some(load.anywhere(load.arrivals.period)),
            }
        };
        let urgent = (0..until).filter(|&at| at != place).map(other);
        let urgent: Option<Vec<Load<'_>>> = urgent.collect();
        let less = (until..self.ranked.len()).map(other);
        let (others, own) = match self.ranked[place].who {
            Competitor::Member(Member::Task(task)) => {
                let response = responses[place]?;
                let late = response.saturating_sub(self.loads[place].arrivals.jitter);
                let anywhere = task_anywhere(self.system, task, self.loads[place], response);
                let period = anywhere.arrivals.period;
                let up_to = Load { arrivals: Arrivals::new(period, late), ..anywhere };
                let own = Own { from: period.saturating_sub(late), up_to, anywhere };
                (less.collect(), Some(own))
            }
            _ => (less.chain([other(place)]).collect(), None),
        };
        Some(Place { anywhere: urgent?, others, own })
    }

    /// The response time of a task of the self.
    ///
    /// # Errors
    /// Why there is no bound.
    pub(crate) fn response(
        &self,
        (place, task): (usize, TaskId),
        bounds: &Place<'_>,
    ) -> Result<Duration, NoBound> {
        let blocking = self.system.blocking(Member::Task(task));
        self.effort.restart(self.ranked.len());
        self.with_supply(place, bounds, |supply| {
            let (own, none) = (&self.loads[place], Loads::new(&[]));
            let found = response_time(supply, own, blocking, none, self.effort);
            found.map(|response| response.bound)
        })
    }

    /// Does something with what one member has of the server.
    pub(crate) fn with_supply<T>(
        &self,
        place: usize,
        bounds: &Place<'_>,
        does: impl FnOnce(&IdleStart<'_>) -> T,
    ) -> T {
        let until = place + equals(self.ranked, place);
        let loads = Loads::without(&self.loads[..until], place);
        let earlier = match &bounds.others {
            Some(others) => Earlier::Known(others, bounds.own.as_ref()),
            None => Earlier::Anything,
        };
        does(&IdleStart {
            server: self.server,
            usual: Residual::new(self.usual, loads, self.effort),
            loads,
            anywhere: &bounds.anywhere,
            earlier,
            effort: self.effort,
        })
    }
}
