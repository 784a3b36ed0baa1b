//! Descriptions from what a machine did.
//!
//! **Purpose.** What people have is no description but a machine that runs. A trace of its kernel says which threads it
//! has, when they are woken, for how long they execute, and what interrupts them. That becomes a description, in which each
//! value says where it is from.
//!
//! **Model.** [`learner`] reads a trace line by line, or event by event as a kernel stores it: of each real-time [`thread`] its jobs, of each [`processor`] its
//! interrupts. Arrivals are learnt as [least distances](distances) first, which are exact, then as a [periodic](periodic)
//! model with the least jitter there is. [`document`] writes what was learnt, with a margin, into a new description or into
//! one that is there, whose comments and hand edits stay.
//!
//! **Assumptions.** 1. What will happen stays within what was seen and the margin: verdicts that rest on learnt values say
//! so. 2. Those of the reader of traces (`vorrang_observe::schedule`).
//!
//! **Does not cover** what happens inside guests, and threads of `SCHED_OTHER`, except virtual processors.

mod arrival;
pub mod distances;
pub mod document;
mod facts;
pub mod learner;
mod names;
mod owner;
pub mod periodic;
pub mod processor;
mod said;
pub mod separation;
mod stored;
mod table;
mod tables;
pub mod tally;
pub mod thread;
mod told;
mod wanted;

pub use arrival::Form;
pub use distances::Window;
pub use facts::Facts;
pub use learner::Learner;
pub use owner::{Owner, threads_of};
pub use separation::Separation;
pub use table::Style;
pub use thread::Arrivals;
pub use wanted::{Learnt, Malformed, Wanted};
