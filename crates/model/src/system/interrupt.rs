//! Interrupts of cores, their delivery to guests, and pseudo-VCPUs.

use super::distances::{cycle, mean};
use super::{Distances, InterruptId, Priority, Scheduler, SupplyId, TaskId, TimerId};
use vorrang_time::Duration;

/// Which of several requested service routines of a core runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterruptOrder {
    /// First come, first served; none interrupts another.
    #[default]
    FirstCome,
    /// The highest priority first; none interrupts another.
    Priority,
    /// The highest priority first; a higher one interrupts a lower one.
    Nested,
}

/// The budget that the work of a core at interrupt level is charged to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterruptTime {
    /// No budget is charged.
    #[default]
    Apart,
    /// The server of kind [`ServerKind::SchedDeadline`](super::ServerKind::SchedDeadline) that it
    /// interrupts.
    Charged,
}

impl InterruptTime {
    /// On a core that does not state it: Linux as most distributions build it charges.
    pub fn on(scheduler: Scheduler) -> Self {
        if scheduler == Scheduler::Linux { Self::Charged } else { Self::Apart }
    }
}

/// Interrupts of a processor itself, as the kernel traces them (`irq_vectors`): each processor has its own.
pub const VECTORS: [&str; 11] = [
    "local_timer",
    "reschedule",
    "call_function",
    "call_function_single",
    "irq_work",
    "x86_platform_ipi",
    "thermal_apic",
    "threshold_apic",
    "deferred_error_apic",
    "spurious_apic",
    "error_apic",
];

/// A physical interrupt: its service routine runs on a core before everything else there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Full name, such as `interrupt.can0`.
    pub name: String,
    /// The core that takes it.
    pub on: SupplyId,
    /// Longest execution time of the service routine.
    pub isr: Duration,
    /// Least time between two arrivals.
    pub min_interarrival: Duration,
    /// Least times over several arrivals, if more is known than the time between two.
    pub distances: Option<Distances>,
    /// Longest time from arrival to the request at the core.
    pub jitter: Duration,
    /// Urgency among service routines, where the core's order looks at it.
    pub priority: Priority,
    /// The task that its service routine wakes (the guest's routine, if it is delivered to one):
    /// its [`Activation`](super::Activation) is this interrupt.
    pub wakes: Option<TaskId>,
    /// Its delivery to a guest.
    pub delivery: Option<Delivery>,
    /// Whether the processor delivers it to the guest, which never sleeps: then no routine of the core does, and
    /// its end leaves no guest.
    pub posted: bool,
    /// The timer of a task of the guest whose callback delivers it: then no routine of the core
    /// does, and it comes as often as that expires ([`System::deliver_timer`](super::System::deliver_timer)).
    pub timer: Option<TimerId>,
    /// The interrupt of another core that it is the kick of: then it has no routine of its own, and comes when the
    /// routine of that one ends ([`System::add_kicks`](super::System::add_kicks)).
    pub raised_by: Option<InterruptId>,
    /// Least time between two arrivals while it misbehaves; `None`: it never does. Requirements
    /// of others must hold nevertheless; its own counts only while it behaves.
    pub storm: Option<Duration>,
}

impl Interrupt {
    /// Whether its core runs a routine for it, and not a timer's callback or the processor itself.
    pub fn has_routine(&self) -> bool {
        self.timer.is_none() && !self.posted
    }

    /// What its routine in a guest takes besides its own time, given the cost of leaving a guest: its end, where the processor
    /// does not see to that.
    pub fn end_of_interrupt(&self, vm_exit: Duration) -> Duration {
        if self.posted { Duration::ZERO } else { vm_exit }
    }

    /// Whether it arrives by itself, and not with a timer or the routine of another.
    pub fn is_external(&self) -> bool {
        self.timer.is_none() && self.raised_by.is_none()
    }

    /// It arrives so often at most in so long a time, over and over, outside its storms.
    pub fn cycle(&self) -> (u64, Duration) {
        cycle(self.min_interarrival, self.distances.as_ref())
    }

    /// The time between two of them in the long run, rounded down.
    pub fn mean_distance(&self) -> Duration {
        mean(self.cycle())
    }
}

impl Default for Interrupt {
    /// A nanosecond of work every nanosecond on supply 0: to start from.
    fn default() -> Self {
        Self {
            name: String::new(),
            on: SupplyId(0),
            isr: Duration::RESOLUTION,
            min_interarrival: Duration::RESOLUTION,
            distances: None,
            jitter: Duration::ZERO,
            priority: Priority::default(),
            wakes: None,
            delivery: None,
            posted: false,
            timer: None,
            raised_by: None,
            storm: None,
        }
    }
}

/// The delivery of an interrupt to a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The virtual processor that takes it.
    pub vcpu: SupplyId,
    /// Longest execution time of the guest's service routine.
    pub isr: Duration,
    /// The reservation that pays for it; `None`: the virtual processor does.
    pub pseudo_vcpu: Option<PseudoVcpu>,
}

/// A reservation for one virtual interrupt (Kim, Wang, Rajkumar 2015). It stands on the parent of
/// the virtual processor, which is a fixed-priority or Linux supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PseudoVcpu {
    /// Time per period, at least what one interrupt takes in the guest, at most the period.
    pub budget: Duration,
    /// Replenishment period.
    pub period: Duration,
    /// Urgency on the parent of the virtual processor; `None`: the ceiling, above all its other
    /// members, shorter periods first (ties: the first declared).
    pub priority: Option<Priority>,
    /// When budget comes.
    pub rule: PseudoVcpuRule,
}

/// When the budget of a pseudo-VCPU comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PseudoVcpuRule {
    /// Credit for one interrupt when it is requested; what exceeds the budget in a period is
    /// held back until a period after the credit it would exceed.
    #[default]
    Arrival,
    /// The full budget at every multiple of the period.
    Deferrable,
    /// Credit at every request, dropped at every multiple of the period unless the routine runs
    /// just then: as released with Linux/RK. Breaks the published bound.
    Released,
}
