//! Ways of scheduling that no analysis covers.

use core::fmt;
use vorrang_model::system::{Scheduler, ServerKind};

/// A way of scheduling that no analysis covers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of what the variant speaks of")]
pub enum SchedulingFeature {
    /// A scheduler whose members have no bounds where they want more than there is.
    Scheduler { supply: String, scheduler: Scheduler },
    /// A server of a kind that has no bound under the scheduler of its parent.
    ServerKind { server: String, kind: ServerKind },
    /// A server that reclaims unused bandwidth.
    Reclaiming { server: String, kind: ServerKind },
    /// A task directly on a supply of slots.
    TaskOnSlots { task: String, slots: String },
    /// A task without a deadline under EDF.
    NoDeadline { task: String },
    /// Blocking of a task on a supply whose members take turns.
    BlockedInTurns { task: String },
    /// Blocking of a server that is not scheduled by priority.
    BlockedServer { server: String },
    /// A soft constant-bandwidth server with more than one task.
    SharedSoftServer { server: String },
    /// A task that processes packets in a soft constant-bandwidth server.
    PacketsInSoftServer { task: String, server: String },
    /// Throttling of real-time threads beside servers with deadlines that may use a budget while others wait.
    ThrottledBesideReservations { core: String },
    /// A task that is not preempted, beside something of which it is not known what that does to it.
    Kept { task: String, beside: BesideKept },
    /// The response of a task that polls for ever.
    Polls { task: String },
    /// A server without a budget, beside something that makes it take an unknown time.
    Level { server: String, beside: BesideLevel },
    /// A pseudo-VCPU of whose interrupt several may wait in a server of the guest.
    WaitingInGuest { interrupt: String },
    /// A pseudo-VCPU with the priority of members that take turns of a time slice.
    PseudoVcpuBesideSlices { interrupt: String },
}

/// Beside what a server without a budget is not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideLevel {
    /// Sections that hold up a server in it.
    SectionsInside,
    /// Timers that wait for what is more urgent.
    Shield,
    /// Cold caches of contexts in a reservation of the host.
    ColdContexts,
}

/// Beside what a task that is not preempted is not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideKept {
    /// A supply whose members priorities do not order.
    Scheduler,
    /// Time slices of equals.
    Slices,
    /// A card that it polls.
    Polling,
    /// Timers that wait for what is more urgent.
    Shield,
    /// A pseudo-VCPU on its core.
    PseudoVcpu,
}

impl fmt::Display for BesideKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheduler => "where priorities do not decide",
            Self::Slices => "among members with time slices",
            Self::Polling => "which polls a card",
            Self::Shield => "on a core with a shield of timers",
            Self::PseudoVcpu => "on a core with a pseudo-VCPU",
        })
    }
}

impl fmt::Display for BesideLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SectionsInside => "with sections that hold up a server in it",
            Self::Shield => "on a core with a shield of timers",
            Self::ColdContexts => "with cold caches of contexts of the host in it",
        })
    }
}

impl fmt::Display for SchedulingFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheduler { supply, scheduler } => {
                let word = scheduler.word();
                write!(
                    f,
                    "the \"{word}\" scheduler of {supply}, of which more is wanted than there is"
                )
            }
            Self::ServerKind { server, kind } => {
                write!(f, "{server}, a \"{}\" server", kind.word())
            }
            Self::Reclaiming { server, kind } => {
                write!(f, "{server}, a \"{}\" server that reclaims", kind.word())
            }
            Self::TaskOnSlots { task, slots } => {
                write!(f, "{task}, a task directly on the slots of {slots}")
            }
            Self::NoDeadline { task } => write!(f, "{task}, a task without deadline under EDF"),
            Self::Level { server, beside } => write!(f, "{server}, which has no budget, {beside}"),
            Self::Kept { task, beside } => write!(f, "{task}, which is not preempted, {beside}"),
            Self::Polls { task } => {
                write!(f, "a response of {task}, which polls for ever and so has none")
            }
            Self::BlockedInTurns { task } => {
                write!(f, "the blocking of {task}, where members take turns")
            }
            Self::BlockedServer { server } => {
                write!(f, "the blocking of {server}, which is not scheduled by priority")
            }
            Self::SharedSoftServer { server } => {
                write!(f, "what shares {server}, a \"cbs-soft\" server")
            }
            Self::PacketsInSoftServer { task, server } => {
                write!(f, "{task}, which processes packets, in {server}, a \"cbs-soft\" server")
            }
            Self::PseudoVcpuBesideSlices { interrupt } => write!(
                f,
                "the pseudo-VCPU of {interrupt}, whose priority is that of members with time slices"
            ),
            Self::ThrottledBesideReservations { core } => write!(
                f,
                "throttling of real-time threads on {core}, whose reservations may take a whole budget of theirs meanwhile"
            ),
            Self::WaitingInGuest { interrupt } => write!(
                f,
                "the pseudo-VCPU of {interrupt}, more than one of which may wait in a server of the guest"
            ),
        }
    }
}
