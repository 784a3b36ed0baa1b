//! Why a Linux refuses real-time threads or delays them: each cause with what was read, and a remedy.
//!
//! **Model.** A cause is a function of files of `/proc` and `/sys`. It stops something (the kernel answers with an
//! error), costs time, is absent, or cannot be seen. Nothing is changed and nothing is tried.
//!
//! **Assumptions.** 1. Linux 5.10 or later. 2. Where a file is not there, the kernel lacks what it is about, or hides
//! it; each cause says which.
//!
//! **Sources.** kernel/sched/syscalls.c (`user_check_sched_setscheduler`, `__sched_setscheduler`; before 6.11 in
//! core.c), kernel/sched/deadline.c (`__checkparam_dl`, `sched_dl_overflow`), kernel/sched/rt.c (`sched_rt_can_attach`)
//! of the versions.
//!
//! **Not covered.** Security modules that refuse `task_setscheduler`; cpusets of control groups v1.

mod cause;
mod described;
mod finding;
mod look;
mod subject;

pub use described::of_description;
pub use finding::{Finding, Read, State};
pub use subject::{Asked, Subject, Whose};

use look::Look;
use vorrang_enforce::Kernel;

/// All findings about a subject on a machine, in the order in which the kernel would say them.
pub fn examine(kernel: &dyn Kernel, subject: &Subject) -> Vec<Finding> {
    let found = cause::ALL.iter().filter_map(|(name, rule)| {
        let look = Look::new(kernel);
        let said = rule(&look, subject)?;
        Some(said.about(name, look.read()))
    });
    found.collect()
}
