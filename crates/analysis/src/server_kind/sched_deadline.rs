//! A reservation of Linux, `SCHED_DEADLINE`.

use super::sheet::{Asks, Idle, Provides, Returns, Sheet, Takes};

pub(super) const SHEET: Sheet = Sheet {
    // docs/theory/linux.md.
    takes: Some(Takes::BeforePriorities),
    // Sooner where its deadline is before the end of its period: docs/theory/sched-deadline.md.
    asks: Some(Asks::Bandwidth),
    // docs/theory/sched-deadline.md, docs/theory/budget-delivery.md, docs/theory/late-delivery.md.
    provides: Provides::Periodic,
    // docs/theory/guest-by-deadlines.md.
    idle: Idle::KeptWithDeadline,
    // docs/theory/budget-timers.md.
    returns: Returns::AtDeadlines,
};
