//! Timers of a core: queues in the order of expiry or shielded by urgency, clocks, and what the
//! hardware must be told.
//!
//! With [`HrTimer`] a timer that expires interrupts whatever runs, as hrtimers of Linux do. With
//! [`TimerShield`] it waits while something more urgent than its owner runs, and comes, in a batch
//! with others, when the core goes to something that is not. Both are a [`TimerQueue`] and can be
//! used by themselves; [`CoreTimers`] puts one behind each [`Clock`] and decides when the
//! hardware fires.
//!
//! ```
//! use core::num::NonZeroU32;
//! use vorrang_time::Instant;
//! use vorrang_timer::{Cause, Clock, CoreTimers, Program, TimerId, TimerShield, Urgency};
//!
//! // Room for 16 timers on each clock. The core is idle.
//! let mut timers = CoreTimers::new(Clock::ALL.map(|_| TimerShield::with_capacity(16)));
//! let (low, high) = (Urgency::of_priority(10), Urgency::of_priority(80));
//! let (at, later) = (Instant::from_ns(1_000), Instant::from_ns(5_000));
//! let logger = TimerId { clock: Clock::Monotonic, slot: 0 };
//! assert_eq!(timers.arm(logger, at, low), Program::At(at));
//!
//! // The core goes to an urgent task: the logger's timer will not interrupt it.
//! let limit = NonZeroU32::new(8).unwrap();
//! timers.switch(high, limit);
//! assert_eq!(timers.expire(Instant::from_ns(500)), None);
//! assert_eq!(timers.finish(), Program::Never);
//!
//! // The core falls idle: what was held back comes now, late, and starts again.
//! timers.switch(Urgency::LEAST, limit);
//! let expired = timers.expire(Instant::from_ns(3_000)).unwrap();
//! assert_eq!((expired.timer, expired.due, expired.cause), (logger, at, Cause::Switch));
//! assert_eq!(timers.restart(logger, later), Program::Keep);
//! assert_eq!(timers.expire(Instant::from_ns(3_100)), None);
//! assert_eq!(timers.finish(), Program::At(later));
//! ```
//!
//! **Model.** A timer is a slot of a queue: armed at an instant with the [`Urgency`] of its owner,
//! pending until it expires or is cancelled, armed again at will. `now` is an argument, and what
//! to do is the return value; there is no callback, clock or lock here.
//!
//! **Assumptions.** Those of [`core_timers`]: the caller obeys every [`Program`],
//! tells of every switch and every change of urgency, and uses no slot that does not exist.
//!
//! **Cost.** All memory is taken when a queue is made: 17 bytes for each timer of an [`HrTimer`],
//! about 21 for each of a [`TimerShield`]. No operation depends on how many timers are pending,
//! only on how many there can be; the worst case of each is in [`hrtimer`], [`shield`] and
//! [`core_timers`]. `cargo bench -p vorrang-timer --bench queues`
//! compares with others.
//!
//! **Does not cover** slack (timers that may be late on purpose), moving timers between cores,
//! and locking.
//!
//! Reference: P. Patel, M. Vanga, B. Brandenburg, `TimerShield`: Protecting High-Priority Tasks
//! from Low-Priority Timer Interference, RTAS 2017. `tests/defects` shows eight things that the
//! prototype of that paper got wrong and a user would notice.
#![no_std]
extern crate alloc;

/// What its page shows holds.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod clock;
pub mod core_timers;
pub mod hrtimer;
mod queue;
pub mod shield;
mod tournament;
mod urgency;

pub use clock::Clock;
pub use core_timers::{Cancelled, Cause, CoreTimers, Expired, Program, TimerId};
pub use hrtimer::HrTimer;
pub use queue::{Pending, TimerQueue, Violation};
pub use shield::TimerShield;
pub use urgency::{Class, Urgency};
