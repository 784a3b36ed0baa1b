//! How long a core may go on before it looks at what is requested or ready.

use vorrang_model::system::{SupplyId, System};
use vorrang_time::Duration;

/// A call of the scheduler and the switch after it, and the longest time for which a core goes on with something
/// less urgent.
pub(crate) fn section(system: &System, core: SupplyId) -> Duration {
    let costs = &system.costs;
    costs.scheduler_call + costs.context_switch + system.supply(core).sections
}
