//! Whose turn it is, and what everybody receives.

mod changes;
mod driver;
mod error;
mod naive;
mod vectors;
