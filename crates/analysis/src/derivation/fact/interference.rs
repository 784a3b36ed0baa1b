//! What is said of interference.

use crate::arrival::{Arrivals, Limit};
use crate::demand::Load;
use crate::ground::Source;
use vorrang_time::Duration;

/// What comes before the end of something.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in a load")]
pub enum OfInterference {
    /// A load in a window.
    Term { of: Source, occurrences: Occurrences, cost: Duration },
    /// Jobs that come by the clock.
    ByClock { of: Source, count: u64, cost: Duration },
    /// What own jobs before have woken at the same level.
    Behind { count: u64, cost: Duration },
    /// A part of a budget that was kept.
    Kept { deadline: Duration, kept: Duration },
    /// A server with a demand below its budgets.
    UsedLess(Source),
    /// What equally urgent members take that were ready first.
    FirstCome(Duration),
    /// Less urgent work that is not interrupted.
    Blocking(Duration),
    /// Work with later deadlines that is not interrupted.
    BlockingByLater(Duration),
    /// By EDF: what is released in the window, or due by the deadline; the lesser counts.
    Due { of: Source, released: Option<Duration>, window: Duration, due: Duration, at: Duration },
    /// The same of a server with less work in it.
    DueWork { of: Source, work: Duration, window: Duration, at: Duration },
    /// Own requests of a routine up to the one that is looked at.
    OwnRequests(Duration),
    /// A routine or a section that cannot be stopped.
    Begun(Duration),
    /// Each request comes with one of everything that merges.
    Merging,
}

/// How often a load occurs in a window, and by which of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// So often.
    pub count: u64,
    /// In a window of this length.
    pub window: Duration,
    /// At most so many in every period of the limit that counts.
    pub each: u64,
    /// That period.
    pub period: Duration,
    /// How much later one may begin.
    pub jitter: Duration,
    /// Whether the distances of several arrivals say how often, and not that period.
    pub by_distances: bool,
}

impl Occurrences {
    /// Those of a load.
    pub(crate) fn of(load: &Load<'_>, window: Duration) -> Self {
        let count = load.occurrences(window);
        let Arrivals { period, distances, jitter, limit } = load.arrivals;
        let limit = limit.filter(|limit| limit.in_window(window) <= count);
        let by_distances = distances.is_some() && limit.is_none();
        let Limit { count: each, period, jitter } =
            limit.unwrap_or(Limit { count: 1, period, jitter });
        Self { count, window, each, period, jitter, by_distances }
    }
}
