//! The servers and schedulers of a description, run on a processor of a stock Linux.
//!
//! **Model.** Every server of a core has one thread, which is *parked*: it gets next to nothing by
//! itself. At each instant at which something happens, a [`Processor`] decides which server has the
//! processor, by the same mechanisms as the simulator (`vorrang-mechanisms`; `now` in, decision
//! out), and a [`Machine`] *lends* its thread a priority until the decision is another one. One loan
//! is out at a time, so the kernel decides nothing that the mechanisms would.
//!
//! ```text
//!              clock, processor time, states of threads
//!   Machine ───────────────────────────────────────────▶ Processor
//!      ▲                                                     │
//!      └──────── lend, take back, sleep until ◀── Decision ──┘
//! ```
//!
//! **Assumptions.** 1. A thread receives no processor time but what it is lent; what it receives while it
//! is parked is nobody's budget. 2. While the dispatcher runs, the lent thread does not: both are
//! on one processor. 3. That the lent thread sleeps is told at once; that a parked one wakes is seen
//! by looking at it ([`Processor`] says when).
//!
//! **Does not cover** interrupts and pseudo-VCPUs, more than one processor at once.

pub mod arguments;
pub mod changes;
pub mod dispatch;
pub mod linux;
pub mod machine;
mod member;
mod order;
pub mod place;
pub mod processor;
pub mod report;
mod reserved;
pub mod restore;
pub mod rule;
pub mod run;
pub mod running;
pub mod schedule;
pub mod scope;
mod taking_turns;
mod threads;
pub mod uncounted;

pub use machine::Machine;
pub use processor::{Decision, Processor};
