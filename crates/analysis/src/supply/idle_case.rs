//! The cases of a window that begins with an idle guest, in a server that keeps its budget.
//!
//! Theory: docs/theory/idle-start.md.

use vorrang_time::Duration;

/// Which of the cases takes longest.
pub(super) enum Case {
    /// There is budget throughout.
    Straight(Duration),
    /// From the begin of a period; with what is used before the window, all jobs of what is more urgent aside.
    UsedUp { window: Duration, since: Duration, used: Duration },
    /// From the begin of the window; all that is used before it.
    UsedBefore { time: Duration, since: Duration, used: Duration },
    /// A period ends before the budget is used up.
    AfterPeriod(Duration),
}

impl Case {
    /// How long it takes.
    pub(super) fn time(&self) -> Duration {
        match *self {
            Self::Straight(time) | Self::AfterPeriod(time) | Self::UsedBefore { time, .. } => time,
            Self::UsedUp { window, since, .. } => window - since,
        }
    }
}

/// The one that takes longer; the first if none does.
pub(super) fn longer(one: Case, other: Case) -> Case {
    if other.time() > one.time() { other } else { one }
}

/// The one that takes less time; the first if none does.
pub(super) fn shorter(one: Case, other: Case) -> Case {
    if other.time() < one.time() { other } else { one }
}
