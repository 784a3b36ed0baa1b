//! Places where the time that the machine takes is not bounded.

use core::fmt;

/// A place where the time that the machine takes is not bounded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of what the variant speaks of")]
pub enum CostFeature {
    /// A pseudo-VCPU whose virtual processor is in a server.
    PseudoVcpu { cost: MachineCost, interrupt: String },
    /// The replenishment fragments of a server, whose number is not bounded.
    Fragments { cost: MachineCost, server: String },
    /// A reservation of the host.
    Reservation { cost: MachineCost, server: String, why: InReservation },
    /// A soft constant-bandwidth server with cold caches.
    ColdSoftServer { server: String },
    /// A server with cold caches beside servers that may be late.
    ColdBesideLate { server: String },
    /// Throttling that may begin on a core whose kernel takes time of its own.
    Throttled { core: String, beside: &'static str },
}

/// What takes time whenever the scheduler of a machine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineCost {
    /// Calls of the scheduler.
    SchedulerCalls,
    /// Switches between contexts.
    ContextSwitches,
    /// Work after a switch, until caches are warm.
    ColdCaches,
}

/// Why costs inside a reservation of the host are not bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InReservation {
    /// A job that completes gives way to whatever is due before the next one.
    Deadlines,
    /// The switches in a turn are not counted.
    Turns,
    /// A member holds a budget that may be late.
    LateBudget,
    /// A job that is not preempted gives way when it completes, whether or not the next one waits.
    Kept,
}

impl fmt::Display for CostFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PseudoVcpu { cost, interrupt } => {
                write!(f, "{cost} for the pseudo-VCPU of {interrupt}")
            }
            Self::Fragments { cost, server } => {
                write!(f, "{cost} at replenishment fragments of {server}")
            }
            Self::Reservation { cost, server, why } => {
                write!(f, "{cost} inside {server}, a reservation of the host {why}")
            }
            Self::ColdSoftServer { server } => {
                write!(f, "cold caches in {server}, a \"cbs-soft\" server")
            }
            Self::Throttled { core, beside } => {
                write!(f, "throttling of real-time threads on {core} beside {beside}")
            }
            Self::ColdBesideLate { server } => {
                write!(f, "cold caches in {server}, beside servers that may be late")
            }
        }
    }
}

impl fmt::Display for MachineCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SchedulerCalls => "the time of scheduler calls",
            Self::ContextSwitches => "the time of context switches",
            Self::ColdCaches => "cold caches",
        })
    }
}

impl fmt::Display for InReservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deadlines => "whose members have deadlines",
            Self::Turns => "whose members take turns",
            Self::LateBudget => "that holds a budget which may be late",
            Self::Kept => "with tasks that are not preempted",
        })
    }
}
