//! The verdicts on several descriptions, in the formats of programs that watch over merges.
//!
//! **Model.** Each file was judged or refused ([`Judged`]); what is to be said of it is a list of cases and
//! findings ([`finding`]), and each format is a way to write these: JSON of all results, JUnit, SARIF 2.1.0, and
//! annotations of GitHub. A finding is at the table that declares what it is about.
//!
//! **Does not cover** how long anything took: the same descriptions give the same bytes.

pub mod annotations;
pub mod finding;
pub mod json;
mod judged;
pub mod junit;
pub mod sarif;
pub mod text;

pub use judged::{Judged, Worst};
