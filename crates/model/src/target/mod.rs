//! What runs a description: schedulers of kernels and hypervisors, each with its rule and its limits, as data.
//!
//! **Model.** A proof holds where the scheduler does what the description says. A [`Target`] has some schedulers of a
//! core, some kinds of server and, beside them, perhaps tasks by priority; it takes budgets and periods within
//! [`Limits`]. Whatever is written for a target, or chosen for it, is checked against this table: exports and plans,
//! warnings, designs and advice. `docs/targets.md` is written from it.
//!
//! **Does not cover** what a scheduler costs, and what else a kernel does (`docs/kernel.md`).

mod admission;
mod limits;
pub mod linux;
mod page;
mod rules;

pub use admission::{Admission, bandwidth};
pub use limits::{Fault, Limits};
pub use page::targets;
pub use rules::{LINUX, SEL4, Target, XEN};
