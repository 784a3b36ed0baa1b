//! The descriptions of the figures, and running them.

use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Observer, Pattern, simulate};
use vorrang_time::{Duration, Instant};

/// The system of a description that is part of this crate.
///
/// # Panics
/// If the description is wrong; that is a bug, and a test reads all of them.
pub fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Runs a pattern on a core for as long as stated, and returns what watched it.
///
/// # Panics
/// If the pattern does not exist or the core is not covered, which is a bug of the figure.
pub fn watched_on<O: Observer>(
    system: &System,
    core: SupplyId,
    pattern: &str,
    length: Duration,
    mut observer: O,
) -> O {
    let pattern = Pattern::parse(pattern, system).expect("figures name patterns that exist");
    let history = pattern.history(system, core).expect("figures are covered");
    let horizon = Instant::ZERO + length;
    simulate(system, core, &history, horizon, &mut observer).expect("figures are covered");
    observer
}

/// The same on the first core.
pub fn watched<O: Observer>(system: &System, pattern: &str, length: Duration, observer: O) -> O {
    watched_on(system, SupplyId(0), pattern, length, observer)
}

/// The supply of that name.
///
/// # Panics
/// If there is none: a bug of the figure.
pub fn supply(system: &System, name: &str) -> SupplyId {
    let place = system.supplies.iter().position(|supply| supply.name == name);
    SupplyId(place.expect("figures name supplies that exist"))
}

/// The task of that name.
///
/// # Panics
/// If there is none: a bug of the figure.
pub fn task(system: &System, name: &str) -> TaskId {
    let place = system.tasks.iter().position(|task| task.name == name);
    TaskId(place.expect("figures name tasks that exist"))
}
