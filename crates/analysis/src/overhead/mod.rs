//! The overhead of a machine, before the members of a core.
//!
//! | what | file |
//! |---|---|
//! | all of it, as one value | `core_interference.rs` |
//! | timers of tasks, one and all | `timer.rs`, `timers.rs` |
//! | timers that wait for something as urgent (TimerShield) | `timer_shield.rs` |
//! | how long the kernel goes on first | `section.rs` |
//! | timers by which budgets return and end | `budget_timer.rs` |
//! | what calls the scheduler | `event.rs` |
//! | who calls it, and what calls and switches take before a member | `caller.rs`, `kernel.rs`, `before.rs` |
//! | what calls it while a member waits | `waiting.rs` |
//! | ends of slices among equals, as calls and switches | `slices.rs` |
//! | how often members get the core | `often.rs` |
//! | in how many pieces budget returns | `pieces.rs` |
//! | for how long it goes on with something less urgent | `section.rs` |
//! | what cold caches take | `cache.rs` |
//! | runtimes that end late | `overrun.rs` |
//! | which servers pay for routines | `paying.rs` |

mod before;
pub(crate) mod budget_timer;
mod cache;
mod caller;
mod core_interference;
mod event;
mod kernel;
mod often;
mod overrun;
mod paying;
mod pieces;
mod section;
mod slices;
mod timer;
mod timer_shield;
mod timers;
mod waiting;

pub(crate) use budget_timer::budgets_by_timers;
pub(crate) use cache::{
    ColdStarts, loss, loss_in_run, loss_lines, loss_lines_of_runs, loss_of_job, loss_of_server,
};
pub(crate) use core_interference::CoreInterference;
pub(crate) use event::{SchedulingEvent, events};
pub(crate) use kernel::Kernel;
pub(crate) use overrun::{
    besides_budgets, early_budgets, overrun, overruns_of_others, own_overrun, with_overruns,
};
pub(crate) use paying::{has_pieces, pays_for_routines};
pub(crate) use section::section;
pub(crate) use timers::{Timers, is_shielded};
