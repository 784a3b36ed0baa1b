//! One timer of a task, as loads.

use crate::demand::Load;
use crate::ground::Source;
use crate::request::Urgency;
use vorrang_model::system::TimerId;
use vorrang_time::Duration;

/// A timer, and how late it may be handled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer<'a> {
    pub(crate) id: TimerId,
    pub(crate) urgency: Urgency,
    /// Its expiries, each with all that it takes: its callback, and what comes around that.
    pub(crate) expiries: Load<'a>,
    pub(crate) callback: Duration,
    /// From an expiry to the end of its callback.
    pub(crate) latency: Duration,
}

impl<'a> Timer<'a> {
    /// What is handled in windows that begin anywhere.
    pub(crate) fn handled(&self) -> Load<'a> {
        self.expiries.later(self.latency)
    }

    /// The same in windows in which at most one timer interrupt is requested by something else than an expiry in
    /// them: that one aside, its callbacks, and what comes around those of the window.
    pub(super) fn handled_at_once(&self) -> [Load<'a>; 2] {
        let (callback, around) = (self.callback, self.expiries.cost - self.callback);
        [
            Load { cost: callback, source: Source::Callbacks(self.id), ..self.handled() },
            Load { cost: around, ..self.expiries },
        ]
    }
}
