//! Random systems, a brute-force oracle, and the campaign that holds bounds, simulator and oracle
//! against each other.
//!
//! See [`generate`] for what is drawn, [`oracle`] for the semantics once more, tick by tick.

pub mod brute;
pub mod coverage;
pub mod differential;
pub mod generate;
pub mod oracle;
pub mod peer;
pub mod random;
mod requirements;
pub mod sets;
pub mod shrink;
