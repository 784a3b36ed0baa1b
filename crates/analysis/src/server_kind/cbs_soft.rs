//! A soft constant-bandwidth server puts its deadline off when its budget is gone, and goes on.

use super::sheet::{Asks, Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // It has no priority: docs/theory/not-bounded.md.
    takes: None,
    // Busy windows beside it have no end: docs/theory/soft-server.md.
    asks: Some(Asks::EndlessBandwidth),
    // Only a task that is alone knows how much: docs/theory/soft-server.md.
    provides: Provides::Ahead,
    // docs/theory/guest-by-deadlines.md.
    idle: Idle::KeptWithDeadline,
    // docs/theory/scheduler-costs.md.
    returns: Returns::WhenGone,
};
