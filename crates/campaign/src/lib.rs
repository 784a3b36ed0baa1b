//! Random systems, a brute-force oracle, and the campaign that holds bounds, simulator and oracle
//! against each other.
//!
//! | what | where |
//! |---|---|
//! | systems by seed and index | [`generate`], [`coverage`] |
//! | the semantics once more, tick by tick | [`oracle`] |
//! | all release offsets of tiny systems | [`brute`] |
//! | simulator against oracle | [`differential`] |
//! | what holds in every simulated history | [`invariant`] |
//! | one system, everything checked | [`check`] |
//! | many systems, and what came of them | [`campaign`], [`tally`], [`tightness`], [`report`] |
//! | designs of systems with values left open | [`designs`] |
//! | how often jobs in reservations are late | [`chance`] |
//! | what the analysis says, as numbers to compare | [`digest`] |
//! | a failing system made small and kept | [`shrink`], [`keep`] |
//! | a published crate as second opinion | [`peer`], [`sets`] |

pub mod brute;
pub mod campaign;
pub mod chance;
pub mod check;
pub mod coverage;
pub mod designs;
pub mod differential;
pub mod digest;
pub mod generate;
pub mod invariant;
pub mod keep;
pub mod oracle;
pub mod peer;
pub mod report;
mod requirements;
pub mod sets;
pub mod shrink;
pub mod tally;
pub mod tightness;

pub use vorrang_random as random;
