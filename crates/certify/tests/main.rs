//! The tests of this crate as one program: it is linked once, and its tests run side by side.

mod attacked;
mod cached;
mod called;
mod calls;
mod cold;
mod compared;
mod examples;
mod idle;
mod idle_guests;
mod late;
mod queued;
mod queues;
mod shared;
mod sharing;
mod shielded;
mod shields;
mod timers;
mod woken;
