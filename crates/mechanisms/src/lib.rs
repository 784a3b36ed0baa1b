//! The state machines that divide processor time, servers and schedulers, and those of devices that cause
//! work.
//!
//! **Model.** A [`server::Server`] receives events (`now`, consumed time, whether its guest has work) and
//! returns the time that it may consume and its next event. A [`scheduler::ReadyQueue`] holds the members of
//! a supply that are ready and returns the one that runs; where members take turns,
//! [`scheduler::turns::Turns`] does. There is no clock: `now` is an argument, the decision is the return
//! value. The rules are defined in `docs/model.md`.
//!
//! **Where a new kind of server goes.** One file in `server/` with a type that implements
//! [`server::Server`], and one variant of [`server::AnyServer`]. Nothing else here changes. The
//! simulator then makes one from a description (`mechanism` in `vorrang-sim/src/tree.rs`) and no
//! longer refuses the kind (`coverage.rs` there).
//!
//! **Assumptions.**
//! 1. The caller of a mechanism reports consumption before anything else of the same instant, and never more
//!    than [`server::Server::budget`] allowed. That may exceed the remaining budget, where a kind enforces it
//!    by a tick; how the overrun is charged is part of its rule.
//! 2. [`server::Server::replenish`] is called at the instant that [`server::Server::due`] named
//!    (or at once, if that instant has passed), never earlier.
//!
//! **Cost.** No operation allocates in steady state. All are constant time, but a ready queue and
//! some kinds of turns are logarithmic in the number of members, and invariants are checked (debug
//! builds).
#![no_std]
extern crate alloc;

/// What its page shows holds.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod device;
pub mod interrupt;
pub mod scheduler;
pub mod server;
pub mod switch_cost;
pub mod throttling;
