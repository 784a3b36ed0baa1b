//! A resolved system: supplies of processor time, the tasks on them, and what must hold.
//!
//! **Model.** Everything that runs is a task on a supply of time. A *core* is a supply; a
//! *server* turns supply into smaller supply; its local scheduler divides what it receives among
//! its members, which are tasks and further servers. So the supplies of one core form a tree:
//!
//! ```text
//!   core.0 ─┬─ task.watchdog
//!           ├─ vcpu.engine ─┬─ task.injection
//!           │               └─ server.can ── task.can-rx
//!           └─ vcpu.body ──── task.doors
//! ```
//!
//! **Guaranteed by construction** (the resolver refuses anything else, so that what comes later
//! asserts it): ids index the vectors of [`System`]; members stand in the order of declaration;
//! a parent has a smaller id than its servers; 0 < budget <= period; wcet > 0; least
//! inter-arrival > 0; every member of a fixed-priority supply has a priority; every task of an
//! EDF supply has a deadline; a server's kind has a meaning under its parent's scheduler; slots of
//! one core do not overlap; every chain of `on` ends at a core after at most
//! [`crate::limits::SERVER_DEPTH`] servers.
//!
//! Names are kept for printing only. Nothing here knows how a system is analysed or simulated:
//! what a kind means is said at its mechanism.

use vorrang_time::Duration;

/// Index into [`System::supplies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SupplyId(pub usize);

/// Index into [`System::tasks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

/// Index into [`System::interrupts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterruptId(pub usize);

/// How urgent a member of a fixed-priority supply is; larger is more urgent, as in `SCHED_FIFO`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u32);

impl Priority {
    /// Strictly more urgent: runs first, whenever it became ready.
    #[inline]
    pub fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 > other.0
    }
}

/// A whole system, resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// Cores and servers; a parent stands before its servers.
    pub supplies: Vec<Supply>,
    /// Tasks in the order of declaration.
    pub tasks: Vec<Task>,
    /// Interrupts in the order of declaration.
    pub interrupts: Vec<Interrupt>,
    /// What must hold, in the order of declaration: the deadlines of the tasks first.
    pub requirements: Vec<Requirement>,
    /// Features of the description that are read and checked but that no supply, task or
    /// interrupt above represents. Whatever shares the core with one is undecided.
    pub unsupported: Vec<Unsupported>,
}

/// A source of processor time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supply {
    /// Full name, such as `core.0` or `vcpu.engine`.
    pub name: String,
    /// `None` for a core.
    pub server: Option<Server>,
    /// How it divides its time among its members.
    pub scheduler: Scheduler,
    /// Tasks and servers on it, in the order of declaration.
    pub members: Vec<Member>,
}

/// One competitor for the time of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// A task.
    Task(TaskId),
    /// A server, which serves its own members with what it receives.
    Server(SupplyId),
}

/// How a supply divides its time among its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Preemptive fixed priority; equal priorities first come, first served. Rate-monotonic and
    /// deadline-monotonic orders are resolved to distinct priorities (ties: the first declared
    /// is more urgent).
    FixedPriority,
    /// Preemptive earliest deadline first; ties to the first declared.
    Edf,
    /// Fixed slots of a core: every member is a server of kind [`ServerKind::Slot`].
    Slots,
    /// Virtual-time round-robin.
    Vtrr,
}

/// A reservation: `budget` of the parent's time in every `period`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The supply it takes its time from.
    pub on: SupplyId,
    /// The rule by which budget is spent and replenished.
    pub kind: ServerKind,
    /// Time per period, at most the period.
    pub budget: Duration,
    /// Replenishment period.
    pub period: Duration,
    /// Start of the slot within the period, for [`ServerKind::Slot`]; zero otherwise.
    pub offset: Duration,
    /// Urgency on a fixed-priority parent; unused elsewhere.
    pub priority: Priority,
}

/// The rule by which a server spends and regains its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerKind {
    /// Full budget every period, idled away when nothing is ready (the proxy process).
    Periodic,
    /// Full budget every period, lost at once when nothing is ready.
    Polling,
    /// Full budget every period, kept until the end of the period.
    Deferrable,
    /// Sprunt's sporadic server: what was consumed returns one period after its level of
    /// priority became active.
    Sporadic,
    /// Constant-bandwidth server that waits for its deadline when the budget is gone.
    CbsHard,
    /// Constant-bandwidth server that postpones its deadline when the budget is gone.
    CbsSoft,
    /// Linux `SCHED_DEADLINE`.
    SchedDeadline,
    /// The same interval of every period: offset, length (budget), period.
    Slot,
}

/// Sporadic work.
///
/// A job arrives at `a`, at least `min_interarrival` after the previous arrival; it is released
/// (becomes ready) at some instant of `[a, a + jitter]`, in the order of arrival; it executes for
/// at most `wcet`; its response time counts from `a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Full name, such as `task.speed`.
    pub name: String,
    /// The supply it runs on.
    pub on: SupplyId,
    /// Longest execution time of a job, at full rate.
    pub wcet: Duration,
    /// Least time between two arrivals.
    pub min_interarrival: Duration,
    /// Deadline after the arrival; shorter, equal or longer than the inter-arrival time; `None`
    /// for best-effort work without a requirement.
    pub deadline: Option<Duration>,
    /// Longest time from arrival to release.
    pub jitter: Duration,
    /// Longest time that less urgent work on the same supply may delay it, once per busy window
    /// (critical sections under a priority ceiling, sections that mask preemption).
    pub blocking: Duration,
    /// Urgency on a fixed-priority supply; unused elsewhere.
    pub priority: Priority,
}

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
    /// Longest time from arrival to the request at the core.
    pub jitter: Duration,
}

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Full name of the row: the task's for its deadline, `require.NAME` otherwise.
    pub name: String,
    /// What must hold.
    pub kind: RequirementKind,
    /// In this time.
    pub limit: Duration,
}

/// What a requirement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequirementKind {
    /// Every job of the task completes within the limit of its arrival.
    Deadline(TaskId),
    /// Every service routine of the physical interrupt completes within the limit of its arrival.
    HandledWithin(InterruptId),
}

/// A feature that nothing downstream represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, by name: "the virtual side of interrupt.can0".
    pub what: String,
    /// The core whose requirements it makes undecided; `None` for all cores.
    pub core: Option<SupplyId>,
}

impl System {
    /// The supply with this id.
    pub fn supply(&self, id: SupplyId) -> &Supply {
        &self.supplies[id.0]
    }

    /// The task with this id.
    pub fn task(&self, id: TaskId) -> &Task {
        &self.tasks[id.0]
    }

    /// The interrupt with this id.
    pub fn interrupt(&self, id: InterruptId) -> &Interrupt {
        &self.interrupts[id.0]
    }

    /// The core at the end of the chain of `on`.
    pub fn core_of(&self, mut supply: SupplyId) -> SupplyId {
        while let Some(server) = &self.supply(supply).server {
            supply = server.on;
        }
        supply
    }

    /// All cores, in the order of declaration.
    pub fn cores(&self) -> impl Iterator<Item = SupplyId> + '_ {
        (0..self.supplies.len()).map(SupplyId).filter(|&id| self.supply(id).server.is_none())
    }

    /// The interrupts that a core takes, in the order of declaration.
    pub fn interrupts_on(&self, core: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
        (0..self.interrupts.len()).map(InterruptId).filter(move |&id| self.interrupt(id).on == core)
    }

    /// The core on which a requirement is decided.
    pub fn core_of_requirement(&self, requirement: &Requirement) -> SupplyId {
        match requirement.kind {
            RequirementKind::Deadline(task) => self.core_of(self.task(task).on),
            RequirementKind::HandledWithin(interrupt) => self.interrupt(interrupt).on,
        }
    }

    /// The full name of a member.
    pub fn member_name(&self, member: Member) -> &str {
        match member {
            Member::Task(id) => &self.task(id).name,
            Member::Server(id) => &self.supply(id).name,
        }
    }
}
