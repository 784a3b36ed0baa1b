//! The lateness of a constant-bandwidth server as a periodic resource, from the lateness of its demand.
//!
//! **Argument.** A whole budget is wanted from its replenishment on; of one that was kept for `x` at least `Q − x` is
//! left, which a periodic resource would bring from `T − Q` before the end of its period on. Derived below.
//!
//! **Assumptions.** 1. It is late by a period at most, else it puts its deadline off.
//!
//! Theory: docs/theory/lateness.md, docs/theory/budget-delivery.md.

use vorrang_model::system::Server;
use vorrang_time::Duration;

/// How late a constant-bandwidth server delivers what is asked of its budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    /// A budget that the guest wants from the instant on at which it was replenished.
    pub(crate) whole: Duration,
    /// A budget that was kept while the guest slept.
    pub(crate) kept: Duration,
}

impl Late {
    /// How late the server is as a periodic resource. With `x` since the replenishment `Q − x` of a
    /// kept budget are left at least, and the resource waits for them from `T − Q` before the end
    /// of the period on.
    pub(crate) fn behind(self, server: &Server) -> Duration {
        self.whole.max(self.kept.saturating_sub(server.period - server.budget))
    }

    /// By when after its period began it delivers as a periodic resource, if a budget that is wanted from its replenishment on is
    /// delivered `by` so long after that. `w` of a kept one comes within `D − Q + kept + w`.
    pub(crate) fn delivered_by(self, server: &Server, by: Duration) -> Duration {
        let kept = server.relative_deadline() + self.kept;
        by.max(kept.saturating_sub(server.period - server.budget))
    }
}
