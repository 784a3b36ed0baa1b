//! Bounds on response times, each with its assumptions.
//!
//! Folders are the nouns of the theory: a [`supply`] provides processor time, a [`demand`] takes
//! it, [`fixed_priority`] and [`edf`] say how long one member waits for the others, [`interrupt`] how
//! long a service routine does; [`least_budget`] what a periodic resource must have. [`bounds`] walks a
//! system and applies them; [`explain`] puts one bound into words.
//!
//! Every bound holds for every history that the description allows (docs/model.md). Where no
//! analysis covers a feature there is no bound, and the [`Finding`] names the feature.
//!
//! Rounding is away from optimism; nothing depends on a hyperperiod; every search ends after a
//! number of steps and then says so.

mod arrival;
mod assumed;
mod assumption;
mod bandwidth;
pub mod cache_delay;
mod competitor;
mod compose;
mod core_level;
mod coverage;
mod curves;
pub mod demand;
pub mod derivation;
pub mod device;
pub mod edf;
mod effort;
pub mod feature;
mod finding;
pub mod fixed_priority;
pub mod interrupt;
pub mod least_budget;
mod linux;
mod overhead;
mod rate;
mod reason;
mod source;
pub mod stochastic;
pub mod supply;
mod tree;
mod turns;
pub mod utilisation;
mod why;

pub use arrival::{Arrivals, Limit};
pub use assumption::Assumption;
pub use bandwidth::Bandwidth;
pub use compose::{
    Bounds, ContextLosses, Losses, bounds, bounds_until, bounds_within, counted_bounds, curves,
    derived_bounds_until, explain, losses, monotonic_bounds,
};
pub use curves::Curves;
pub use derivation::{Derivation, Explanation};
pub use effort::{Effort, LONGEST_WINDOW, NoBound};
pub use finding::{Chance, Finding, Form, Local, Method, Proof};
pub use rate::Rate;
pub use reason::{Reason, Unreserved};
pub use source::Source;
