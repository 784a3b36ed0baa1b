//! A periodic server has its whole budget in each period, and idles it away: the proxy process of Kaiser and Zöbel (2009).

use super::sheet::{Asks, Idle, Provides, Returns, Sheet, Takes};

pub(super) const SHEET: Sheet = Sheet {
    // As a periodic task: docs/theory/loads.md.
    takes: Some(Takes::Budgets),
    // docs/theory/edf-response.md.
    asks: Some(Asks::FromPeriods),
    // docs/theory/fixed-priority-server.md, docs/theory/periodic-resource.md.
    provides: Provides::Periodic,
    // So others have all of it before them, whatever is in it: docs/theory/work-in-servers.md.
    idle: Idle::Spent,
    // docs/theory/budget-timers.md.
    returns: Returns::WithPeriods,
};
