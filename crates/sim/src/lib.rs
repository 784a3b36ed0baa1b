//! Simulation of a core, with those that paths connect to it, and the search for histories that break a requirement.
//!
//! **Model.** A description leaves much open: when jobs arrive, how much of their jitter they
//! use, how long they execute, where the periods of servers begin. A [`History`] fixes all of it;
//! [`simulate`] then runs the mechanisms of `vorrang-mechanisms` through it and tells an
//! [`Observer`] what happens.
//!
//! **Assumptions.** Those of the modules; what is observed is a *lower* bound on the worst case:
//! a miss refutes a requirement, the absence of one proves nothing.
//!
//! **Determinism.** The same system, core, history and horizon give the same events on every
//! machine: events are ordered by instant, class and declaration, random numbers are `ChaCha8`
//! streams, one per entity.

mod account;
mod backlog;
mod ceilings;
mod chain;
mod chain_seen;
mod choice;
mod climb;
mod counting;
mod coverage;
mod device;
mod expiries;
mod history;
mod interrupt;
mod job;
mod jobs;
mod limits;
mod node;
mod observations;
mod observer;
mod own;
mod packet_times;
mod packets;
pub mod pattern;
mod places;
mod pseudo_vcpu;
mod random;
mod routines;
mod search;
mod seen_before;
mod simulator;
mod task;
mod timers;
mod tree;
mod trial;
mod turns;

pub use account::{HistoryKind, Omission};
pub use ceilings::Ceilings;
pub use chain::{Handed, Passage, Passages, handed, latency};
pub use chain_seen::{ChainSeen, Seen};
pub use choice::{Arrivals, Delay, Execution, Spacing};
pub use counting::Counting;
pub use coverage::{NotCovered, covered};
pub use history::{Blocker, History};
pub use job::{Job, Source};
pub use jobs::{Jobs, Plan, ScriptedJob};
pub use limits::{Search, jobs_within};
pub use observations::{Miss, Observations, Worst};
pub use observer::{Cause, Context, Observer, Packet, Payer, Running, Section};
pub use packet_times::PacketTimes;
pub use pattern::{ParsePatternError, Pattern};
pub use search::{Progress, search, search_observed, search_since, search_with};
pub use seen_before::SeenBefore;
pub use simulator::{End, Simulator, simulate};
pub use trial::{SYNCHRONOUS_JOBS, time_of};
