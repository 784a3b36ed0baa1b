//! Whose turn it is, and what everybody receives.

mod driver;
mod vectors;
