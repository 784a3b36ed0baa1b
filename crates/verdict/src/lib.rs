//! From bounds and observations to verdicts, as text and for programs.
//!
//! **Model.** What an analysis proved of a description and a simulator showed is gathered as
//! [`evidence`]; [`verdict`] turns evidence into one verdict per requirement, and stops where an
//! observation exceeds a bound. [`report`] and [`json`] say the result of a check, [`simulation`] that of
//! a run.
//!
//! Nothing here reads or writes anything, reads a clock or starts a thread: descriptions are bytes,
//! results are text, and how wide and how colourful that is, is an argument ([`screen`]). So the same
//! code is in the command line and, as WebAssembly, in the workbench.
//!
//! **Does not cover** theory: no bound, no rule of a scheduler is computed in this crate.

pub mod absence;
pub mod alike;
pub mod bug;
pub mod cause;
pub mod chain;
pub mod chance;
pub mod check;
pub mod checked;
pub mod codes;
pub mod difference;
pub mod distribution;
pub mod earlier;
pub mod evidence;
pub mod frequency;
pub mod gantt;
pub mod gather;
pub mod guarantee;
pub mod help;
pub mod identity;
pub mod input;
pub mod json;
pub mod loss;
pub mod margin;
pub mod nearest;
pub mod occupied;
mod omitted;
pub mod outcome;
mod overreserved;
pub mod parameter;
pub mod patience;
pub mod prose;
mod reason;
pub mod recording;
pub mod replay;
pub mod report;
pub mod ruling;
pub mod screen;
pub mod search;
pub mod simulation;
pub mod statement;
pub mod table;
pub mod terms;
pub mod tried;
pub mod unit;
pub mod verdict;
pub mod watch;
pub mod weigh;

#[cfg(test)]
#[path = "../../vorrang/tests/vorrang/strict.rs"]
mod strict;
