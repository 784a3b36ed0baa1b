//! A sporadic server has each piece of budget back a period after it could have been used.

use super::sheet::{Idle, Provides, Returns, Sheet, Takes};

pub(super) const SHEET: Sheet = Sheet {
    // As a periodic task, for each piece has a time of its own: docs/theory/sporadic-server.md.
    takes: Some(Takes::Budgets),
    // Its rule asks which priorities are active: docs/theory/not-bounded.md.
    asks: None,
    // docs/theory/fixed-priority-server.md, docs/theory/periodic-resource.md.
    provides: Provides::Periodic,
    // docs/theory/idle-start.md.
    idle: Idle::Kept,
    // Each piece is a return: docs/theory/replenishments.md.
    returns: Returns::InPieces,
};
