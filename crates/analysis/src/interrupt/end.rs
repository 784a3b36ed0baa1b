//! When one routine ends, and how often what it sets off comes by that.

use super::{Level, Worst};
use crate::ground::{Effort, NoBound};
use crate::request::Requests;
use vorrang_time::Duration;

/// When one routine ends, among all of its level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// From a request on, in storms of its own, too.
    pub(crate) delay: Result<Duration, NoBound>,
    /// From an arrival on, if it behaves.
    pub(crate) worst: Result<Worst, NoBound>,
}

impl End {
    /// That of the routine at `index`.
    pub(crate) fn of(level: &Level<'_>, index: usize, effort: &Effort) -> Self {
        effort.restart(level.routines.len());
        let delay = level.delay(index, effort);
        effort.restart(level.routines.len());
        Self { delay, worst: level.response(index, Duration::ZERO, effort) }
    }

    /// What a routine sets off that is requested so.
    pub(crate) fn after<'r>(&self, before: &Requests<'r>) -> Result<Requests<'r>, NoBound> {
        let (worst, delay) = (self.worst?, self.delay?);
        let response =
            if before.waits_for_ever { before.calm.arrivals.jitter + delay } else { worst.bound };
        Ok(before.after(response, delay))
    }
}
