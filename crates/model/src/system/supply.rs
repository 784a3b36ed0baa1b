//! A source of processor time and how it is divided.

use super::{
    CacheId, DeadlineLimits, InterruptOrder, InterruptTime, Kernel, Priority, RtThrottling, Server,
    ServerKind, SupplyId, TaskId, TimerQueue,
};
use vorrang_time::Duration;

/// A source of processor time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    /// Full name, such as `core.0` or `vcpu.engine`.
    pub name: String,
    /// What it is, and of what.
    pub kind: SupplyKind,
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
    /// Where priorities decide: the time after which a member goes behind its equals; `None`: those are served
    /// first come, first served.
    pub time_slice: Option<Duration>,
    /// Of a core: which of several requested service routines runs.
    pub interrupt_order: InterruptOrder,
    /// Of a core: the queue of its timers.
    pub timer_queue: TimerQueue,
    /// Of a core with [`TimerQueue::TimerShield`]: the longest time for which an expired timer waits because
    /// something more urgent runs; `None`: as long as that takes.
    pub max_defer: Option<Duration>,
    /// Of a core: what its service routines are charged to.
    pub interrupt_time: InterruptTime,
    /// Of a core under Linux: the longest time by which a runtime of
    /// [`ServerKind::SchedDeadline`](super::ServerKind::SchedDeadline) ends late.
    pub overrun: Duration,
    /// Of a core under Linux: the longest time for which it goes on with something less urgent
    /// because preemption or interrupts are off.
    pub sections: Duration,
    /// Of a core under Linux: which kernel it is, if that is stated.
    pub kernel: Option<Kernel>,
    /// Under Linux: what its kernel is set to take under `SCHED_DEADLINE`.
    pub deadline_limits: DeadlineLimits,
    /// Of a core under Linux: whether real-time threads are stopped when they have run for too long.
    pub rt_throttling: RtThrottling,
    /// Of a [`ServerKind::Table`]: the intervals of each period, by their starts; none of everything else.
    pub windows: Vec<Window>,
    /// It is not declared: Linux keeps it for `SCHED_OTHER`, or for `sched_ext` ([`FairServer`](super::FairServer)).
    pub serves_other: bool,
}

/// An interval of each period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    /// Its start within the period.
    pub offset: Duration,
    /// How long it is, above zero; its end is at most that of the period.
    pub length: Duration,
}

/// What a supply is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SupplyKind {
    /// A core.
    #[default]
    Core,
    /// A reservation of another supply.
    Server(Server),
    /// A share of a supply that takes turns: it has neither budget nor period.
    Share(Share),
    /// A priority on a supply that goes by priority: it has neither budget nor period.
    Level(Level),
}

/// A share of a supply that takes turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The supply it takes its time from.
    pub on: SupplyId,
    /// Weight among the members of that supply, at least 1; 1 under round-robin.
    pub weight: u32,
}

/// A server without a budget: what is in it has what its priority leaves of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The supply it takes its time from.
    pub on: SupplyId,
    /// Urgency among the members of that supply; larger is more urgent.
    pub priority: Priority,
    /// Longest time that less urgent work may delay it, once per busy window.
    pub blocking: Duration,
}

impl SupplyKind {
    /// The supply it takes its time from; `None`: a core.
    pub fn on(&self) -> Option<SupplyId> {
        match self {
            Self::Core => None,
            Self::Server(Server { on, .. })
            | Self::Share(Share { on, .. })
            | Self::Level(Level { on, .. }) => Some(*on),
        }
    }

    /// The reservation that it is; `None`: a core, a share or a level.
    pub fn server(&self) -> Option<&Server> {
        match self {
            Self::Server(server) => Some(server),
            Self::Core | Self::Share(_) | Self::Level(_) => None,
        }
    }

    /// The level that it is; `None`: something else.
    pub fn level(&self) -> Option<&Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Core | Self::Share(_) | Self::Server(_) => None,
        }
    }

    /// The weight of the share that it is; `None`: something else.
    pub fn weight(&self) -> Option<u32> {
        match self {
            Self::Share(share) => Some(share.weight),
            Self::Core | Self::Server(_) | Self::Level(_) => None,
        }
    }

    /// The word that a description has for it; `None`: a core.
    pub fn word(&self) -> Option<ServerKind> {
        match self {
            Self::Core => None,
            Self::Server(server) => Some(server.kind()),
            Self::Share(_) => Some(ServerKind::Share),
            Self::Level(_) => Some(ServerKind::Level),
        }
    }
}

impl Supply {
    /// Whether it is a core.
    pub fn is_core(&self) -> bool {
        self.kind == SupplyKind::Core
    }

    /// The supply it takes its time from; `None`: a core.
    pub fn on(&self) -> Option<SupplyId> {
        self.kind.on()
    }

    /// The reservation that it is; `None`: a core, a share or a level.
    pub fn server(&self) -> Option<&Server> {
        self.kind.server()
    }

    /// The intervals of each period in which its time lies, by their starts: that of a slot, those of a table; none of everything else.
    pub fn places(&self) -> Vec<Window> {
        let slot = self.server().and_then(|own| Some((own.slot_offset()?, own.budget)));
        let of_slot = |(offset, length)| vec![Window { offset, length }];
        slot.map_or_else(|| self.windows.clone(), of_slot)
    }

    /// The level that it is; `None`: something else.
    pub fn level(&self) -> Option<&Level> {
        self.kind.level()
    }

    /// The same, to be changed.
    pub fn server_mut(&mut self) -> Option<&mut Server> {
        match &mut self.kind {
            SupplyKind::Server(server) => Some(server),
            SupplyKind::Core | SupplyKind::Share(_) | SupplyKind::Level(_) => None,
        }
    }

    /// Its urgency where priority decides among the members of what it is on; the least elsewhere.
    pub fn priority(&self) -> Priority {
        match &self.kind {
            SupplyKind::Server(server) => server.priority,
            SupplyKind::Level(level) => level.priority,
            SupplyKind::Core | SupplyKind::Share(_) => Priority::default(),
        }
    }

    /// The longest time that less urgent work may delay it, once per busy window.
    pub fn blocking(&self) -> Duration {
        match &self.kind {
            SupplyKind::Server(server) => server.blocking,
            SupplyKind::Level(level) => level.blocking,
            SupplyKind::Core | SupplyKind::Share(_) => Duration::ZERO,
        }
    }

    /// Whether it is a server that Linux itself runs.
    pub fn is_of_linux(&self) -> bool {
        self.server_kind().is_some_and(ServerKind::is_of_linux)
    }

    /// The kind of server that a description calls it; `None`: a core.
    pub fn server_kind(&self) -> Option<ServerKind> {
        self.kind.word()
    }
}

/// One competitor for the time of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Fixed slots of a core: every member is a server of kind [`ServerKind::Slot`] or [`ServerKind::Table`].
    Slots,
    /// Virtual-time round-robin (Nieh, Vaill, Zhong 2001), turns of a quantum.
    Vtrr,
    /// Stride scheduling: the least virtual finishing time first, turns of a quantum.
    Stride,
    /// One quantum each in turn; there are no shares.
    RoundRobin,
    /// As many quanta in a row as a member has shares, in turn.
    WeightedRoundRobin,
    /// A processor under Linux: servers of kind [`ServerKind::SchedDeadline`](super::ServerKind::SchedDeadline) first, by deadline;
    /// then everything else by fixed priority.
    Linux,
}

impl Scheduler {
    /// Whether members take turns of a quantum.
    pub fn takes_turns(self) -> bool {
        matches!(self, Self::Vtrr | Self::Stride | Self::RoundRobin | Self::WeightedRoundRobin)
    }

    /// Whether turns depend on the shares of the members.
    pub fn has_shares(self) -> bool {
        self.takes_turns() && self != Self::RoundRobin
    }
}
