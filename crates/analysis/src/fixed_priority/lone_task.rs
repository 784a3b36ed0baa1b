//! The only task of a deferrable server under fixed priority.
//!
//! **Theorem.** Let a deferrable server (Q, T) have one task, C of it at most Q, with releases at least `S >= T` apart, and
//! let `y(w)` be the time that the level of the server takes for `w`, `y(C) <= T`. A job finds at most one budget used up,
//! by the job before it. With `m = 2 C − Q` it is complete after its release within the longer of
//!
//! ```text
//!   y(C)                                                     its budget lasts
//!   max over u in [1, m] of y(u) − 1 + T − S + y(m + 1 − u)  it is used up; there must be an m
//! ```
//!
//! if that is at most S. With `T + y(C) <= S` it is within y(C) even where that is longer than T.
//!
//! ```text
//!   |<── y(u) − 1 ──>|<───────── T ──────────>|<─ y(rest) ─>|
//!   |job before      |budget               next budget    done
//!   |<─────── S ───────────>|job
//! ```
//!
//! **Assumptions.** 1. The task is all that the server is used for, and is not blocked in it. 2. No other member of the
//! supply is as urgent. 3. Loads of the level are bounded in windows that begin when it becomes busy.
//!
//! **Search.** By halves of `[1, m]`, from the half that may have the most on; after [`PARTS`] of them what may be left counts.
//!
//! Theory: docs/theory/lone-task.md.

use crate::derivation::{Derivation, OfLoneTask};
use crate::ground::NoBound;
use crate::supply::{Residual, Supply};
use std::collections::BinaryHeap;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_time::Duration;

/// How many parts of a job are looked at.
const PARTS: usize = 128;

/// The task and its server.
pub(crate) struct LoneTask<'a> {
    pub(crate) task: TaskId,
    pub(crate) server: SupplyId,
    /// What is left at the level of the server.
    pub(crate) level: Residual<'a>,
    pub(crate) budget: Duration,
    pub(crate) period: Duration,
    pub(crate) cost: Duration,
    /// Between two releases, at least.
    pub(crate) apart: Duration,
    /// From an arrival to its release, at most.
    pub(crate) jitter: Duration,
}

/// The worst job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoneResponse {
    /// From the arrival.
    pub(crate) bound: Duration,
    /// How long before a new budget the job before was released, and how long after the next one this is complete; none
    /// where budget lasts.
    next: Option<(Duration, Duration)>,
}

/// Where `u` may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    /// What `y(u) + y(m + 1 − u)` is at most.
    most: Duration,
    first: Duration,
    last: Duration,
}

impl LoneTask<'_> {
    /// Its longest response; none where the theorem says nothing.
    ///
    /// # Errors
    /// Why the level has no time for a job.
    pub(crate) fn response(&self) -> Result<Option<LoneResponse>, NoBound> {
        let Self { budget, period, cost, apart, jitter, .. } = *self;
        if cost > budget || apart < period {
            return Ok(None);
        }
        let whole = self.level.time_for(cost)?;
        if period.checked_add(whole).is_some_and(|both| both <= apart) {
            return Ok(Some(LoneResponse { bound: whole + jitter, next: None }));
        }
        if whole > period {
            return Ok(None);
        }
        let mut longest = (whole, None);
        let twice = (cost * 2).saturating_sub(budget);
        if !twice.is_zero() {
            let (first, then) = self.longest_sum(twice)?;
            let before = first - Duration::RESOLUTION;
            let used_up = (before + period + then).saturating_sub(apart);
            if used_up > whole {
                longest = (used_up, Some((before, then)));
            }
        }
        let (response, next) = longest;
        Ok((response <= apart).then(|| LoneResponse { bound: response + jitter, next }))
    }

    /// The two terms of `y(u) + y(m + 1 − u)` where it is longest.
    fn longest_sum(&self, work: Duration) -> Result<(Duration, Duration), NoBound> {
        let y = |work: Duration| self.level.time_for(work);
        let rest = |of: Duration| work + Duration::RESOLUTION - of;
        let part = |first: Duration, last: Duration| -> Result<Part, NoBound> {
            // `y(u) − u` does not fall.
            let beyond = (y(last)? - last) + (y(rest(first))? - rest(first));
            Ok(Part { most: beyond + work + Duration::RESOLUTION, first, last })
        };
        let mut best = (y(Duration::RESOLUTION)?, y(work)?);
        let mut parts = BinaryHeap::from([part(Duration::RESOLUTION, work)?]);
        for _ in 0..PARTS {
            let Some(Part { most, first, last }) = parts.pop() else { break };
            if most <= best.0 + best.1 {
                return Ok(best);
            }
            let middle = Duration::from_ns(first.as_ns().midpoint(last.as_ns()));
            let found = (y(middle)?, y(rest(middle))?);
            if found.0 + found.1 > best.0 + best.1 {
                best = found;
            }
            if first < last {
                parts.push(part(first, middle)?);
                parts.push(part(middle + Duration::RESOLUTION, last)?);
            }
        }
        let undecided = parts.pop().map_or(Duration::ZERO, |part| part.most);
        Ok((best.0, best.1.max(undecided.saturating_sub(best.0))))
    }

    /// How the worst job comes about.
    pub(crate) fn derive(&self, worst: &LoneResponse, to: &mut Derivation) {
        let Self { task, server, period, cost, apart, jitter, .. } = *self;
        let bound = worst.bound;
        match worst.next {
            None => {
                to.push(OfLoneTask::BudgetLasts { task, server, jitter, bound });
                to.cite("one task in a deferrable server; docs/theory/lone-task.md");
                self.level.derive(cost, to);
            }
            Some((before, then)) => {
                to.push(OfLoneTask::NextBudget {
                    task,
                    server,
                    before,
                    period,
                    apart,
                    then,
                    jitter,
                    bound,
                });
                to.cite("one task in a deferrable server; docs/theory/lone-task.md");
            }
        }
    }
}
