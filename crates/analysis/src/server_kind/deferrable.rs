//! A deferrable server keeps its budget until the end of the period.

use super::sheet::{Asks, Idle, Provides, Returns, Sheet, Takes};

pub(super) const SHEET: Sheet = Sheet {
    // One at the end of a period and one at the beginning of the next: docs/theory/loads.md.
    takes: Some(Takes::BackToBack),
    // docs/theory/edf-deferrable.md.
    asks: Some(Asks::InPeriods),
    // docs/theory/fixed-priority-server.md, docs/theory/periodic-resource.md.
    provides: Provides::Periodic,
    // docs/theory/idle-start.md, docs/theory/lone-task.md, docs/theory/first-come.md.
    idle: Idle::KeptInPeriod,
    // docs/theory/budget-timers.md.
    returns: Returns::WithPeriods,
};
