//! A share of a supply that takes turns: it has no budget, and only the ring bounds it.

use super::sheet::{Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // Turns are no budgets: docs/theory/turns.md.
    takes: None,
    asks: None,
    // What it has depends on the others of the ring: docs/theory/turns.md.
    provides: Provides::Unknown,
    idle: Idle::NotCovered,
    // docs/theory/turns.md.
    returns: Returns::Never,
};
