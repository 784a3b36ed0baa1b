//! The command line of Vorrang: one file per verb, and the verdicts.
//!
//! **Model.** A description is read and resolved ([`input`]); the analysis bounds every response,
//! the simulator looks for long ones; [`verdict`] is the only place that sees both, turns them into
//! one verdict per requirement, and stops with a loud message where an observation exceeds a bound.
//! Everything else here prints.
//!
//! **Conventions.** Standard output is data, standard error is talk. A verb writes its whole output
//! at once, so a failure leaves none. Exit codes are [`exit::Exit`].
//!
//! **Does not cover** theory: no bound, no rule of a scheduler is computed in this crate.

pub mod alike;
pub mod apply;
pub mod arguments;
pub mod cause;
pub mod chance;
pub mod check;
mod checked;
pub mod content;
pub mod design;
pub mod destination;
pub mod distribution;
pub mod exit;
pub mod explain;
pub mod export;
pub mod gantt;
pub mod guarantee;
pub mod identity;
pub mod init;
pub mod input;
pub mod interruption;
pub mod journal;
pub mod json;
pub mod loss;
pub mod manual;
pub mod margin;
pub mod measure;
pub mod name;
pub mod nearest;
pub mod observe;
pub mod occupied;
mod omitted;
mod parameter;
pub mod progress;
pub mod prose;
pub mod pulse;
pub mod recording;
pub mod replay;
pub mod report;
pub mod reproduce;
pub mod restore;
pub mod schema;
pub mod screen;
mod shield;
pub mod simulate;
pub mod status;
pub mod table;
pub mod tried;
pub mod unit;
pub mod verdict;
pub mod watch;
