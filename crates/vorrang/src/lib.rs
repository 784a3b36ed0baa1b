//! The command line of Vorrang: one file per verb.
//!
//! **Model.** A description is read and resolved; the analysis bounds every response, the simulator looks for long
//! ones; `vorrang-verdict` turns both into verdicts, and these into text and JSON. `vorrang-command` has input, exit
//! codes, progress, Ctrl-C and the terminal. Here are arguments and files.
//!
//! **Does not cover** theory: no bound, no rule of a scheduler is computed in this crate.

pub mod apply;
pub mod arguments;
mod certificates;
pub mod check;
pub mod content;
pub mod design;
pub mod destination;
pub mod diff;
mod dispatched;
pub mod doctor;
mod edited;
pub mod explain;
pub mod export;
pub mod fmt;
pub mod folder;
pub mod import;
pub mod init;
pub mod learn;
pub mod lsp;
pub mod manual;
pub mod margin;
pub mod measure;
pub mod observe;
mod owners;
pub mod paged;
pub mod report;
pub mod reproduce;
pub mod restore;
pub mod schema;
mod shield;
pub mod shown;
pub mod simulate;
pub mod status;
mod stored;
pub mod sweep;
mod tracing;
pub mod workbench;
