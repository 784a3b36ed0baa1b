//! What each kind of server may consume, over random histories tick by tick.

mod activations;
mod bounds;
mod driver;
mod posix;
mod published;
mod sched_deadline;
mod schedules;
