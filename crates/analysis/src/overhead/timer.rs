//! One timer of a task, as loads.

use crate::competitor::Urgency;
use crate::load::Load;
use vorrang_model::system::TimerId;
use vorrang_time::Duration;

/// A timer, and how late it may be handled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer<'a> {
    pub(crate) id: TimerId,
    pub(crate) urgency: Urgency,
    /// What comes around its callback.
    pub(crate) around: Load<'a>,
    pub(crate) callback: Load<'a>,
    /// From an expiry to the end of its callback.
    pub(crate) latency: Duration,
}

impl<'a> Timer<'a> {
    /// The whole at once.
    pub(super) fn load(&self) -> Load<'a> {
        Load { cost: self.around.cost + self.callback.cost, ..self.around }
    }
}
