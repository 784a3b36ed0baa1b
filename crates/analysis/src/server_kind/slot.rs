//! A slot: the same interval of each period. A proxy process whose place is fixed is one.

use super::sheet::{Idle, Provides, Returns, Sheet};

pub(super) const SHEET: Sheet = Sheet {
    // Nothing but time gives it the core: docs/theory/fixed-slot.md.
    takes: None,
    asks: None,
    // docs/theory/fixed-slot.md.
    provides: Provides::Place,
    // docs/theory/fixed-slot.md.
    idle: Idle::NotCovered,
    // docs/theory/scheduler-costs.md.
    returns: Returns::InPlace,
};
