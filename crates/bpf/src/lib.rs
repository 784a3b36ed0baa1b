//! What a kernel does, recorded by programs of eBPF instead of by tracefs, which costs it less.
//!
//! **Purpose.** [`Recorder`] puts a program at each tracepoint that is wanted. A program writes what tracefs would have written,
//! in fewer bytes, into memory that is mapped here. What comes out has the bytes of an event of tracefs, with formats in the words of
//! tracefs ([`Recorder::formats`]): who reads those reads these.
//!
//! **Model.** Programs are made here, instruction by instruction, for the kernel that runs: where its values stand is read from
//! its own types (`/sys/kernel/btf/vmlinux`). No compiler and no library is needed, and nothing is left in the kernel when this
//! process ends, however it ends.
//!
//! ```text
//!   types ─ places of fields ─┐
//!   kernel/ ─ instructions ───┴─ bpf(2) ─ tracepoints ┄┄▶ a room for each processor ─ records ─ in the order of time
//! ```
//!
//! **Assumptions.** 1. The kernel says what a thread that leaves its processor was about to do (Linux 5.18). 2. Words have 64 bits,
//! the least significant byte first.
//!
//! **Cost.** Memory for each processor, which the kernel keeps.
//!
//! **Does not cover** events of modules and calls of the kernel (`syscalls`): who wants them takes tracefs.
//!
//! **Reference.** `Documentation/bpf/` of the kernel: `btf.rst`, `map_array.rst`, and `standardization/instruction-set.rst`.

mod call;
mod instruction;
mod kernel;
mod recorder;
mod rooms;
mod types;
mod waiting;

pub use recorder::{Recorder, Unable};
pub use types::Types;
