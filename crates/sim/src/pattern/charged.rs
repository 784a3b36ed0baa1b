//! Routines that are charged to a server when its runtime is about to end.
//!
//! **Model.** Whatever is charged then is taken off the next budgets, beside what the runtime ends late by:
//!
//! ```text
//!  all members      b                        e
//!  the server       |#######################|▒▒▒▒▒        charged beyond its runtime
//!  all interrupts                          ^
//! ```
//!
//! `b` everything but the interrupts is released, `e` the runtime would end, late by what the core states.

use super::arrangement::Arrangement;
use super::probe;
use crate::history::History;
use crate::simulator::Simulator;
use vorrang_model::system::{InterruptTime, SupplyId, System};
use vorrang_time::Duration;

/// The servers of a core that are charged for interrupts.
pub(crate) fn servers(system: &System, core: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    let is_charged = system.supply(core).interrupt_time == InterruptTime::Charged
        && system.interrupts_on(core).next().is_some();
    let of_linux = move |&id: &SupplyId| {
        let supply = system.supply(id);
        is_charged && supply.on() == Some(core) && supply.is_of_linux()
    };
    system.supply_ids().filter(of_linux)
}

/// All interrupts are requested a nanosecond before the runtime of a server ends for the first time.
pub(crate) fn history(simulator: &mut Simulator, server: SupplyId) -> History {
    let mut arrangement = Arrangement::new(simulator);
    let begin = arrangement.earliest();
    arrangement.release_all(begin);
    let until = begin + arrangement.period_of(server);
    let mut quiet = arrangement.clone();
    quiet.request_all(until);
    let history = quiet.history.with_worst_kernel(arrangement.system, &arrangement.cores);
    if let Some(end) = probe::exhaustion(simulator, &history, server, (begin, until)) {
        arrangement.request_all(end - Duration::RESOLUTION);
    }
    arrangement.history
}
