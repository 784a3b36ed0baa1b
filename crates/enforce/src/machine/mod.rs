//! The interface to a kernel, and the kernel of this process.

mod folder;
mod kernel;
mod known;
mod linux;
mod list;
mod thread;

pub use folder::Folder;
pub use kernel::Kernel;
pub use known::{Known, known};
pub use linux::Linux;
pub use list::{cpu_list, cpus_of};
pub(crate) use list::{cpu_mask, cpus_of_mask};
pub use thread::Thread;
pub(crate) use thread::{LOOKS, all as all_threads, gone_is_none, is_gone, last_processor};
pub use thread::{await_affinity, group_of, is_of_kernel, is_there, may_not_be_moved, of_process};
pub use vorrang_sched::Policy;
