//! The findings of `vorrang observe`, independent of their presentation.

use vorrang_observe::Schedule;
use vorrang_observe::observation::{Limits, Observation};
use vorrang_verdict::input::Input;

/// Everything that a result is made of.
pub(super) struct Observed {
    pub(super) input: Input,
    /// Where the trace is from.
    pub(super) from: String,
    pub(super) schedule: Schedule,
    pub(super) limits: Limits,
    pub(super) observation: Observation,
}
