//! A queue of refills: the sporadic scheduling context of seL4.

use super::sheet::{Idle, Provides, Returns, Sheet, Takes};

pub(super) const SHEET: Sheet = Sheet {
    // As a periodic task: docs/theory/refill-queue.md.
    takes: Some(Takes::Budgets),
    // Only priorities order it: docs/theory/not-bounded.md.
    asks: None,
    // A full queue puts its last refill off: docs/theory/refill-queue.md.
    provides: Provides::PutOff,
    // docs/theory/refill-queue.md.
    idle: Idle::NotCovered,
    // docs/theory/replenishments.md.
    returns: Returns::InRefills,
};
