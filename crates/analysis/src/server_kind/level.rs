//! A server without a budget: all that its priority leaves, and all that is asked for in it.

use super::sheet::{Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // It has no budgets: what it takes is asked for in it, docs/theory/levels.md.
    takes: None,
    asks: None,
    // Its priority decides: docs/theory/levels.md.
    provides: Provides::Unknown,
    idle: Idle::NotCovered,
    // docs/theory/levels.md.
    returns: Returns::Never,
};
