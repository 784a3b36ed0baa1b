//! A polling server loses its budget when nothing is ready.

use super::sheet::{Asks, Idle, Provides, Returns, Sheet, Takes};

pub(super) const SHEET: Sheet = Sheet {
    // As a periodic task: docs/theory/loads.md.
    takes: Some(Takes::Budgets),
    // docs/theory/edf-response.md.
    asks: Some(Asks::FromPeriods),
    // A poll may just be missed: docs/theory/polling-server.md.
    provides: Provides::Polled,
    // docs/theory/polling-server.md.
    idle: Idle::Lost,
    // docs/theory/budget-timers.md.
    returns: Returns::WithPeriods,
};
