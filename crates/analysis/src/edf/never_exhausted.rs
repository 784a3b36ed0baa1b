//! Servers with deadlines whose guests never wait for budget, although all reservations together exceed the supply.
//!
//! **Theorem.** Let some servers count with the work that is released in them, everything else with its budgets and jobs,
//! and let no busy window of that be longer than `L`. If in each of these servers no more than its budget is released in
//! any `T + L` (a polling one: in `2 T + L`), none of them ever has work and no budget: all work in them is complete within
//! `L` of its release (`T + L`).
//!
//! ```text
//!    p − L             p                t0     p + T
//!   ───|───────────────|────────────────|──────|──>
//!      <─ whatever is executed or waits ─>
//!         in [p, t0] is released here
//! ```
//!
//! To everything else such a server is its tasks, as jobs that are due at once ([`Unhurried::beside`]).
//!
//! **Assumptions.** 1. The described tasks are all that these servers are used for; none of them is blocked, nothing else is
//! paid for. 2. No member of the supply is blocked.
//!
//! Theory: docs/theory/overbooked.md.

use super::demand::{Contender, Work};
use super::total::Total;
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfInterference, OfResponse};
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, Source};
use crate::supply::Supply;
use vorrang_time::Duration;

/// The work in a server that may turn out never to wait for budget.
#[derive(Clone, Debug)]
pub(crate) struct Light<'a> {
    /// The jobs of its tasks, as they are released.
    pub(crate) released: Vec<Load<'a>>,
    /// How long these may wait until the server looks at them.
    pub(crate) until_poll: Duration,
    /// Whether the deadline of a budget stays when work goes on past it.
    pub(crate) stays_due: bool,
    /// Whether it goes on with a later deadline instead of waiting for budget.
    pub(crate) never_waits: bool,
}

impl Light<'_> {
    /// The same as jobs that are due as soon as they are there, `late` longer.
    fn jobs(&self, late: Duration) -> impl Iterator<Item = Contender<'_>> {
        self.released.iter().map(move |load| Contender {
            of: load.source,
            cost: load.cost,
            period: load.arrivals.period,
            distances: load.arrivals.distances,
            work: Work::Jobs {
                deadline: Duration::RESOLUTION,
                jitter: load.arrivals.jitter + self.until_poll + late,
                blocking: Duration::ZERO,
            },
        })
    }

    /// Whether no budget of `server` is used up before its work is done, where busy windows last `busy` at most.
    fn lasts(&self, server: &Contender<'_>, busy: Duration) -> Result<bool, NoBound> {
        if self.never_waits {
            return Ok(true);
        }
        let window =
            server.period.checked_add(busy).and_then(|sum| sum.checked_add(self.until_poll));
        let window = window.filter(|window| *window <= LONGEST_WINDOW).ok_or(NoBound::TooLong)?;
        Ok(Loads::new(&self.released).in_window(window)? <= server.cost)
    }
}

/// Which members of a supply never wait for budget.
#[derive(Debug)]
pub(crate) struct Unhurried<'a> {
    members: &'a [Contender<'a>],
    /// By member: the work in those that never wait.
    light: Vec<Option<&'a Light<'a>>>,
    /// The longest busy window.
    busy: Duration,
}

impl<'a> Unhurried<'a> {
    /// As many as are found, the member at `except` not among them.
    ///
    /// # Errors
    /// Why there is no longest busy window beside them.
    pub(crate) fn among<S: Supply + ?Sized>(
        supply: &S,
        (members, light): (&'a [Contender<'a>], &'a [Option<Light<'a>>]),
        except: Option<usize>,
        effort: &Effort,
    ) -> Result<Self, NoBound> {
        let own = |(place, light): (usize, &'a Option<Light<'a>>)| {
            light.as_ref().filter(|_| Some(place) != except)
        };
        let light = light.iter().enumerate().map(own).collect();
        let mut found = Self { members, light, busy: Duration::ZERO };
        loop {
            found.busy = found.longest_busy_window(supply, effort)?;
            let mut is_smaller = false;
            for (own, light) in members.iter().zip(&mut found.light) {
                if let Some(work) = light
                    && !work.lasts(own, found.busy)?
                {
                    (*light, is_smaller) = (None, true);
                }
            }
            if !is_smaller {
                return Ok(found);
            }
        }
    }

    fn longest_busy_window<S: Supply + ?Sized>(
        &self,
        supply: &S,
        effort: &Effort,
    ) -> Result<Duration, NoBound> {
        let members = self.contenders(|_| Duration::ZERO);
        let total = Total::new(&members);
        effort.restart_for_all();
        total.expect(supply, effort)?;
        if total.has_soft_members() {
            return Err(NoBound::TooLong);
        }
        total.longest_busy_window(supply, effort)
    }

    /// Whether there is any.
    pub(crate) fn is_empty(&self) -> bool {
        self.light.iter().all(Option::is_none)
    }

    /// What the others compete with: those that never wait are their tasks, due at once.
    pub(crate) fn beside(&self) -> Vec<Contender<'_>> {
        self.contenders(|light| if light.stays_due { self.busy } else { Duration::ZERO })
    }

    /// Where a member that is no such server stands among them.
    pub(crate) fn place(&self, member: usize) -> usize {
        self.light[..member].iter().map(|light| light.map_or(1, |work| work.released.len())).sum()
    }

    fn contenders(&self, late: impl Fn(&Light<'_>) -> Duration) -> Vec<Contender<'_>> {
        let mut all = Vec::with_capacity(self.members.len());
        for (own, light) in self.members.iter().zip(&self.light) {
            match light {
                None => all.push(*own),
                Some(light) => all.extend(light.jobs(late(light))),
            }
        }
        all
    }

    /// How long after its arrival each job of a task in the server at `place` is complete; none if that may wait for budget.
    pub(crate) fn response(&self, place: usize, of: Source) -> Option<Duration> {
        let light = self.light[place]?;
        let own = light.released.iter().find(|load| load.source == of)?;
        self.busy.checked_add(own.arrivals.jitter)?.checked_add(light.until_poll)
    }

    /// How long a job of a task takes in it.
    pub(crate) fn derive(
        &self,
        of: Source,
        bound: Duration,
        supply: &dyn Supply,
        to: &mut Derivation,
    ) {
        let window = self.busy;
        to.push(OfResponse::EdfJob { of, released: Duration::ZERO, window, bound });
        let mut demand = Duration::ZERO;
        to.indented(|to| {
            for member in self.contenders(|_| Duration::ZERO) {
                let Ok(due) = member.by_release(window) else { continue };
                let released = Some(due);
                to.push(OfInterference::Due { of: member.of, released, window, due, at: window });
                demand += due;
            }
        });
        to.cite("a supply that is busy no longer; docs/theory/overbooked.md");
        supply.derive(demand, to);
    }
}
