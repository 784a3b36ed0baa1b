// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! The events that have a program, as tracefs names them.

/// What a program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Two threads, and what the first was about to do.
    Switch,
    /// A thread and a processor.
    Woken,
    /// A number and a name.
    DeviceEntry,
    /// Two numbers.
    DeviceExit,
    /// The number of a soft interrupt.
    Soft,
    /// The number of an interrupt of the processor.
    Vector,
    /// The function of a timer, and its instant.
    Timer,
}

impl Shape {
    /// With how many values its tracepoint calls, at least and at most.
    pub(crate) const fn values(self) -> (usize, usize) {
        match self {
            Self::Switch => (4, 4),
            Self::Woken | Self::Soft | Self::Vector => (1, 1),
            Self::DeviceEntry => (2, 2),
            Self::DeviceExit => (3, 3),
            Self::Timer => (2, 3),
        }
    }
}

const EVENTS: [(&str, Shape); 9] = [
    ("sched/sched_switch", Shape::Switch),
    ("sched/sched_waking", Shape::Woken),
    ("sched/sched_wakeup", Shape::Woken),
    ("sched/sched_wakeup_new", Shape::Woken),
    ("irq/irq_handler_entry", Shape::DeviceEntry),
    ("irq/irq_handler_exit", Shape::DeviceExit),
    ("irq/softirq_entry", Shape::Soft),
    ("irq/softirq_exit", Shape::Soft),
    ("timer/hrtimer_start", Shape::Timer),
];
const VECTORS: &str = "irq_vectors";
/// Interrupts of a processor that are x86's own; another processor has no such system.
const OF_VECTORS: [&str; 11] = [
    "local_timer",
    "spurious_apic",
    "error_apic",
    "x86_platform_ipi",
    "irq_work",
    "reschedule",
    "call_function",
    "call_function_single",
    "threshold_apic",
    "deferred_error_apic",
    "thermal_apic",
];

/// The events of an event or a system, each with what is written of it; `None`: they have no programs.
pub(crate) fn shapes(wanted: &str) -> Option<Vec<(String, Shape)>> {
    if wanted == VECTORS {
        let both =
            |name: &&str| ["entry", "exit"].map(|end| (format!("{name}_{end}"), Shape::Vector));
        return Some(OF_VECTORS.iter().flat_map(both).collect());
    }
    let (name, shape) = EVENTS.iter().find(|(name, _)| *name == wanted)?;
    let (_, name) = name.split_once('/')?;
    Some(vec![(name.to_owned(), *shape)])
}
