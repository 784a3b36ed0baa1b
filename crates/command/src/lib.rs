//! What `vorrang` and `vorrang-host` have in common: what they read and return, and how they are shown.
//!
//! **Model.** A verb takes its arguments and returns an [`exit::Output`] or an [`exit::Failure`]; [`program`] prints that and
//! ends. Between the two programs the same values pass. Standard output has data, standard error has messages; a verb
//! writes its whole output at once, so a failure leaves none.

pub mod decided;
pub mod defaults;
pub mod exit;
pub mod input;
pub mod interruption;
pub mod metrics;
pub mod place;
pub mod program;
pub mod progress;
pub mod pulse;
pub mod screen;
