//! A table: several intervals of each period.

use super::sheet::{Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // Nothing but time gives it the core: docs/theory/tables.md.
    takes: None,
    asks: None,
    // docs/theory/tables.md.
    provides: Provides::Places,
    // docs/theory/tables.md.
    idle: Idle::NotCovered,
    // docs/theory/scheduler-costs.md.
    returns: Returns::InPlace,
};
