//! The plans of the lab's guests, and their records.
//!
//! **Model.** A guest boots, and its first process (the program of this crate) does the steps of a
//! [`Plan`] one after the other, in the order in which they stand, and writes what it saw as
//! [`Record`]s, one JSON object a line, to the second serial port. The text of the kernel's trace
//! goes to the third. Then it turns the machine off. Both sides share the types of this library,
//! so that neither can misread the other.
//!
//! Two more programs run in guests beside it: `vorrang-probe` has threads that count their work
//! ([`counted`]), `vorrang-vcpu` is a virtual machine whose interrupts it raises ([`raised`]), or to which it sends frames
//! ([`frames`]). A third one, `vorrang-device`, has a device assigned to it, raises its interrupts and counts what is
//! delivered ([`delivered`]).
//!
//! **Assumptions.** 1. It is process 1 of a machine used for nothing else: it mounts, loads
//! modules and turns the machine off. 2. A guest that does not end with [`Record::End`] failed.
//!
//! **Not covered.** It judges nothing: what must hold is said by the scenario, outside.

pub mod clock;
pub mod counted;
pub mod delivered;
mod expiries;
pub mod frames;
mod plan;
pub mod raised;
mod record;
mod scene;
mod scheduling;
pub mod told;
pub mod work;

pub use expiries::{Exercise, ManyTimers, Told};
pub use plan::{
    AFTER_TICK, DONE, Fault, LoadedTask, Plan, ScriptedJob, ScriptedThread, Step, TICK, Work,
};
pub use record::{Accounted, Job, Record};
pub use scene::{Action, Clock, Meddling, Scene, Sleeper, Urgent};
pub use scheduling::Policy;

/// Where the plan lies in the guest.
pub const PLAN: &str = "/plan.json";
/// The folder of the modules in the guest; loaded in the order of their names.
pub const MODULES: &str = "/modules";
