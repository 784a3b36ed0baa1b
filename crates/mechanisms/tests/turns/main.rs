//! The order of turns, and the time that each member receives.

mod changes;
mod driver;
mod error;
mod naive;
mod vectors;
