//! The result of an analysis: a bound on a response time, or on a probability, with its publications.

use crate::derivation::Derivation;
use crate::ground::Assumption;
use crate::ground::Reason;
use crate::stochastic::Probability;
use core::fmt;
use vorrang_time::Duration;

/// A bound, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<T = Duration> {
    /// The bound, or why there is none.
    pub found: Result<Proof<T>, Reason>,
    /// How it was found, or would have been.
    pub method: Method,
    /// The derivation of the bound, or of its absence; empty unless requested.
    pub derivation: Derivation,
}

/// A bound, and what it takes for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<T = Duration> {
    /// Of a response: the longest time, from the arrival.
    pub bound: T,
    /// What the bound takes for granted.
    pub assumptions: Vec<Assumption>,
}

/// A bound on the probability that a job takes longer than a limit, or the reason why there is none.
pub type Chance = Finding<Probability>;

impl<T: Copy> Finding<T> {
    /// The bound; `None` if there is none.
    pub fn bound(&self) -> Option<T> {
        self.found.as_ref().ok().map(|proof| proof.bound)
    }

    /// Why there is no bound.
    pub fn reason(&self) -> Option<&Reason> {
        self.found.as_ref().err()
    }

    /// What the bound takes for granted; nothing where there is none.
    pub fn assumptions(&self) -> &[Assumption] {
        self.found.as_ref().map_or(&[], |proof| &proof.assumptions)
    }

    pub(crate) fn proven(bound: T, assumptions: Vec<Assumption>, method: Method) -> Self {
        Self { found: Ok(Proof { bound, assumptions }), method, derivation: Derivation::default() }
    }

    pub(crate) fn none(method: Method, reason: Reason) -> Self {
        Self { found: Err(reason), method, derivation: Derivation::default() }
    }
}

/// How the members of a supply are scheduled against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Local {
    /// Fixed priority.
    FixedPriority,
    /// EDF, response time.
    Edf,
    /// EDF, only that every deadline is met.
    EdfDemand,
    /// The only task of a constant-bandwidth server.
    AloneInCbs,
    /// The only task of a constant-bandwidth server, by the distribution of its times.
    Chance,
    /// Fixed priority, by jobs that exceed thresholds.
    Thresholds,
    /// A service routine at interrupt level.
    ServiceRoutine,
    /// A routine of a guest.
    GuestRoutine,
    /// The task that takes packets out of a ring.
    Polling,
    /// What is charged to a pseudo-VCPU.
    PseudoVcpu,
    /// No analysis applies.
    NotCovered,
}

/// What the supply of a task is bounded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A core.
    Core,
    /// A server under fixed priority.
    FixedPriorityServer,
    /// A server under EDF.
    PeriodicResource,
    /// A fixed slot.
    FixedSlot,
    /// A table of windows.
    Table,
    /// Turns in a ring.
    Turns,
    /// What all other members leave.
    AnyOrder,
    /// Turns in cycles of virtual-time round-robin.
    Cycles,
}

/// How a bound was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Method {
    /// The analysis among the members of the supply.
    pub local: Local,
    /// The bound of the supply itself.
    pub form: Form,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = match self.form {
            Form::Core => "",
            Form::FixedPriorityServer => " on a fixed-priority server (Davis, Burns 2005)",
            Form::PeriodicResource => {
                " on a periodic resource (Shin, Lee 2003; Easwaran et al. 2007)"
            }
            Form::FixedSlot => " on a fixed slot (Kaiser, Zöbel 2009)",
            Form::Table => " on a table of windows (Mok, Feng, Chen 2001)",
            Form::Turns => " on turns in a ring",
            Form::AnyOrder => " behind all other members",
            Form::Cycles => " on turns in cycles",
        };
        match (self.local, self.form) {
            (Local::FixedPriority, Form::FixedPriorityServer) => {
                f.write_str("fixed-priority server analysis (Davis, Burns 2005)")
            }
            (Local::FixedPriority, _) => write!(f, "response-time analysis (Lehoczky 1990){on}"),
            (Local::Edf, _) => write!(f, "EDF response-time analysis (Spuri 1996){on}"),
            (Local::EdfDemand, _) => write!(f, "EDF demand criterion (Zhang, Burns 2009){on}"),
            (Local::AloneInCbs, _) => f.write_str(
                "one task in a constant-bandwidth server (Abeni, Manica, Palopoli 2009)",
            ),
            (Local::Chance, _) => f.write_str(
                "one task in a constant-bandwidth server, by the distribution of its times (Abeni, Buttazzo 1999)",
            ),
            (Local::Thresholds, _) => {
                write!(f, "fixed priority, by the probability that jobs exceed thresholds{on}")
            }
            (Local::ServiceRoutine, _) => {
                f.write_str("response-time analysis at interrupt level (Lehoczky 1990)")
            }
            (Local::GuestRoutine, _) => write!(f, "first come, first served in the guest{on}"),
            (Local::Polling, _) => write!(f, "packets out of a ring, in rounds{on}"),
            (Local::PseudoVcpu, _) => {
                f.write_str("pseudo-VCPU (Kim, Wang, Rajkumar 2015, with credit at the arrival)")
            }
            (Local::NotCovered, _) => f.write_str("no analysis"),
        }
    }
}
