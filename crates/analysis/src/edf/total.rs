//! What all members of an EDF supply demand together.
//!
//! **Model.** The sums of `demand.rs`. A task and a periodic server are staircases, where the least
//! of what is released and what is due is `min(x + J + T − 1, d + T + J − D) / T` jobs, rounded down:
//! one division. Servers whose demand is a slope are summed by themselves. Blocking is looked up by
//! deadline.
//!
//! **Assumptions.** 1. Those of `demand.rs`, of each member; sums of them need no more.
//!
//! **Cost.** One division a staircase; nothing is kept between evaluations.
//!
//! Theory: docs/theory/edf-response.md, docs/theory/soft-server.md.

use super::demand::{Contender, Work};
use super::guest_work::{Guests, guest, released};
use crate::ground::{COARSE as SHARE_BITS, Rate, is_clearly_below, share};
use crate::ground::{Effort, LongRun, NoBound};
use crate::supply::Supply;
use vorrang_time::Duration;

/// A member whose jobs come whole.
#[derive(Clone, Copy, Debug)]
struct Staircase {
    cost: Duration,
    period: Duration,
    deadline: Duration,
    /// T + J.
    ahead: Duration,
}

impl Staircase {
    fn of(member: &Contender<'_>) -> Option<Self> {
        let Contender { cost, period, .. } = *member;
        let ahead = period + member.jitter();
        let is_even = member.distances.is_none();
        let is_whole = matches!(member.work, Work::Jobs { .. } | Work::PeriodicServer);
        (is_even && is_whole).then(|| Self { cost, period, deadline: member.deadline(), ahead })
    }

    #[inline]
    fn add(&self, sum: Duration, within: Duration) -> Result<Duration, NoBound> {
        let work = self.cost.checked_mul(within.div_floor(self.period)).ok_or(NoBound::TooLong)?;
        sum.checked_add(work).ok_or(NoBound::TooLong)
    }

    #[inline]
    fn due(&self, deadline: Duration) -> Duration {
        (deadline + self.ahead).saturating_sub(self.deadline)
    }

    #[inline]
    fn released(&self, window: Duration) -> Duration {
        window + self.ahead - Duration::RESOLUTION
    }
}

/// All members of an EDF supply.
#[derive(Debug)]
pub(super) struct Total<'a> {
    pub(super) members: &'a [Contender<'a>],
    staircases: Vec<Staircase>,
    /// The other members, with their place.
    slopes: Vec<(usize, &'a Contender<'a>)>,
    /// How many of these demand a share of every window, rounded down, and at least how much together,
    /// in units of 2^-[`SHARE_BITS`].
    shares: (u64, u64),
    /// From which deadline on there is how much blocking, both increasing.
    pub(super) blocking: Vec<(Duration, Duration)>,
    pub(super) guests: Guests<'a>,
}

impl<'a> Total<'a> {
    pub(super) fn new(members: &'a [Contender<'a>]) -> Self {
        let staircases: Vec<_> = members.iter().filter_map(Staircase::of).collect();
        let is_slope = |(_, member): &(usize, &Contender<'_>)| Staircase::of(member).is_none();
        let slopes = if staircases.len() == members.len() {
            Vec::new()
        } else {
            members.iter().enumerate().filter(is_slope).collect()
        };
        let is_share = |work| matches!(work, Work::ConstantBandwidth | Work::SoftBandwidth);
        let of_window = slopes.iter().filter(|(_, member)| is_share(member.work));
        let shares = of_window.fold((0, 0), |(count, sum), (_, member)| {
            (count + 1, share(member.cost, member.period).saturating_add(sum))
        });
        let mut blocking: Vec<_> = members
            .iter()
            .filter(|member| !member.blocking().is_zero())
            .map(|member| (member.least_time_to_deadline(), member.blocking()))
            .collect();
        blocking.sort_unstable();
        let mut longest = Duration::ZERO;
        for (_, so_far) in &mut blocking {
            longest = longest.max(*so_far);
            *so_far = longest;
        }
        Self { members, staircases, slopes, shares, blocking, guests: &[] }
    }

    /// The same where servers take no more than the work in them.
    pub(super) fn beside(self, guests: Guests<'a>) -> Self {
        Self { guests, ..self }
    }

    /// Whether the demand of some member is a slope.
    pub(super) fn has_slopes(&self) -> bool {
        !self.slopes.is_empty()
    }

    /// Compares the load with what `supply` provides in the long run, as [`Effort::expect`].
    pub(super) fn expect<S: Supply + ?Sized>(
        &self,
        supply: &S,
        effort: &Effort,
    ) -> Result<LongRun, NoBound> {
        let provided = supply.rate_ceil();
        let share = |m: &Contender<'_>| m.each_cycle().unwrap_or((m.cost, Duration::RESOLUTION));
        if is_clearly_below(self.members.iter().map(share), provided) {
            return Ok(LongRun::Less);
        }
        let load = self.members.iter().fold(Rate::ZERO, |sum, m| sum.plus(m.rate_floor()));
        effort.expect(load, provided, 4 * self.members.len())
    }

    /// The longest blocking of a job whose deadline can lie in the window.
    pub(super) fn blocking_up_to(&self, deadline: Duration) -> Duration {
        let count = self.blocking.partition_point(|&(from, _)| from <= deadline);
        count.checked_sub(1).map_or(Duration::ZERO, |last| self.blocking[last].1)
    }

    /// Blocking and demand with deadlines up to `deadline`.
    pub(super) fn due_by(&self, deadline: Duration) -> Result<Duration, NoBound> {
        let start = self.blocking_up_to(deadline);
        let sum = self.staircases.iter().try_fold(start, |sum, s| s.add(sum, s.due(deadline)))?;
        self.slopes.iter().try_fold(sum, |sum, (_, member)| {
            sum.checked_add(member.by_deadline(deadline)?).ok_or(NoBound::TooLong)
        })
    }

    /// The longest window up to `window` in which what is due may be complete more than `late` after its
    /// end, given that what is due by `window` is complete by `complete`; `None`: there is none.
    ///
    /// A shorter one `u` is complete by `complete - (due(window) - due(u))` at least, so by
    /// `complete - (U (window - u) - n)` with the shares `U` of `n` members. While a deferrable server is on its ramp,
    /// a shorter window is complete sooner by as much as it is shorter, and nothing is later.
    pub(super) fn longest_later(
        &self,
        window: Duration,
        complete: Duration,
        late: Duration,
    ) -> Option<Duration> {
        let any = complete.as_ns().checked_sub(late.as_ns() + 1)?;
        let on_ramp = self.slopes.iter().filter_map(|(_, member)| member.ramp_from(window)).min();
        let any = match on_ramp {
            Some(from) => any.min(from.as_ns().checked_sub(1)?),
            None => any,
        };
        let (count, sum) = self.shares;
        let whole = 1_u128 << SHARE_BITS;
        let Some(rest) = whole.checked_sub(u128::from(sum)).filter(|rest| *rest > 0) else {
            return Some(Duration::from_ns(any));
        };
        // u (1 - U) < complete - late + n - U window
        let least = u128::from(any) + 1 + u128::from(count);
        let below = (least * whole).checked_sub(u128::from(sum) * u128::from(window.as_ns()))?;
        let longest = u64::try_from(below.div_ceil(rest).checked_sub(1)?).unwrap_or(u64::MAX);
        Some(Duration::from_ns(longest.min(any)))
    }

    /// Blocking and all that can be released within `window`.
    pub(super) fn released_in(&self, window: Duration) -> Result<Duration, NoBound> {
        let start = self.blocking.last().map_or(Duration::ZERO, |last| last.1);
        let sum =
            self.staircases.iter().try_fold(start, |sum, s| s.add(sum, s.released(window)))?;
        self.slopes.iter().try_fold(sum, |sum, &slope| {
            sum.checked_add(released(self.guests, slope, window)?).ok_or(NoBound::TooLong)
        })
    }

    /// The most that is due in `span` after an instant and was not due by then, blocking left out.
    pub(super) fn due_more(&self, span: Duration) -> Result<Duration, NoBound> {
        self.members.iter().try_fold(Duration::ZERO, |sum: Duration, member| {
            sum.checked_add(member.due_more(span)?).ok_or(NoBound::TooLong)
        })
    }

    /// Whether a member takes whatever is left.
    pub(super) fn has_soft_members(&self) -> bool {
        let is_soft = |&(place, member): &(usize, &Contender<'_>)| {
            member.work == Work::SoftBandwidth && guest(self.guests, place).is_none()
        };
        self.slopes.iter().any(is_soft)
    }

    /// All members but one.
    pub(super) fn without(&self, place: usize) -> Others<'_> {
        let slopes_before = self.slopes.partition_point(|&(slope, _)| slope < place);
        let is_slope = self.slopes.get(slopes_before).is_some_and(|&(slope, _)| slope == place);
        let staircases_before = place - slopes_before;
        let (before, from) = self.staircases.split_at(staircases_before);
        let after = if is_slope { from } else { &from[1..] };
        let (slopes_before, from) = self.slopes.split_at(slopes_before);
        let slopes_after = if is_slope { &from[1..] } else { from };
        let (staircases, slopes) = ([before, after], [slopes_before, slopes_after]);
        Others { staircases, slopes, guests: self.guests }
    }
}

/// All members but one of a supply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Others<'a> {
    staircases: [&'a [Staircase]; 2],
    slopes: [&'a [(usize, &'a Contender<'a>)]; 2],
    guests: Guests<'a>,
}

impl Others<'_> {
    /// `sum`, and what of the others can be released within `window` and is due by `deadline`.
    pub(super) fn add_to(
        &self,
        mut sum: Duration,
        window: Duration,
        deadline: Duration,
    ) -> Result<Duration, NoBound> {
        for staircases in self.staircases {
            sum = staircases
                .iter()
                .try_fold(sum, |sum, s| s.add(sum, s.due(deadline).min(s.released(window))))?;
        }
        for &(place, member) in self.slopes.into_iter().flatten() {
            let most = member.takes(window, deadline)?;
            let most = match guest(self.guests, place) {
                None => most,
                Some(guest) => most.min(guest.takes(member, window, deadline)?),
            };
            sum = sum.checked_add(most).ok_or(NoBound::TooLong)?;
        }
        Ok(sum)
    }
}
