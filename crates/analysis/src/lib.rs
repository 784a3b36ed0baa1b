//! Bounds on response times, each with its assumptions.
//!
//! Folders are the nouns of the theory: a [`supply`] provides processor time, a [`demand`] takes
//! it, [`fixed_priority`] and [`edf`] say how long one member waits for the others, [`interrupt`] how
//! long a service routine does. [`bounds()`] walks a system and applies them; [`explain`] puts one bound
//! into words.
//!
//! Every bound holds for every history that the description allows (docs/model.md). Where no
//! analysis covers a feature there is no bound, and the [`Finding`] names the feature.
//!
//! Rounding is away from optimism; nothing depends on a hyperperiod; every search ends after a
//! number of steps and then says so.

pub mod arrival;
mod bounds;
mod chain;
mod core;
mod coverage;
pub mod demand;
pub mod derivation;
pub mod edf;
pub mod feature;
mod finding;
pub mod fixed_priority;
mod ground;
pub mod interrupt;
pub mod network_card;
mod overhead;
pub mod request;
mod server_kind;
pub mod stochastic;
pub mod supply;
mod turns;
pub mod utilisation;
mod words;

pub use arrival::{Arrivals, Limit, Spacing};
pub use bounds::{
    Bounds, ContextLosses, Known, Losses, Outcome, Tried, bounds, bounds_since, bounds_until,
    bounds_within, bounds_within_since, counted_bounds, counted_bounds_since, curves,
    derived_bounds_of, derived_bounds_until, derived_bounds_within, losses, monotonic_bounds,
    tried,
};
pub use chain::{ChainBound, Missing, Step, Until, chain_bound, chain_limits};
pub use derivation::Derivation;
pub use finding::{Chance, Finding, Form, Local, Method, Proof};
pub use ground::{
    Assumption, Bandwidth, Effort, LONGEST_WINDOW, LongRun, NoBound, OfKernel, Overbooked, Rate,
    Reason, Repetition, Source, Unreserved,
};
pub use supply::curves::Curves;
pub use words::{Explanation, NamedTerm, explain};
