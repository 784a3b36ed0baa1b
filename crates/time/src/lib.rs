//! Instants and durations: integer nanoseconds, checked.
//!
//! **Model.** Time is a count of nanoseconds in a `u64`. An [`Instant`] counts from the start of
//! a history; a [`Duration`] is a length of time, and also an amount of processor work (one unit
//! of work is what a core does in one nanosecond at its full rate).
//!
//! **Assumptions.**
//! 1. Stated durations are at most [`Duration::MAX_STATED`], so that sums and products of a
//!    handful of them stay far from the end of the range.
//! 2. The operators panic on overflow in every build profile: an overflow here is a bug. Code
//!    that may legitimately leave the range uses the `checked_` forms and handles `None`.
//!
//! **Does not cover** calendars, clocks of the host, fractions of a nanosecond.
#![no_std]
extern crate alloc;

mod divisor;
mod duration;
mod instant;
mod parse;

pub use divisor::Divisor;
pub use duration::Duration;
pub use instant::Instant;
pub use parse::ParseDurationError;
