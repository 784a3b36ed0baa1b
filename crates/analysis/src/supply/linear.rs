//! Supplies that a line bounds from both sides.
//!
//! Theory: docs/theory/supply.md.

use super::{BoundedDelay, Supply};
use vorrang_time::Duration;

/// A supply between two lines of the same share α.
pub trait Linear: Supply {
    /// The line below: so much it provides at least.
    fn linear(&self) -> BoundedDelay;

    /// The delay of the line above: `w` of work takes no less than that and `w / α`.
    fn least_delay(&self) -> Duration;
}
