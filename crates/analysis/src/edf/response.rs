//! Response times under EDF, on any supply.
//!
//! **Model.** Look at the job of a member that arrives at `a` (from −J on) with the deadline
//! `d = a + D`, in a window before which nothing with a deadline up to `d` was pending. It completes at the
//! least `x = supply(B(d) + own(a) + sum over others of min(by release in x, by deadline up to d))`,
//! and its response time is `x − a`. The demand changes only where `d` passes a deadline of
//! some job, so only those `a` are looked at, up to the longest busy window. Where the demand of
//! a server is a slope, the interval is cut into pieces and each is charged its right end.
//!
//! The search goes down from the end of that window. `R` is the longest response time known, and
//! `f` the right side above: if `f(a + R) <= a + R`, then the job at `a` completes by `f(a + R)`, so
//! does every job before it, and those from `f(a + R) − R` on respond within `R`. They are not looked at.
//!
//! ```text
//!      f(a+R) − R              a       f(a+R)    a + R
//!   ───────|───────────────────|──────────|────────|──>
//!    next  <── none is worse ──>
//! ```
//!
//! **Assumptions.** 1. Members are bounded as `demand.rs` says. 2. Jobs of one task run in the order of arrival.
//!
//! Exact on a dedicated core for sporadic tasks without jitter and blocking; the response time
//! does not assume that other deadlines are met.
//!
//! **Cost.** One evaluation for each skip, and one fixed point where a skip is refused; the longest busy
//! window is looked for once for all members.
//!
//! Reference: Spuri 1996 (INRIA RR-2772), section 4; on a supply with the inverse supply bound. The
//! skips carry the idea of QPA (Zhang, Burns 2009) over to response times.
//! Theory: docs/theory/edf-response.md.

use super::demand::Contender;
use super::total::{Others, Total};
use crate::ground::{Effort, LongRun, NoBound, least_fixed_point};
use crate::supply::Supply;
use vorrang_time::Duration;

/// The worst job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Response time, from the arrival.
    pub bound: Duration,
    /// Arrival plus jitter, from the start of the window: when the job is released at the latest.
    pub latest_release: Duration,
    /// From the start of the window to the completion.
    pub window: Duration,
}

/// What the searches for the response times of all members share.
pub struct ResponseTimes<'a, S: ?Sized> {
    pub(super) supply: &'a S,
    pub(super) total: Total<'a>,
    /// The longest window that is looked at.
    pub(super) last: Duration,
    /// Whether everything is complete by then.
    pub(super) ends: bool,
    wanted: LongRun,
}

impl<'a, S: Supply + ?Sized> ResponseTimes<'a, S> {
    /// Looks for the longest busy window of `members` on `supply`.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new(
        supply: &'a S,
        members: &'a [Contender<'a>],
        effort: &Effort,
    ) -> Result<Self, NoBound> {
        Self::of_total(supply, Total::new(members), effort)
    }

    /// The same of members that take no more than the work in them.
    ///
    /// # Errors
    /// As above.
    pub(super) fn of_total(
        supply: &'a S,
        total: Total<'a>,
        effort: &Effort,
    ) -> Result<Self, NoBound> {
        let wanted = total.expect(supply, effort)?;
        // Beside soft servers, and at full load, jobs may be complete after the last window that is looked at.
        let busy = if total.has_soft_members() {
            None
        } else {
            let found = total.longest_busy_window(supply, effort);
            found.map(Some).or_else(|why| match wanted {
                LongRun::All => Ok(None),
                LongRun::Less => Err(why),
            })?
        };
        let (last, ends) = match busy {
            Some(last) => (last, true),
            None => (total.longest_window((Duration::ZERO, wanted), supply, effort)?, false),
        };
        Ok(Self { supply, total, last, ends, wanted })
    }

    /// The longest response time of the member at `place`: a task's job, or the budget of a
    /// periodic server.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn of(&self, place: usize, effort: &Effort) -> Result<Response, NoBound> {
        let search = Search {
            all: self,
            place,
            own: &self.total.members[place],
            others: self.total.without(place),
            effort,
            least: Duration::ZERO,
        };
        search.worst().map_err(|why| self.wanted.reason(why))
    }
}

/// The longest response time of `members[index]` alone.
///
/// # Errors
/// Why there is no bound.
pub fn response_time<S: Supply + ?Sized>(
    supply: &S,
    members: &[Contender<'_>],
    index: usize,
    effort: &Effort,
) -> Result<Response, NoBound> {
    ResponseTimes::new(supply, members, effort)?.of(index, effort)
}

/// Arrivals (plus jitter) of one member with the same demand.
#[derive(Clone, Copy, Debug)]
struct Piece {
    first: Duration,
    /// By when the job of the last of them is due.
    due: Duration,
}

/// What came of looking at a piece.
struct Look {
    /// When its jobs and all earlier ones have completed.
    completed: Duration,
    /// Its worst job, if it is worse than what was known.
    worse: Option<Response>,
}

/// The jobs of one member.
struct Search<'a, S: ?Sized> {
    all: &'a ResponseTimes<'a, S>,
    place: usize,
    own: &'a Contender<'a>,
    others: Others<'a>,
    effort: &'a Effort,
    /// When the first job completes; no other does earlier.
    least: Duration,
}

impl<S: Supply + ?Sized> Search<'_, S> {
    fn worst(mut self) -> Result<Response, NoBound> {
        let (jitter, last) = (self.own.jitter(), self.all.last);
        self.least = self.completion(self.piece_of(Duration::ZERO))?;
        let mut worst = Response {
            bound: self.least + jitter,
            latest_release: Duration::ZERO,
            window: self.least,
        };
        // Only pieces that begin before this can hold a worse job.
        let mut before = last;
        if self.all.ends {
            before = last.min((last + jitter).saturating_sub(worst.bound));
        }
        let mut stride = Duration::RESOLUTION;
        while !before.is_zero() {
            let look = self.look_at(before - Duration::RESOLUTION, worst.bound)?;
            let mut found = look.worse;
            while let Some(worse) = found {
                worst = worse;
                // Jobs often complete with others that arrive much earlier, and those respond later:
                // go down in growing strides as long as it gets worse.
                let earlier = worst.latest_release.saturating_sub(stride);
                found = self.look_at(earlier, worst.bound)?.worse;
                let next = if found.is_some() { stride.as_ns() * 2 } else { stride.as_ns() / 4 };
                stride = Duration::from_ns(next.max(1));
            }
            before = (look.completed + jitter).saturating_sub(worst.bound);
        }
        Ok(worst)
    }

    /// Looks at the piece with `shifted`, unless one evaluation shows that it is no worse than `known`.
    fn look_at(&self, shifted: Duration, known: Duration) -> Result<Look, NoBound> {
        let jitter = self.own.jitter();
        let limit = shifted + known - jitter;
        self.effort.spend(self.all.total.members.len())?;
        let completed = self.needed(self.own_work(shifted)?, limit, self.due_after(shifted))?;
        if completed <= limit {
            return Ok(Look { completed, worse: None });
        }
        self.effort.spend(self.all.total.members.len())?;
        let piece = self.piece_of(shifted);
        let window = self.completion(piece)?;
        let bound = (window + jitter).saturating_sub(piece.first);
        let worse = Response { bound, latest_release: piece.first, window };
        Ok(Look { completed: window, worse: (bound > known).then_some(worse) })
    }

    /// Own jobs up to the one that arrives (plus jitter) at `shifted`.
    fn own_work(&self, shifted: Duration) -> Result<Duration, NoBound> {
        let jobs = self.own.jobs_by(shifted);
        self.own.cost.checked_mul(jobs).ok_or(NoBound::TooLong)
    }

    /// By when the jobs of the piece with `shifted` are due at the latest; where no demand is a
    /// slope, the whole piece has the same demand.
    fn due_after(&self, shifted: Duration) -> Duration {
        let Total { members, .. } = self.all.total;
        let end = if self.all.total.has_slopes() {
            next_shift(members, self.place, shifted) - Duration::RESOLUTION
        } else {
            shifted
        };
        due(self.own, end)
    }

    fn piece_of(&self, shifted: Duration) -> Piece {
        let first = last_shift(self.all.total.members, self.place, shifted);
        Piece { first, due: self.due_after(shifted) }
    }

    /// The time to receive `own_work`, the blocking, and what of the others stands before it in
    /// `window`.
    #[inline]
    fn needed(
        &self,
        own_work: Duration,
        window: Duration,
        due: Duration,
    ) -> Result<Duration, NoBound> {
        let blocking = self.all.total.blocking_up_to(due);
        let fixed = own_work.checked_add(blocking).ok_or(NoBound::TooLong)?;
        self.all.supply.time_for(self.others.add_to(fixed, window, due)?)
    }

    /// When the jobs of a piece complete at the latest, from the start of the window.
    fn completion(&self, piece: Piece) -> Result<Duration, NoBound> {
        let own_work = self.own_work(piece.first)?;
        let start = self.all.supply.time_for(own_work)?.max(self.least);
        let terms = self.all.total.members.len();
        least_fixed_point(self.effort, terms, start, |window| {
            self.needed(own_work, window, piece.due)
        })
    }
}

/// When the job that arrives (plus jitter) at `shifted` is due.
pub(super) fn due(own: &Contender<'_>, shifted: Duration) -> Duration {
    (shifted + own.deadline()).saturating_sub(own.jitter())
}

/// The last arrival (plus jitter) up to `shifted` from which on the demand is another.
fn last_shift(members: &[Contender<'_>], index: usize, shifted: Duration) -> Duration {
    let own = &members[index];
    let own_last = own.last_job(shifted);
    let due = due(own, shifted);
    members
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index)
        .map(|(_, member)| member.last_bend(due))
        .filter(|bend| !bend.is_zero())
        .map(|bend| (bend + own.jitter()).saturating_sub(own.deadline()))
        .fold(own_last, Duration::max)
}

/// The next arrival (plus jitter) for which the demand differs.
pub(super) fn next_shift(members: &[Contender<'_>], index: usize, shifted: Duration) -> Duration {
    let own = &members[index];
    let own_next = own.next_job(shifted);
    // d = shifted + D − J; the others bend at d, so shifted bends at d + J − D. Both sides may lie
    // before the window: compare after adding J on either side.
    let (deadline, jitter) = (own.deadline(), own.jitter());
    let due = (shifted + deadline).saturating_sub(jitter);
    members
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index)
        .map(|(_, member)| (member.next_bend(due) + jitter).saturating_sub(deadline))
        .filter(|&next| next > shifted)
        .min()
        .map_or(own_next, |next| next.min(own_next))
}
