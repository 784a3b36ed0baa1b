//! Timer queues of a core: in the order of expiry, or shielded by urgency.
#![no_std]
extern crate alloc;

mod clock;
mod core_timers;
mod hrtimer;
mod queue;
mod shield;
mod tournament;
mod urgency;

pub use clock::Clock;
pub use core_timers::{Cancelled, Cause, CoreTimers, Expired, Program, TimerId};
pub use hrtimer::HrTimer;
pub use queue::{Pending, TimerQueue, Violation};
pub use shield::TimerShield;
pub use urgency::{Class, Urgency};
