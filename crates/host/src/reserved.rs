//! The servers that are run, and why a description is not.

use crate::rule::WakeUps;
use vorrang_enforce::{is_dispatched_core, is_of_both};
use vorrang_model::System;
use vorrang_model::system::{Selector, SupplyId, SupplyKind};
use vorrang_time::Duration;

/// The shortest period, and the shortest turn: decisions take some tens of microseconds.
pub(crate) const SHORTEST_PERIOD: Duration = Duration::from_ms(1);

/// A server and its thread.
#[derive(Clone, Debug)]
pub struct Reserved {
    /// Its name in the description.
    pub name: String,
    /// How its thread is found; `None`: it has none.
    pub selector: Option<Selector>,
    /// The wake-ups that must be noticed.
    pub wake_ups: WakeUps,
    /// The reservation or the share.
    pub server: SupplyKind,
}

/// Why a description is not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfit {
    /// Mechanisms that it needs and this program does not have, a sentence each.
    pub missing: Vec<String>,
    /// Errors in it, for this program, a sentence each.
    pub wrong: Vec<String>,
}

impl Unfit {
    /// All of another one, too.
    pub(crate) fn join(&mut self, other: Self) {
        self.missing.extend(other.missing);
        self.wrong.extend(other.wrong);
    }
}

/// Whether a core is run: it has members, and is not the kernel's own beside others.
pub(crate) fn is_run(system: &System, core: SupplyId) -> bool {
    let has_members = system.described_members(core).next().is_some();
    has_members && (!is_of_both(system) || is_dispatched_core(system, core))
}
