//! What is said of a supply.

use crate::ground::Source;
use vorrang_time::Duration;

/// How long a supply takes to provide some work.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the supplies")]
pub enum OfSupply {
    ColdCache {
        of: Source,
        work: Duration,
        window: Duration,
        loss: Duration,
    },
    /// A server whose guest never uses its budget up.
    NeverUsedUp {
        of: Source,
        used: Duration,
        budget: Duration,
        period: Duration,
    },
    /// A cold cache where runs are too short to lose all.
    ShortRuns {
        of: Source,
        work: Duration,
        window: Duration,
        loss: Duration,
        share: Duration,
    },
    FixedPriorityServer {
        of: Source,
        budget: Duration,
        period: Duration,
        wait: Duration,
        whole: u64,
        rest: Duration,
    },
    /// What more urgent load leaves of another supply.
    Residual {
        work: Duration,
        window: Duration,
    },
    /// Windows by the clock, from an instant on.
    Placed {
        of: Source,
        work: Duration,
        window: Duration,
    },
    /// Own work before the window that kept equally urgent work waiting.
    Earlier(Duration),
    /// Whole periods of a server that keeps its budget.
    WholePeriods {
        budget: Duration,
        period: Duration,
        waits: Duration,
        rest: Duration,
    },
    /// What a server has under EDF, whatever the deadlines of others.
    ByDeadlines {
        work: Duration,
        time: Duration,
    },
    /// A server that is charged for interrupts, or only for its overrun.
    Pays {
        of: Source,
        for_interrupts: bool,
        work: Duration,
        used: Duration,
    },
    /// Routines that were under way when the window began, and overdrawn before.
    UnderWay(Duration),
    /// A budget is wanted in a window, beside what follows, and need not come by its end.
    Wanted {
        of: Source,
        budget: Duration,
        window: Duration,
    },
    /// A runtime before the window that ended late.
    LateRuntime(Duration),
    /// Real-time threads wait for the next period.
    Throttled {
        budget: Duration,
        period: Duration,
        carried: Duration,
        work: Duration,
        waits: u64,
    },
}

/// How long a supply takes that a rule describes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the supplies")]
pub enum OfRule {
    BoundedDelay {
        of: Source,
        delay: Duration,
        budget: Duration,
        period: Duration,
        work: Duration,
        time: Duration,
    },
    FixedSlot {
        of: Source,
        budget: Duration,
        period: Duration,
        work: Duration,
    },
    PeriodicResource {
        of: Source,
        budget: Duration,
        period: Duration,
        delay: Duration,
        work: Duration,
        waits: u64,
        gap: Duration,
    },
    Slices {
        work: Duration,
        visits: u64,
        others: Duration,
        window: Duration,
    },
    Table {
        of: Source,
        windows: u64,
        budget: Duration,
        period: Duration,
        work: Duration,
        time: Duration,
    },
    Turns {
        work: Duration,
        visits: u64,
        own: Duration,
        others: Duration,
        round: Duration,
        at_first: Duration,
        all: Duration,
    },
}

/// How long a server that keeps its budget takes, from an idle guest on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the supplies")]
pub enum OfIdleStart {
    /// From an idle guest on: budget is there throughout.
    HasBudget { of: Source, time: Duration },
    /// A period ends before the budget is used up.
    EndsPeriod { of: Source, budget: Duration, time: Duration, wait: Duration },
    /// The budget is used up, as periods see it.
    UsesUp { of: Source, budget: Duration, since: Duration, used: Duration, window: Duration },
    /// The budget is used up, as the window sees it.
    UsedBefore { of: Source, budget: Duration, since: Duration, used: Duration, time: Duration },
}
