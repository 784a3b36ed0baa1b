//! What one member of an EDF supply demands.
//!
//! **Model.** A window starts at an instant before which nothing with a deadline up to `d` was
//! pending, `d` counted from that instant. Two bounds hold for what a member takes in it:
//! by release (what can have become ready within `x`) and by deadline (what has its deadline
//! within `d`).
//!
//! | member | by release, in `x` | by deadline, up to `d` |
//! |---|---|---|
//! | task | `ceil((x+J)/T) C` | `floor((d+J−D)/T + 1) C` |
//! | periodic server | `ceil(x/T) Q` | `floor(d/T) Q` |
//! | deferrable server | `ceil((x+T−Q)/T) Q` | `floor(d/T) Q + min(Q, d mod T)` |
//! | hard CBS, `SCHED_DEADLINE` with D = T | `floor((x+T) Q/T)` | `floor(d Q/T)` |
//! | soft CBS | not limited | `floor(d Q/T)` |
//! | `SCHED_DEADLINE` with D < T | `ceil((x+D)/T) Q` | `floor(d/T) Q + min(Q, floor((d mod T) Q/D))` |
//!
//! The deferrable server may be asked for its whole budget late in its period, with a deadline
//! that is near: hence the ramp, and hence utilisation 1 does not suffice for deferrable servers
//! under EDF. A CBS keeps its pair (c, d) only while `c < (d − t) Q/T`, so its demand never
//! exceeds its bandwidth (Abeni, Buttazzo 1998, theorem 1).
//!
//! With D < T releases are at least T apart, and what wakes `e` before the deadline keeps at most
//! `e Q/D`: so only the first, kept budget of a window is a part, on a ramp.
//!
//! **Assumptions.** 1. The deadline of a job counts from its arrival, not from its release.
//! 2. Blocking holds up at most one job of the window, by at most the largest B of the jobs
//! whose deadline can lie in it.
//!
//! Theory: docs/theory/edf-response.md, docs/theory/edf-deferrable.md,
//! docs/theory/sched-deadline.md.

use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Source;
use vorrang_model::system::Distances;
use vorrang_time::Duration;

/// Which kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Jobs with a relative deadline.
    Jobs {
        /// Relative deadline.
        deadline: Duration,
        /// Release jitter.
        jitter: Duration,
        /// Longest blocking by work with later deadlines.
        blocking: Duration,
    },
    /// A periodic server: jobs of length Q with deadline T that are always there.
    PeriodicServer,
    /// A deferrable server with the end of its period as deadline.
    DeferrableServer,
    /// A hard constant-bandwidth server.
    ConstantBandwidth,
    /// A soft constant-bandwidth server: it runs on with later deadlines.
    SoftBandwidth,
    /// A hard constant-bandwidth server whose deadline is shorter than its period, by the revised
    /// rule.
    ConstrainedBandwidth {
        /// Relative deadline.
        deadline: Duration,
    },
}

/// One member of an EDF supply.
#[derive(Clone, Copy, Debug)]
pub struct Contender<'a> {
    /// The task or server that contends.
    pub of: Source,
    /// Execution time or budget.
    pub cost: Duration,
    /// Least inter-arrival time or period.
    pub period: Duration,
    /// Of jobs, the least times over several arrivals, if more is known.
    pub distances: Option<&'a Distances>,
    /// Which kind of work.
    pub work: Work,
}

impl Contender<'_> {
    /// Relative deadline: that of the jobs or the server; the period if it has none of its own.
    pub fn deadline(&self) -> Duration {
        match self.work {
            Work::Jobs { deadline, .. } | Work::ConstrainedBandwidth { deadline } => deadline,
            _ => self.period,
        }
    }

    /// Release jitter.
    pub fn jitter(&self) -> Duration {
        match self.work {
            Work::Jobs { jitter, .. } => jitter,
            _ => Duration::ZERO,
        }
    }

    /// Whether it keeps a budget, which may be due at once when it is wanted again.
    pub fn keeps(&self) -> bool {
        use Work::{ConstantBandwidth, ConstrainedBandwidth, SoftBandwidth};
        matches!(self.work, ConstantBandwidth | SoftBandwidth | ConstrainedBandwidth { .. })
    }

    /// Longest blocking.
    pub fn blocking(&self) -> Duration {
        match self.work {
            Work::Jobs { blocking, .. } => blocking,
            _ => Duration::ZERO,
        }
    }

    /// The shortest distance from a release to its deadline; zero if jitter can eat all of it.
    pub fn least_time_to_deadline(&self) -> Duration {
        self.deadline().saturating_sub(self.jitter())
    }

    /// The most it can take of a window of length `window`, whatever the deadlines.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range, or a soft server, which takes whatever is left.
    pub fn by_release(&self, window: Duration) -> Result<Duration, NoBound> {
        let jitter = match self.work {
            Work::Jobs { jitter, .. } => {
                let count = self.spacing().within(window + jitter);
                return self.cost.checked_mul(count).ok_or(NoBound::TooLong);
            }
            Work::PeriodicServer => Duration::ZERO,
            Work::DeferrableServer => self.period - self.cost,
            Work::ConstrainedBandwidth { deadline } => deadline,
            Work::ConstantBandwidth => return self.share_of(window + self.period),
            Work::SoftBandwidth => return Err(NoBound::TooLong),
        };
        self.cost.checked_mul((window + jitter).div_ceil(self.period)).ok_or(NoBound::TooLong)
    }

    /// The most it demands with deadlines up to `deadline` after the start of the window.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    pub fn by_deadline(&self, deadline: Duration) -> Result<Duration, NoBound> {
        let whole = deadline.div_floor(self.period);
        let count = match self.work {
            Work::Jobs { deadline: own, jitter, .. } => {
                match (deadline + jitter).as_ns().checked_sub(own.as_ns()) {
                    None => 0,
                    Some(since) => self.jobs_by(Duration::from_ns(since)),
                }
            }
            Work::PeriodicServer | Work::DeferrableServer | Work::ConstrainedBandwidth { .. } => {
                whole
            }
            Work::ConstantBandwidth | Work::SoftBandwidth => return self.share_of(deadline),
        };
        let staircase = self.cost.checked_mul(count).ok_or(NoBound::TooLong)?;
        let within = deadline.modulo(self.period);
        let ramp = match self.work {
            Work::DeferrableServer => self.cost.min(within),
            Work::ConstrainedBandwidth { deadline: own } => {
                self.cost.min(part_of(within, self.cost, own)?)
            }
            _ => Duration::ZERO,
        };
        staircase.checked_add(ramp).ok_or(NoBound::TooLong)
    }

    /// The most it can take of a window of length `window`, with deadlines up to `deadline` after its
    /// start.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    pub fn takes(&self, window: Duration, deadline: Duration) -> Result<Duration, NoBound> {
        let due = self.by_deadline(deadline)?;
        if self.work == Work::SoftBandwidth {
            return Ok(due);
        }
        Ok(self.by_release(window)?.min(due))
    }

    /// By how much either bound grows at most while its argument grows by `span`.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    pub fn due_more(&self, span: Duration) -> Result<Duration, NoBound> {
        match self.work {
            Work::ConstantBandwidth | Work::SoftBandwidth => {
                Ok(self.share_of(span)? + Duration::RESOLUTION)
            }
            _ => self.cost.checked_mul(self.spacing().within(span)).ok_or(NoBound::TooLong),
        }
    }

    /// floor(window · cost / period).
    fn share_of(&self, window: Duration) -> Result<Duration, NoBound> {
        part_of(window, self.cost, self.period)
    }

    /// From where on up to `deadline` every nanosecond demands one more; `None`: it is flat there.
    pub(super) fn ramp_from(&self, deadline: Duration) -> Option<Duration> {
        let within = deadline.modulo(self.period);
        let is_on_ramp = self.work == Work::DeferrableServer && within <= self.cost;
        is_on_ramp.then_some(deadline - within)
    }

    /// The next bend of a ramp that begins every period and is so long.
    fn next_on_ramp(&self, deadline: Duration, ramp: Duration) -> Duration {
        let piece = piece_of(ramp);
        let within = deadline.modulo(self.period);
        let base = deadline - within;
        if within < ramp {
            (base + piece * (within.div_floor(piece) + 1)).min(base + ramp)
        } else {
            base + self.period
        }
    }

    /// The last bend of such a ramp.
    fn last_on_ramp(&self, deadline: Duration, ramp: Duration) -> Duration {
        let within = deadline.modulo(self.period);
        let past = if within < ramp { within.modulo(piece_of(ramp)) } else { within - ramp };
        deadline - past
    }

    /// The next instant after `deadline` at which [`Contender::by_deadline`] may bend or jump. Where it
    /// is a slope in between, the slope is cut into at most `PIECES` pieces a period.
    pub fn next_bend(&self, deadline: Duration) -> Duration {
        // Jumps at `first + k · period`.
        let after = |first: Duration| match deadline.as_ns().checked_sub(first.as_ns()) {
            None => first,
            Some(since) => first + self.period * (since / self.period.as_ns() + 1),
        };
        match self.work {
            Work::Jobs { deadline: own, jitter, .. } => {
                // One more is due once one more can have arrived: with more jitter than deadline some lie before the window.
                let reached = deadline + jitter;
                if reached < own {
                    own - jitter
                } else {
                    self.next_job(reached - own) + own - jitter
                }
            }
            Work::PeriodicServer => after(self.period),
            Work::DeferrableServer => self.next_on_ramp(deadline, self.cost),
            Work::ConstrainedBandwidth { deadline: own } => self.next_on_ramp(deadline, own),
            Work::ConstantBandwidth | Work::SoftBandwidth => {
                let piece = piece_of(self.period);
                piece * (deadline.div_floor(piece) + 1)
            }
        }
    }

    /// The last instant up to `deadline` that [`Contender::next_bend`] names for some earlier one;
    /// zero if there is none.
    pub fn last_bend(&self, deadline: Duration) -> Duration {
        match self.work {
            Work::Jobs { deadline: own, jitter, .. } => {
                if deadline + jitter < own {
                    return Duration::ZERO;
                }
                (self.last_job(deadline + jitter - own) + own).saturating_sub(jitter)
            }
            Work::PeriodicServer => deadline - deadline.modulo(self.period),
            Work::DeferrableServer => self.last_on_ramp(deadline, self.cost),
            Work::ConstrainedBandwidth { deadline: own } => self.last_on_ramp(deadline, own),
            Work::ConstantBandwidth | Work::SoftBandwidth => {
                deadline - deadline.modulo(piece_of(self.period))
            }
        }
    }

    /// Its share in the long run, rounded down.
    pub fn rate_floor(&self) -> Rate {
        self.each_cycle().map_or(Rate::ONE, |(cost, time)| Rate::floor(cost, time))
    }
}

/// floor(window · cost / whole).
fn part_of(window: Duration, cost: Duration, whole: Duration) -> Result<Duration, NoBound> {
    let product = u128::from(window.as_ns()) * u128::from(cost.as_ns());
    u64::try_from(product / u128::from(whole.as_ns()))
        .map(Duration::from_ns)
        .map_err(|_| NoBound::TooLong)
}

/// Pieces into which a slope is cut: the bound loses at most a piece of slope.
const PIECES: u64 = 16;

fn piece_of(slope: Duration) -> Duration {
    Duration::from_ns(slope.as_ns().div_ceil(PIECES))
}
