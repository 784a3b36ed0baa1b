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
//! [`crate::limits::SERVER_DEPTH`] servers; 0 < bcet <= wcet; an execution that is stated has increasing times from bcet to wcet, and weights
//! above zero; the least inter-arrival of a task is not above its latest, and is the first of its distances where it has some; a chain has tasks, each once, and a limit; a task
//! with logical execution time has a deadline; a task is woken by one thing at most,
//! and what wakes it names it as its [`Activation`] names that; an interrupt, the virtual processor
//! that it is delivered to and the task that it wakes are on one core, the task on that virtual
//! processor, or on none if there is no delivery; the interrupt of a device wakes a task, and
//! belongs to no other; what a timer delivers is behind all other interrupts, in the order of the timers; a receiver runs where the polling task runs; only virtual processors and
//! tasks that are on no virtual processor have a cache.
//!
//! Names are kept for printing only. Nothing here knows how a system is analysed or simulated:
//! what a kind means is said at its mechanism.

mod chain;
mod connected;
mod deadline_limits;
mod device;
mod distances;
mod fair_server;
mod guest_timer;
mod host;
mod id;
mod interrupt;
mod kernel;
mod kick;
mod machine;
mod paid;
mod part;
mod preemption;
mod release;
mod requirement;
mod same;
mod selector;
mod server;
mod supply;
mod task;
mod throttling;
mod timer;
mod wake;
mod within;

pub use chain::{Chain, Communication};
pub use deadline_limits::DeadlineLimits;
pub use device::{Device, Packets};
pub use distances::{Distance, Distances};
pub use fair_server::FairServer;
pub use host::Host;
use id::ids;
pub use id::{CacheId, DeviceId, Ids, InterruptId, Priority, SupplyId, TaskId, TimerId};
pub use interrupt::{
    Delivery, Interrupt, InterruptOrder, InterruptTime, PseudoVcpu, PseudoVcpuRule, VECTORS,
};
pub use kernel::{Kernel, LongestSeen};
pub use machine::{Cache, CacheModel, Costs};
pub use part::Part;
pub use release::{KEPT, Kept, Release};
pub use requirement::{Probability, Requirement, RequirementKind, Unsupported};
pub use selector::{Selector, fault_of_interrupt};
pub use server::{REFILLS, Server, ServerKind, ServerRule};
pub use supply::{Level, Member, Scheduler, Share, Supply, SupplyKind, Window};
pub use task::{Activation, Preemption, Task};
pub use throttling::{RtLimit, RtThrottling};
pub use timer::{Timer, TimerQueue};

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
    /// What stands for it on the machine; no analysis looks at it.
    pub host: Host,
    /// What must hold, in the order of declaration: the deadlines of the tasks first.
    pub requirements: Vec<Requirement>,
    /// Paths along which tasks hand on values, in the order of declaration.
    pub chains: Vec<Chain>,
    /// Features of the description that are read and checked but that no supply, task or
    /// interrupt above represents. Whatever shares the core with one is undecided.
    pub unsupported: Vec<Unsupported>,
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

    /// The ids of all supplies, in order: a parent comes before its servers.
    pub fn supply_ids(&self) -> Ids<SupplyId> {
        ids(self.supplies.len(), SupplyId)
    }

    /// The ids of all tasks, in the order of declaration.
    pub fn task_ids(&self) -> Ids<TaskId> {
        ids(self.tasks.len(), TaskId)
    }

    /// The ids of all interrupts, in the order of declaration.
    pub fn interrupt_ids(&self) -> Ids<InterruptId> {
        ids(self.interrupts.len(), InterruptId)
    }

    /// The ids of all timers, in the order of declaration.
    pub fn timer_ids(&self) -> Ids<TimerId> {
        ids(self.timers.len(), TimerId)
    }

    /// The ids of all devices, in the order of declaration.
    pub fn device_ids(&self) -> Ids<DeviceId> {
        ids(self.devices.len(), DeviceId)
    }

    /// The core at the end of the chain of `on`.
    pub fn core_of(&self, mut supply: SupplyId) -> SupplyId {
        while let Some(on) = self.supply(supply).on() {
            supply = on;
        }
        supply
    }

    /// All cores, in the order of declaration.
    pub fn cores(&self) -> impl Iterator<Item = SupplyId> + '_ {
        self.supply_ids().filter(|&id| self.supply(id).is_core())
    }

    /// The members of a core, but for the servers that Linux keeps for other threads.
    pub fn described_members(&self, core: SupplyId) -> impl Iterator<Item = Member> + '_ {
        let is_kernels =
            |member| matches!(member, Member::Server(id) if self.supply(id).serves_other);
        self.supply(core).members.iter().copied().filter(move |&member| !is_kernels(member))
    }

    /// The timers of the tasks of a core, in the order of declaration.
    pub fn timers_on(&self, core: SupplyId) -> impl Iterator<Item = TimerId> + '_ {
        let on = move |&id: &TimerId| self.core_of(self.task(self.timer(id).armed_by).on) == core;
        self.timer_ids().filter(on)
    }

    /// The devices that interrupt a core, in the order of declaration.
    pub fn devices_on(&self, core: SupplyId) -> impl Iterator<Item = DeviceId> + '_ {
        let on = move |&id: &DeviceId| self.interrupt(self.device(id).interrupt).on == core;
        self.device_ids().filter(on)
    }

    /// The interrupts that a core runs routines for, in the order of declaration.
    pub fn interrupts_on(&self, core: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
        self.interrupts_of(core).filter(|&id| self.interrupt(id).has_routine())
    }

    /// These, and those that are posted to its guests.
    pub fn requests_on(&self, core: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
        self.interrupts_of(core).filter(|&id| self.interrupt(id).timer.is_none())
    }

    /// These, and those that timers deliver to its guests.
    pub fn interrupts_of(&self, core: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
        self.interrupt_ids().filter(move |&id| self.interrupt(id).on == core)
    }

    /// The core on which a requirement is decided.
    pub fn core_of_requirement(&self, requirement: &Requirement) -> SupplyId {
        match requirement.kind {
            RequirementKind::Deadline(task) => self.core_of(self.task(task).on),
            RequirementKind::HandledWithin(interrupt) => self.interrupt(interrupt).on,
        }
    }

    /// The supply that a member is on.
    pub fn on(&self, member: Member) -> SupplyId {
        match member {
            Member::Task(id) => self.task(id).on,
            Member::Server(id) => self.supply(id).on().expect("a core is a member of nothing"),
        }
    }

    /// Its cache, if one is stated.
    pub fn cache_of(&self, member: Member) -> Option<CacheId> {
        match member {
            Member::Task(id) => self.task(id).cache,
            Member::Server(id) => self.supply(id).cache,
        }
    }

    /// The tasks that may own a section that blocks a member: the less urgent members of its supply; where
    /// no priority decides, all others.
    pub fn less_urgent(&self, member: Member) -> impl Iterator<Item = Member> + '_ {
        let own = self.priority_of(member);
        let supply = self.supply(self.on(member));
        let by_priority = matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        supply.members.iter().copied().filter(move |&other| {
            let is_less = self.priority_of(other) < own && own.is_some();
            other != member && (is_less && self.priority_of(other).is_some() || !by_priority)
        })
    }

    /// The priority of a member, of those that are scheduled by one.
    pub fn priority(&self, member: Member) -> Priority {
        match member {
            Member::Task(id) => self.task(id).priority,
            Member::Server(id) => self.supply(id).priority(),
        }
    }

    /// `None`: Linux goes by its deadline, or it takes its turn.
    fn priority_of(&self, member: Member) -> Option<Priority> {
        match member {
            Member::Task(id) => Some(self.task(id).priority),
            Member::Server(id) => {
                let supply = self.supply(id);
                let by_priority =
                    !matches!(supply.server_kind()?, ServerKind::SchedDeadline | ServerKind::Share);
                by_priority.then(|| supply.priority())
            }
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
