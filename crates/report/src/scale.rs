//! Times as numbers of one unit, for axes.

use vorrang_time::Duration;

/// A unit for an axis.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) unit: &'static str,
    ns: f64,
}

impl Scale {
    /// For times up to this.
    pub(crate) fn for_up_to(longest: Duration) -> Self {
        let (unit, ns) = match longest.as_ns() {
            0..2_000 => ("ns", 1.0),
            2_000..2_000_000 => ("us", 1e3),
            2_000_000..2_000_000_000 => ("ms", 1e6),
            _ => ("s", 1e9),
        };
        Self { unit, ns }
    }

    /// A time in it.
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    pub(crate) fn of(self, time: Duration) -> f64 {
        time.as_ns() as f64 / self.ns
    }
}
