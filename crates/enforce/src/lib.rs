//! Applies a description's reservations to a running Linux, and undoes them.
//!
//! **Model.** A [`Plan`] consists of the steps that a description needs on a machine; [`apply`] executes them
//! one after the other. Before each it reads the present state, writes that into the [`journal`] and to disk,
//! and only then changes it; [`restore`] goes through the journal backwards. So at every instant the journal
//! has every change, and undoing a change that was not made yet does no harm.
//!
//! **Assumptions.** 1. Linux 6.7 or later with control groups v2 at `/sys/fs/cgroup` (remote
//! partitions). 2. No other program changes the same settings meanwhile. 3. Settings do not outlive a
//! boot, so a journal of another boot is void.
//!
//! **Not covered.** Threads that start later and are not in the description run where the system puts them;
//! per-processor threads of the kernel stay on the reserved processors.

pub mod admission;
mod apply;
mod beginning;
mod change;
pub mod export;
mod find;
mod groups;
mod intent;
mod interrupts;
pub mod journal;
mod machine;
mod merge;
mod plan;
mod refusal;
mod restore;
mod runtimes;
mod selector;
mod shield;
mod status;
mod told;
mod who;
mod wish;

pub use apply::{Applied, Stopped, apply, carry_out};
pub use change::Change;
pub use find::{find_interrupts, find_thread};
pub use groups::GROUP;
pub use intent::Intent;
pub use interrupts::of_thread as interrupt_of;
pub use machine::{
    Folder, Kernel, Known, Linux, Policy, Thread, await_affinity, cpu_list, cpus_of, group_of,
    is_of_kernel, is_there, known, may_not_be_moved, of_process,
};
pub use merge::merge;
pub use plan::{
    Plan, Reserved, Step, Unfit, following, is_dispatched, is_dispatched_core, is_of_both,
    known_threads, plan, shields, threads_of,
};
pub use restore::{Restored, restore, undo};
pub use runtimes::{RuntimesEnd, runtimes_end};
pub use selector::Unresolved;
pub use shield::Shielded;
pub use status::{Finding, Row, Sample, Times, could_poll_in_threads, rows, sample, shielded};
pub use told::Told;
pub use who::Who;
pub use wish::Wish;
