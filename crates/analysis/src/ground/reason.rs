//! Why there is no bound.

use crate::feature::Feature;
use crate::ground::NoBound;
use crate::ground::Overbooked;
use core::fmt;
use std::sync::Arc;
use vorrang_time::Duration;

/// Why there is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No analysis covers something on the core.
    NotCovered {
        /// The feature that no analysis covers.
        what: Feature,
    },
    /// A server on the way to the core may not receive its budget in each period.
    NoGuarantee {
        /// The server.
        server: String,
        /// Its period.
        period: Duration,
        /// How long its budget may take, if that is known.
        needs: Option<Duration>,
        /// The members that take more than there is, if that is why.
        overbooked: Option<Arc<Overbooked>>,
    },
    /// More may be requested than a pseudo-VCPU lets through.
    HeldBack {
        /// The interrupt that is held back.
        interrupt: String,
    },
    /// The deadline-miss probability is not bounded.
    NoReservation {
        /// The task.
        what: String,
        /// Why it is not reserved.
        why: Unreserved,
    },
    /// The busy window does not end, or was not found.
    NoBound {
        /// The supply it is about.
        supply: String,
        /// Why there is no bound.
        why: NoBound,
        /// The members that take more than there is, if that is why.
        overbooked: Option<Arc<Overbooked>>,
    },
    /// It was not to be waited for any longer.
    Interrupted,
}

impl Reason {
    /// No analysis covers a feature.
    pub(crate) fn not_covered(feature: impl Into<Feature>) -> Self {
        Self::NotCovered { what: feature.into() }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCovered { what } => write!(f, "no analysis covers {what}"),
            Self::NoGuarantee { server, period, overbooked: Some(cause), .. } => write!(
                f,
                "{cause}, so that {server} is not guaranteed its budget in each period of {period}"
            ),
            Self::NoGuarantee { server, period, needs: Some(needs), .. } => {
                write!(
                    f,
                    "{server} may take {needs} to receive its budget, longer than its period of {period}"
                )
            }
            Self::NoGuarantee { server, period, needs: None, .. } => {
                write!(f, "{server} is not guaranteed its budget in each period of {period}")
            }
            Self::HeldBack { interrupt } => {
                write!(f, "{interrupt} may arrive more often than its pseudo-VCPU admits")
            }
            Self::NoReservation { what, why } => {
                write!(f, "no deadline-miss probability is known for {what}: {why}")
            }
            Self::NoBound { overbooked: Some(cause), .. } => write!(f, "{cause}"),
            Self::NoBound { supply, why, .. } => write!(f, "on {supply}, {why}"),
            Self::Interrupted => f.write_str("the analysis was interrupted"),
        }
    }
}

/// Why no probability is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreserved {
    /// The requirement is not about a task.
    NoTask,
    /// A job takes as many packets as wait.
    Packets,
    /// The task shares its supply, and nothing bounds it by thresholds.
    NotAlone,
    /// Its server is charged for the interrupts of its core.
    ChargedRoutines,
    /// Runtimes of its server may end late.
    LateRuntimes,
    /// An interrupt is delivered to its server.
    Delivery,
    /// Costs of the machine, or cold caches, take a part of its budget.
    Costs,
    /// How late its server receives its budget is not bounded.
    LateBudget,
    /// How often it is woken is not bounded.
    Wakes,
    /// Its times have no common step that is coarse enough.
    TooDifferent,
    /// Its busy window is too long to count the jobs in it.
    TooManyJobs,
    /// A task of its core wakes others, or is woken by them: when that comes depends on the times of others.
    BesideWakes,
}

impl fmt::Display for Unreserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoTask => "it is not about a task",
            Self::Packets => "a job processes all waiting packets",
            Self::NotAlone => {
                "it is not alone in a constant-bandwidth server (\"cbs-hard\", \"cbs-soft\", or \
                 \"sched-deadline\" with the period as deadline)"
            }
            Self::ChargedRoutines => "the interrupts of its core are charged to its server",
            Self::LateRuntimes => "its runtimes may end late",
            Self::Delivery => "an interrupt is delivered to its server",
            Self::Costs => "costs of the machine and cold caches consume a part of its budget",
            Self::LateBudget => "the lateness of its server's budget has no bound",
            Self::Wakes => "the rate of its activations has no bound",
            Self::TooDifferent => "its times differ by too many orders of magnitude",
            Self::TooManyJobs => "its busy window is too long to count jobs",
            Self::BesideWakes => {
                "a task of its core wakes another one or is woken by one, so times are not independent"
            }
        })
    }
}
