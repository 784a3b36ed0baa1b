//! The events that a run reports to its observers.
//!
//! All methods do nothing by default, so unobserved events cost nothing. A tuple of observers is
//! an observer, so that one run feeds all of them.

mod several;

pub(crate) use several::OnlyOn;

use crate::history::History;
use crate::job::Job;
use vorrang_model::system::{DeviceId, InterruptId, Member, SupplyId, TaskId, TimerId};
use vorrang_time::{Duration, Instant};

/// Observes a run. Calls come in the order of events; [`Observer::ran`] when an interval is over.
pub trait Observer {
    /// What follows happens on this core. Where a history is of several cores, it is said at the beginning and whenever
    /// that changes; events of one instant come in the order of the cores.
    fn on(&mut self, _core: SupplyId) {}

    /// A run of this history of a core begins.
    fn began(&mut self, _core: SupplyId, _history: &History) {}

    /// The run is over, at its horizon or because an observer has seen enough; called last.
    fn ended(&mut self, _at: Instant) {}

    /// After the events of an instant, what the schedulers choose; a switch or timers may precede its
    /// execution.
    fn decided(&mut self, _what: Running, _at: Instant) {}

    /// From here on the core runs this; called last at every instant at which something happens.
    fn runs(&mut self, _what: Running, _at: Instant) {}

    /// The core ran `what` in `[from, to)`, and something else before and after.
    fn ran(&mut self, _from: Instant, _to: Instant, _what: Running) {}

    /// A job became ready, at its release.
    fn released(&mut self, _job: &Job) {}

    /// A job's work is done.
    fn completed(&mut self, _job: &Job, _at: Instant) {}

    /// A job that arrived before the horizon `at` was not complete there.
    fn unfinished(&mut self, _job: &Job, _at: Instant) {}

    /// A server regained budget, or its slot began.
    fn replenished(&mut self, _server: SupplyId, _at: Instant) {}

    /// A server's budget is exhausted, or its slot over.
    fn exhausted(&mut self, _server: SupplyId, _at: Instant) {}

    /// What ran in `[from, to)` was charged to a server's budget.
    fn paid(&mut self, _payer: Payer, _from: Instant, _to: Instant) {}

    /// The budget of a server is now this; called at the start, and when it is charged, replenished or lost.
    fn budget(&mut self, _server: SupplyId, _left: Duration, _at: Instant) {}

    /// The scheduler of the core is called, whether or not that takes time.
    fn called(&mut self, _at: Instant) {}

    /// The core switches to another context; `None`: no context, at the start.
    fn switched(&mut self, _from: Option<Context>, _to: Context, _at: Instant) {}

    /// Time up to `at` was lost for the context, with the cause. `None`: no context had or gets the core.
    fn lost(&mut self, _context: Option<Context>, _cause: Cause, _amount: Duration, _at: Instant) {}

    /// A request of an interrupt was held back by its pseudo-VCPU.
    fn masked(&mut self, _interrupt: InterruptId, _at: Instant) {}

    /// Requests of an interrupt are no longer held back.
    fn unmasked(&mut self, _interrupt: InterruptId, _at: Instant) {}

    /// The budget of the pseudo-VCPU of an interrupt is now this.
    fn pseudo_vcpu_budget(&mut self, _interrupt: InterruptId, _left: Duration, _at: Instant) {}

    /// A routine of an interrupt ended: the core's, or the guest's.
    fn served(&mut self, _interrupt: InterruptId, _in_guest: bool, _at: Instant) {}

    /// A request merged with one that waits already.
    fn merged(&mut self, _interrupt: InterruptId, _at: Instant) {}

    /// The callback of a timer that expired at `due` ended.
    fn expired(&mut self, _timer: TimerId, _due: Instant, _at: Instant) {}

    /// Something happened to a packet that arrived at `arrival`.
    fn packet(&mut self, _device: DeviceId, _event: Packet, _arrival: Instant, _at: Instant) {}

    /// Whether the run may end before its horizon; evaluated at every instant. Nothing is then reported as
    /// unfinished.
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl Observer for () {}

/// What a core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Running {
    /// Nothing runs.
    Idle,
    /// A job of a task.
    Task(TaskId),
    /// A service routine.
    Interrupt(InterruptId),
    /// A periodic server or a slot consumes its time without work in it.
    Idling(SupplyId),
    /// The less urgent work that blocks this member.
    Blocking(Member),
    /// The routine of a guest.
    GuestRoutine(InterruptId),
    /// A section of the kernel.
    Kernel(Section),
}

/// Work of the kernel at interrupt level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// A call of the scheduler.
    SchedulerCall,
    /// A context switch.
    ContextSwitch,
    /// The timer interrupt, or a batch of callbacks at a switch.
    Timers,
    /// Less urgent work of the kernel, with preemption or interrupts off.
    NonPreemptible,
}

/// The context that the core runs, seen from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
    /// A virtual processor.
    Vcpu(SupplyId),
    /// A task outside virtual processors.
    Task(TaskId),
    /// Less urgent work outside virtual processors that blocks this member.
    Section(Member),
}

/// The budget that is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Payer {
    /// A server.
    Server(SupplyId),
    /// The pseudo-VCPU of an interrupt.
    PseudoVcpu(InterruptId),
}

/// Why time was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The cache was cold: part of the time made no progress.
    ColdCache,
    /// A call of the scheduler.
    SchedulerCall,
    /// A context switch.
    ContextSwitch,
    /// Callbacks of timers.
    TimerExpiry,
    /// Entering and leaving service routines and the timer interrupt.
    InterruptEntry,
    /// Leaving a guest and coming back.
    VmExit,
}

/// What happens to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Packet {
    /// It is in the ring.
    Arrived,
    /// The ring was full.
    DroppedAtRing,
    /// The polling task has processed it: its round trip ends.
    Polled,
    /// The socket buffer was full.
    DroppedAtSocket,
    /// It is delivered: the receiver's job is complete, or there is no receiver.
    Delivered,
}
