//! The servers and schedulers of a description, run on processors of a stock Linux.
//!
//! **Model.** Every server of a core has one thread, which is *parked*: it receives next to no time by
//! itself. At each event, a [`Processor`] decides which server has the processor, by the same mechanisms as
//! the simulator (`vorrang-mechanisms`; `now` in, decision out), and a [`Machine`] *lends* its thread a
//! priority until the decision changes. There is one loan at a time, so that the mechanisms and not the
//! kernel decide.
//!
//! ```text
//!              clock, processor time, states of threads
//!   Machine ───────────────────────────────────────────▶ Processor
//!      ▲                                                     │
//!      └──────── lend, take back, sleep until ◀── Decision ──┘
//! ```
//!
//! **Assumptions.** 1. A thread receives processor time by loans only; the little time that it receives while
//! it is parked is charged to no budget. 2. While the dispatcher runs, the lent thread does not: both are on
//! one processor. 3. A sleep of the lent thread is reported at once; a wake-up of a parked one is found by
//! polling ([`Processor`] says when), except by an interrupt of a guest, which is reported when it is raised.
//!
//! Processors of one description are run side by side, each by a [`Processor`] and a [`Machine`] of its own; they share
//! their beginning and their end.

mod alone;
pub mod arguments;
mod around;
pub mod background;
pub mod changeover;
pub mod changes;
pub mod control;
pub mod dispatch;
pub mod elsewhere;
pub mod guests;
pub mod in_place;
mod late;
pub mod levels;
pub mod linux;
pub mod machine;
mod member;
pub mod of_kernel;
pub mod of_linux;
mod order;
mod pace;
pub mod park;
mod placed;
pub mod processor;
mod raised;
mod ran;
mod replace;
pub mod report;
mod reserved;
pub mod restore;
pub mod rule;
pub mod run;
pub mod running;
pub mod schedule;
pub mod scope;
mod shown;
pub mod sight;
pub mod status;
mod taking_turns;
pub mod tasks;
mod threads;
pub mod uncounted;
pub mod undoer;
pub mod vectors;
mod words;

pub use machine::Machine;
pub use processor::{Decision, Processor};
