//! What every theorem stands on, and what knows nothing of any.
//!
//! | what | file |
//! |---|---|
//! | fractions of a processor, exactly or rounded away from optimism | `rate.rs`, `bandwidth.rs` |
//! | how long a search may take, and fixed points | `effort.rs`, `fixed_point.rs` |
//! | after how much work a supply is where it was | `repetition.rs` |
//! | who takes time, as a number | `source.rs` |
//! | the tree of supplies | `tree.rs` |
//! | what a bound takes for granted, and why there is none | `assumption.rs`, `of_kernel.rs`, `reason.rs`, `overbooked.rs` |

mod assumption;
mod bandwidth;
mod effort;
mod fixed_point;
mod of_kernel;
mod overbooked;
mod rate;
mod reason;
mod repetition;
mod source;
mod tree;

pub use assumption::Assumption;
pub use bandwidth::Bandwidth;
pub use effort::{Effort, LONGEST_WINDOW, LongRun, NoBound};
pub(crate) use fixed_point::{greatest_fixed_point, least_fixed_point};
pub use of_kernel::OfKernel;
pub use overbooked::Overbooked;
pub use rate::Rate;
pub(crate) use rate::{
    COARSE, at_most_one, common_multiple, greatest_common_divisor, is_clearly_below, share,
};
pub use reason::{Reason, Unreserved};
pub use repetition::Repetition;
pub use source::Source;
pub(crate) use tree::{
    delivered_to, deliveries, has_blocked_server, is_never_empty_handed, left_behind,
    sections_within,
};
