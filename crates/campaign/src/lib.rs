//! Random systems, a brute-force oracle, and the campaign that compares bounds, simulator and oracle with
//! each other.
//!
//! | what | where |
//! |---|---|
//! | systems by seed and index | [`generate`], [`coverage`] |
//! | the semantics once more, tick by tick | [`oracle`] |
//! | all release offsets of tiny systems | [`brute`] |
//! | all histories of small systems | [`exhaustive`] |
//! | all histories of small systems with chains, over cores | [`paths`] |
//! | simulator against oracle | [`differential`] |
//! | invariants of every simulated history | [`invariant`] |
//! | all checks of one system | [`check`] |
//! | many systems, and the results | [`campaign`], [`tally`], [`tightness`], [`report`] |
//! | designs of systems with values left open | [`designs`] |
//! | deadline-miss probabilities in reservations | [`chance`] |
//! | certified bounds against the search | [`certified`] |
//! | results of the analysis, as numbers to compare | [`digest`] |
//! | a failing system minimised and kept | [`shrink`], [`keep`] |
//! | a published crate as second opinion | [`peer`], [`sets`] |

pub mod brute;
pub mod campaign;
pub mod certified;
pub mod chance;
pub mod check;
pub mod coverage;
pub mod designs;
pub mod differential;
pub mod digest;
pub mod exhaustive;
pub mod generate;
pub mod invariant;
pub mod keep;
pub mod least_budget;
pub mod oracle;
pub mod paths;
pub mod peer;
pub mod report;
mod requirements;
pub mod sets;
pub mod shrink;
pub mod tally;
pub mod tightness;

pub use vorrang_random as random;
