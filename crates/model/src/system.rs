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
//! EDF supply has a deadline; every supply that takes turns has a quantum above zero, and its
//! members shares above zero; a server's kind has a meaning under its parent's scheduler; slots of
//! one core do not overlap; every chain of `on` ends at a core after at most
//! [`crate::limits::SERVER_DEPTH`] servers; 0 < bcet <= wcet; a task is woken by one thing at most,
//! and what wakes it names it as its [`Activation`] names that; an interrupt, the virtual processor
//! that it is delivered to and the task that it wakes are on one core, the task on that virtual
//! processor, or on none if there is no delivery; the interrupt of a device wakes a task, and
//! belongs to no other; a receiver runs where the polling task runs; only virtual processors and
//! tasks that are on no virtual processor have a cache.
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

/// Index into [`System::timers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimerId(pub usize);

/// Index into [`System::devices`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceId(pub usize);

/// Index into [`System::caches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheId(pub usize);

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
    /// Timers in the order of declaration.
    pub timers: Vec<Timer>,
    /// Devices in the order of declaration.
    pub devices: Vec<Device>,
    /// How work recovers from cold caches, in the order of declaration.
    pub caches: Vec<Cache>,
    /// What the machine takes for its own work.
    pub costs: Costs,
    /// What must hold, in the order of declaration: the deadlines of the tasks first.
    pub requirements: Vec<Requirement>,
    /// Features of the description that are read and checked but that no supply, task or
    /// interrupt above represents. Whatever shares the core with one is undecided.
    pub unsupported: Vec<Unsupported>,
}

/// A source of processor time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    /// Full name, such as `core.0` or `vcpu.engine`.
    pub name: String,
    /// `None` for a core.
    pub server: Option<Server>,
    /// How it divides its time among its members.
    pub scheduler: Scheduler,
    /// Tasks and servers on it, in the order of declaration.
    pub members: Vec<Member>,
    /// Of a virtual processor: its virtual machine (its own full name if none is stated).
    /// `None`: a core, or a reservation of the host.
    pub vm: Option<String>,
    /// How its work progresses after the core ran something else; `None`: at full rate.
    pub cache: Option<CacheId>,
    /// The longest turn under a scheduler that takes turns; zero under the others.
    pub quantum: Duration,
    /// Of a core: which of several requested service routines runs.
    pub interrupt_order: InterruptOrder,
    /// Of a core: the queue of its timers.
    pub timer_queue: TimerQueue,
}

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

/// Which expired timers are handled when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimerQueue {
    /// In the order of expiry, at once (hrtimers of Linux).
    #[default]
    HrTimer,
    /// At once only those of tasks at least as urgent as what runs; the others when something
    /// less urgent gets the core (Patel, Vanga, Brandenburg 2017).
    TimerShield,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    /// Preemptive fixed priority; equal priorities first come, first served. Rate-monotonic and
    /// deadline-monotonic orders are resolved to distinct priorities (ties: the first declared
    /// is more urgent).
    #[default]
    FixedPriority,
    /// Preemptive earliest deadline first; ties to the first declared.
    Edf,
    /// Fixed slots of a core: every member is a server of kind [`ServerKind::Slot`].
    Slots,
    /// Virtual-time round-robin (Nieh, Vaill, Zhong 2001), turns of a quantum.
    Vtrr,
    /// Stride scheduling: the least virtual finishing time first, turns of a quantum.
    Stride,
    /// One quantum each in turn, whatever the shares.
    RoundRobin,
    /// As many quanta in a row as a member has shares, in turn.
    WeightedRoundRobin,
    /// A processor under Linux: servers of kind [`ServerKind::SchedDeadline`] first, by deadline;
    /// then everything else by fixed priority.
    Linux,
}

impl Scheduler {
    /// Whether members take turns of a quantum.
    pub fn takes_turns(self) -> bool {
        matches!(self, Self::Vtrr | Self::Stride | Self::RoundRobin | Self::WeightedRoundRobin)
    }
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
    /// Relative deadline of [`ServerKind::SchedDeadline`], from the budget to the period; `None`:
    /// the period.
    pub deadline: Option<Duration>,
    /// Whether a [`ServerKind::SchedDeadline`] reclaims unused bandwidth (GRUB).
    pub reclaims: bool,
    /// Weight on a parent that takes turns, at least 1.
    pub share: u32,
}

impl Default for Server {
    /// One nanosecond of every nanosecond of supply 0, deferrable: to start from.
    fn default() -> Self {
        Self {
            on: SupplyId(0),
            kind: ServerKind::Deferrable,
            budget: Duration::RESOLUTION,
            period: Duration::RESOLUTION,
            offset: Duration::ZERO,
            priority: Priority::default(),
            deadline: None,
            reclaims: false,
            share: 1,
        }
    }
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
    /// `SCHED_SPORADIC` of POSIX, with its defects.
    PosixSporadic,
    /// The corrected sporadic server, a short queue of refills, as seL4 keeps it.
    RefillQueue,
    /// No budget: its share of a parent that takes turns. Budget and period are not looked at.
    Share,
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
    /// Shortest execution time of a job, at least one nanosecond, at most `wcet`. No bound relies
    /// on it.
    pub bcet: Duration,
    /// Weight on a supply that takes turns, at least 1.
    pub share: u32,
    /// How its work progresses after the core ran something else, for a task outside virtual
    /// processors; `None`: at full rate.
    pub cache: Option<CacheId>,
    /// What makes its jobs arrive.
    pub activation: Activation,
}

impl Default for Task {
    /// A nanosecond of work every nanosecond on supply 0, without a deadline: to start from.
    fn default() -> Self {
        Self {
            name: String::new(),
            on: SupplyId(0),
            wcet: Duration::RESOLUTION,
            min_interarrival: Duration::RESOLUTION,
            deadline: None,
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
            priority: Priority::default(),
            bcet: Duration::RESOLUTION,
            share: 1,
            cache: None,
            activation: Activation::Sporadic,
        }
    }
}

/// What makes the jobs of a task arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// The world, at least the inter-arrival time apart.
    #[default]
    Sporadic,
    /// The end of an interrupt's service routine: of the guest's, if the interrupt is delivered
    /// to a guest. A job's arrival is the interrupt's.
    Interrupt(InterruptId),
    /// The expiry of a timer, which is the job's arrival.
    Timer(TimerId),
    /// A packet in the socket buffer of a device; its arrival at the card is the job's.
    Device(DeviceId),
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
    /// Urgency among service routines, where the core's order looks at it.
    pub priority: Priority,
    /// The task that its service routine wakes (the guest's routine, if it is delivered to one):
    /// its [`Activation`] is this interrupt.
    pub wakes: Option<TaskId>,
    /// Its delivery to a guest.
    pub delivery: Option<Delivery>,
    /// Least time between two arrivals while it misbehaves; `None`: it never does. Requirements
    /// of others must hold nevertheless; its own counts only while it behaves.
    pub storm: Option<Duration>,
}

impl Default for Interrupt {
    /// A nanosecond of work every nanosecond on supply 0: to start from.
    fn default() -> Self {
        Self {
            name: String::new(),
            on: SupplyId(0),
            isr: Duration::RESOLUTION,
            min_interarrival: Duration::RESOLUTION,
            jitter: Duration::ZERO,
            priority: Priority::default(),
            wakes: None,
            delivery: None,
            storm: None,
        }
    }
}

/// The delivery of an interrupt to a guest on the same core.
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// A timer of a task, in the timer queue of the task's core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Full name, such as `timer.logger`.
    pub name: String,
    /// The task that arms it. Its urgency is that of the member of the core through which that
    /// task runs.
    pub armed_by: TaskId,
    /// Least time between two expiries.
    pub period: Duration,
    /// Whether an expiry releases a job of that task, whose [`Activation`] is then this timer.
    pub wakes: bool,
}

/// A network card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Full name, such as `device.eth0`.
    pub name: String,
    /// The interrupt it raises; the task that this wakes polls the ring.
    pub interrupt: InterruptId,
    /// Packets that the card holds.
    pub ring: u32,
    /// Packets after which the interrupt is raised, at least 1.
    pub coalesce_packets: u32,
    /// Time after which it is raised at the latest once a packet waits; zero: only the number
    /// of packets counts if that is 1, else no limit is stated and the number alone counts.
    pub coalesce_time: Duration,
    /// Packets that one round of polling takes at most, at least 1.
    pub budget: u32,
    /// Time of the polling task for each packet, on top of its `wcet` for each round.
    pub per_packet: Duration,
    /// Packets that the socket buffer holds; zero without a receiver.
    pub socket: u32,
    /// The task that reads the socket, one job a packet.
    pub receiver: Option<TaskId>,
    /// Bytes of a packet that the receiver gets.
    pub payload: u32,
    /// When packets arrive.
    pub packets: Packets,
}

/// When packets arrive at a network card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packets {
    /// One every interval.
    Periodic {
        /// Between two packets.
        interval: Duration,
    },
    /// Several at one instant, every interval.
    Burst {
        /// At one instant.
        packets: u32,
        /// Between two bursts.
        interval: Duration,
    },
    /// Exponentially distributed intervals.
    Poisson {
        /// Their mean.
        mean: Duration,
    },
    /// Back to back on a link.
    LineRate {
        /// Of the link.
        bits_per_second: u64,
        /// Bytes of a packet besides the payload, gaps included.
        framing: u32,
    },
}

/// What the machine takes for its own work; all zero: nothing is charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// One call of a core's scheduler.
    pub scheduler_call: Duration,
    /// Giving a core to another virtual processor or task, besides cold caches.
    pub context_switch: Duration,
    /// The callback of one expired timer.
    pub timer_expiry: Duration,
    /// Entering a service routine.
    pub interrupt_entry: Duration,
    /// Leaving it.
    pub interrupt_exit: Duration,
    /// Leaving a guest and coming back.
    pub vm_exit: Duration,
}

/// How work progresses after the core ran something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Full name, such as `cache.celeron-64k`.
    pub name: String,
    /// The curve.
    pub model: CacheModel,
    /// Share of the full rate right after a switch, in parts per million, at most a million.
    pub useful_ppm: u32,
    /// Flood: time to the full rate. Exponential: time constant, 1/k.
    pub sustained: Duration,
}

/// The rate of progress since a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheModel {
    /// The share right after the switch until `sustained`, then the full rate: the worst case.
    Flood,
    /// Exponential recovery: the average case.
    Exponential,
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
    /// Every interrupt is handled within the limit of its arrival: its service routine is
    /// complete, the guest's if it is delivered to one, and the job of the task it wakes.
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

    /// The timer with this id.
    pub fn timer(&self, id: TimerId) -> &Timer {
        &self.timers[id.0]
    }

    /// The device with this id.
    pub fn device(&self, id: DeviceId) -> &Device {
        &self.devices[id.0]
    }

    /// The cache with this id.
    pub fn cache(&self, id: CacheId) -> &Cache {
        &self.caches[id.0]
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

    /// The timers of the tasks of a core, in the order of declaration.
    pub fn timers_on(&self, core: SupplyId) -> impl Iterator<Item = TimerId> + '_ {
        let on = move |&id: &TimerId| self.core_of(self.task(self.timer(id).armed_by).on) == core;
        (0..self.timers.len()).map(TimerId).filter(on)
    }

    /// The devices that interrupt a core, in the order of declaration.
    pub fn devices_on(&self, core: SupplyId) -> impl Iterator<Item = DeviceId> + '_ {
        let on = move |&id: &DeviceId| self.interrupt(self.device(id).interrupt).on == core;
        (0..self.devices.len()).map(DeviceId).filter(on)
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
