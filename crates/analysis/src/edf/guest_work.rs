//! What a server with deadlines takes of its parent because of the work in it.
//!
//! **Theorem.** Let nothing due by `d` be pending just before a window. With deadlines up to `d` a server (Q, T) takes in `x` of it at most
//! the greater of
//!
//! ```text
//!   F(x)                                         its guest has nothing ready then
//!   min(A(x), A(x + T) − Q, budgets due by d)    it has no budget then, and waits
//! ```
//!
//! where `F` is the work that is released in the window, `A` what can be pending in one that begins anywhere. A server that has both is due
//! later, and takes nothing. If its guest is one task (C, T′, J), complete before the next one arrives, and no job finds
//! a pair that is kept, it takes no more than `(floor((d − T + J) / T′) + 1) C` either, nothing with `d < T`.
//!
//! **Assumptions.** 1. The described tasks are all that the server is used for, none of them is blocked. 2. Every job in `A` is complete within its
//! bound, which was found without this. 3. Deadlines of a server never move back.
//!
//! Theory: docs/theory/guest-by-deadlines.md.

use super::demand::{Contender, Work};
use crate::demand::{Load, Loads};
use crate::ground::{LONGEST_WINDOW, NoBound};
use vorrang_time::Duration;

/// All work in one server.
#[derive(Clone, Debug)]
pub(crate) struct GuestWork<'a> {
    /// From an instant on at which nothing of it is ready.
    pub(crate) released: Vec<Load<'a>>,
    /// What can have been pending, in windows that begin anywhere, if the server may wait for its budget.
    pub(crate) anywhere: Option<Vec<Load<'a>>>,
    /// Whether all of a budget was used in the period before, where the server waits.
    pub(crate) spends_all: bool,
    /// Within what time every job of its only task is complete.
    pub(crate) response: Option<Duration>,
    /// Its only task, each job of which has a new deadline.
    pub(crate) afresh: Option<Load<'a>>,
}

impl GuestWork<'_> {
    /// The most that `server` takes of a window.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    pub(super) fn takes(
        &self,
        server: &Contender<'_>,
        window: Duration,
        deadline: Duration,
    ) -> Result<Duration, NoBound> {
        let most = self.in_window(server, window, Some(deadline))?;
        match self.afresh {
            None => Ok(most),
            Some(_) if deadline < server.period => Ok(Duration::ZERO),
            Some(jobs) => Ok(most.min(jobs.begun_by(deadline - server.period)?)),
        }
    }

    /// The same whatever its deadlines.
    ///
    /// # Errors
    /// As above.
    pub(super) fn by_release(
        &self,
        server: &Contender<'_>,
        window: Duration,
    ) -> Result<Duration, NoBound> {
        self.in_window(server, window, None)
    }

    fn in_window(
        &self,
        server: &Contender<'_>,
        window: Duration,
        deadline: Option<Duration>,
    ) -> Result<Duration, NoBound> {
        let released = Loads::new(&self.released).in_window(window)?;
        let Some(anywhere) = &self.anywhere else { return Ok(released) };
        let pending = |window: Duration| {
            let window = Some(window).filter(|window| *window <= LONGEST_WINDOW);
            Loads::new(anywhere).in_window(window.ok_or(NoBound::TooLong)?)
        };
        let mut waits = pending(window)?;
        if self.spends_all {
            let window = window.checked_add(server.period).ok_or(NoBound::TooLong)?;
            waits = waits.min(pending(window)?.saturating_sub(server.cost));
        }
        if let Some(deadline) = deadline {
            waits = waits.min(budgets_to_come(server, deadline)?);
        }
        Ok(released.max(waits))
    }
}

/// By member what its guest does, where that is known to take less than its budgets; none of any where that is not looked at.
pub(super) type Guests<'a> = &'a [Option<GuestWork<'a>>];

/// What the guest of a member does, where that is known.
pub(super) fn guest(guests: Guests<'_>, place: usize) -> Option<&GuestWork<'_>> {
    guests.get(place).and_then(Option::as_ref)
}

/// The most that the member at `place` takes of a window of this length. Parts of whole budgets are looked for in the longest
/// such window, so only servers that have no limit of their own count with their guests.
pub(super) fn released(
    guests: Guests<'_>,
    (place, member): (usize, &Contender<'_>),
    window: Duration,
) -> Result<Duration, NoBound> {
    match guest(guests, place).filter(|_| member.work == Work::SoftBandwidth) {
        None => member.by_release(window),
        Some(guest) => guest.by_release(member, window),
    }
}

/// The most that is due by then of a server that has no budget when the window begins.
fn budgets_to_come(server: &Contender<'_>, deadline: Duration) -> Result<Duration, NoBound> {
    match server.work {
        Work::DeferrableServer => {
            server.cost.checked_mul(deadline.div_floor(server.period)).ok_or(NoBound::TooLong)
        }
        Work::ConstantBandwidth if deadline < server.period => Ok(Duration::ZERO),
        _ => server.by_deadline(deadline),
    }
}

/// Earlier jobs of the only task of a server, before a part of a budget that it wants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlierJobs {
    pub(crate) cost: Duration,
    pub(crate) apart: Duration,
    /// Each is complete so long after its arrival.
    pub(crate) response: Duration,
    /// Budgets since the server started afresh, a period each.
    pub(crate) budgets: u64,
}

impl EarlierJobs {
    /// What `server` has used of the time before.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    pub(super) fn used_in(
        &self,
        server: &Contender<'_>,
        before: Duration,
    ) -> Result<Duration, NoBound> {
        let Self { cost, apart, response, budgets } = *self;
        let budgets = budgets.min(before.div_floor(server.period));
        let before = before.saturating_sub(server.period * budgets);
        let jobs = (before + response).saturating_sub(apart).div_ceil(apart);
        let budgets = server.cost.checked_mul(budgets).ok_or(NoBound::TooLong)?;
        cost.checked_mul(jobs).and_then(|jobs| jobs.checked_add(budgets)).ok_or(NoBound::TooLong)
    }
}
