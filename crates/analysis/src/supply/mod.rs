//! How long it takes, at worst, until a supply has provided an amount of work.
//!
//! **Model.** A supply is described by the inverse of its supply bound function: the least `x`
//! such that in *every* window of length `x` in which its time is wanted throughout it provides
//! at least the work. The inverse is what response-time analysis needs, composes without
//! searching, and is defined where the function itself is flat.
//!
//! **Assumptions.** 1. Its time is wanted throughout the window, by those whose supply it is. 2. Each kind adds its own.
//!
//! | kind | file |
//! |---|---|
//! | a core with nothing above | `dedicated.rs` |
//! | periodic resource, explicit deadline | `periodic_resource.rs` |
//! | the same slot of every period, or several windows | `table.rs` |
//! | the same from an instant of the clock on | `placed.rs` |
//! | a line below a supply; a supply between two | `bounded_delay.rs`, `linear.rs` |
//! | what more urgent load leaves of another supply | `residual.rs` |
//! | what a cold cache leaves of another supply | `cold_cache.rs` |
//! | what interrupts leave of a budget that pays for them | `interrupted.rs` |
//! | a server under fixed priority | `fixed_priority_server.rs` |
//! | one that keeps its budget, from an idle guest on | `parent.rs`, `kept.rs`, `idle_start.rs`, `idle_case.rs`, `earlier.rs` |
//! | a member that takes turns | `turns.rs` |
//! | what two bounds say of one supply | `sooner.rs` |
//! | a supply against the demand on it, to be drawn | `curves.rs` |
//! | a member of a priority in which some take turns of a slice | `slices.rs` |
//! | real-time threads of Linux that are throttled | `throttled.rs` |
//!
//! Theory: docs/theory/supply.md.

mod bounded_delay;
mod cold_cache;
pub(crate) mod curves;
mod dedicated;
mod earlier;
mod fixed_priority_server;
mod idle_case;
mod idle_start;
mod interrupted;
mod kept;
mod linear;
mod parent;
mod periodic_resource;
mod placed;
mod residual;
mod slices;
mod sooner;
mod table;
#[cfg(test)]
mod tests;
mod throttled;
mod turns;

pub use bounded_delay::BoundedDelay;
pub use cold_cache::{ColdCache, LossLine};
pub use dedicated::Dedicated;
pub use earlier::{Earlier, Own};
pub use fixed_priority_server::FixedPriorityServer;
pub use idle_start::IdleStart;
pub(crate) use interrupted::at_once;
pub use interrupted::{Charges, Interrupted, Others, Stretches};
pub use kept::Kept;
pub use linear::Linear;
pub use parent::{Parent, UsedBefore};
pub use periodic_resource::PeriodicResource;
pub use placed::Placed;
pub use residual::Residual;
pub(crate) use slices::{Slices, Visited};
pub use sooner::Sooner;
pub use table::Table;
pub use throttled::Throttled;
pub use turns::{OfMachine, Turns};

use crate::derivation::Derivation;
use crate::ground::NoBound;
use crate::ground::Rate;
use crate::ground::Repetition;
use vorrang_time::Duration;

/// A lower bound on what a supply provides, by its inverse.
pub trait Supply {
    /// The longest it takes to receive `work`, in ns; zero for none. Does not decrease in `work`,
    /// and grows by at least as much as `work` does.
    ///
    /// # Errors
    /// Why there is no such time.
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound>;

    /// What it provides in the long run, rounded up: no work takes less than `work / rate`.
    fn rate_ceil(&self) -> Rate;

    /// After how much work, and how long, it is at most where it was, whatever it has provided; `None`: nothing is known.
    fn repeats(&self) -> Option<Repetition> {
        None
    }

    /// How [`Supply::time_for`] comes about.
    fn derive(&self, work: Duration, to: &mut Derivation);

    /// The windows that it is made of, and what comes before its work in them, where they stand at known instants.
    fn placed(&self) -> Option<Placed<'_>> {
        None
    }

    /// What comes before its work in a window, whether that leaves any or not.
    fn derive_load(&self, _window: Duration, _to: &mut Derivation) {}
}
