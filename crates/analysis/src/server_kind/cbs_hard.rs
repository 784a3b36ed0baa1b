//! A hard constant-bandwidth server waits for its deadline when its budget is gone.

use super::sheet::{Asks, Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // It has no priority: docs/theory/not-bounded.md.
    takes: None,
    // docs/theory/constant-bandwidth.md.
    asks: Some(Asks::Bandwidth),
    // docs/theory/periodic-resource.md, docs/theory/budget-delivery.md, docs/theory/late-delivery.md.
    provides: Provides::Periodic,
    // docs/theory/guest-by-deadlines.md.
    idle: Idle::KeptWithDeadline,
    // docs/theory/budget-timers.md.
    returns: Returns::AtDeadlines,
};
