//! Traces of simulated histories, to be opened in [Perfetto](https://ui.perfetto.dev).
//!
//! **Model.** A trace file holds, for every core that was simulated,
//!
//! ```text
//!   CPU row      what ran on the core: one thread for each task, service routine, guest's routine and
//!                idling server; the threads of a virtual machine form a process
//!   tracks       core.0 ─┬─ kernel             sections of the kernel
//!                        ├─ interrupt.can0 ─┬─ held back
//!                        │                  └─ pseudo-VCPU ── budget
//!                        ├─ vcpu.engine ─┬─ budget
//!                        │               ├─ interrupt.can0 in the guest
//!                        │               └─ task.injection
//!                        └─ task.watchdog
//!                chain.brake ─┬─ reaction     each value from its reading to its output, in it the jobs
//!                             └─ age
//! ```
//!
//! Slices say what ran, counters what budget is left, instants what happened (releases, missed
//! deadlines, replenishments, …). [`CoreTrace`] is an [`Observer`](vorrang_sim::Observer) of one
//! run of one core; several cores go into one file, one after the other.
//!
//! **Assumptions.**
//! 1. Runs of different cores that go into one file begin at the same instant.
//! 2. A run reports what ran without overlap, in order.
//! 3. A service routine that another one interrupts counts as asleep: only for tasks is it known
//!    whether they have more to do.
//!
//! **Cost.** Constant time for an event; memory for the names of a system, 64 KiB of output and one
//! bundle of switches, whatever the horizon. About 80 bytes a job of a task on a core.
//!
//! **Does not cover** lost time by cause, which is a sum and no event.
//!
//! **Reference.** The field numbers are those of `protos/perfetto/trace/perfetto_trace.proto`;
//! `tests/descriptors.py` reads what is written with the descriptors that Perfetto publishes.

mod btf;
mod core_trace;
mod events;
mod host;
mod lanes;
mod mark;
mod recognise;
mod rows;
mod sequence;
mod sink;
mod switches;
mod threads;
mod trace;
mod tracks;
mod wire;

pub use btf::{BEGINNING as BTF_BEGINNING, Btf, BtfCore};
pub use core_trace::CoreTrace;
pub use host::{HostThread, HostTrace};
pub use lanes::{Lane, Value, Values, lanes};
pub use recognise::{BEGINNING, is_trace};
pub use rows::{Label, NewRow};
pub use trace::Trace;
