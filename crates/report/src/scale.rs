//! Times as numbers of one unit, for an axis and everything that is written on it.

use vorrang_time::Duration;
use vorrang_verdict::unit::Unit;

/// The unit of an axis.
#[derive(Clone, Copy)]
pub(crate) struct Scale(Unit);

impl Scale {
    /// For times up to this.
    pub(crate) fn for_up_to(longest: Duration) -> Self {
        Self(Unit::up_to(longest))
    }

    /// Its name.
    pub(crate) fn unit(self) -> &'static str {
        self.0.name()
    }

    /// The place of a time on the axis.
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    pub(crate) fn of(self, time: Duration) -> f64 {
        time.as_ns() as f64 / self.0.ns() as f64
    }

    /// A time in words, exact.
    pub(crate) fn text(self, time: Duration) -> String {
        self.0.text(time)
    }
}
