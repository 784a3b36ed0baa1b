//! `SCHED_SPORADIC` of POSIX, with its defects: it is simulated, and has no bound.

use super::sheet::{Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // It takes more than its budgets, and goes on in the background: docs/theory/not-bounded.md.
    takes: None,
    asks: None,
    // docs/theory/not-bounded.md.
    provides: Provides::Unknown,
    idle: Idle::NotCovered,
    returns: Returns::NotCovered,
};
