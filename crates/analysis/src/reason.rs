//! Why there is no bound.

use crate::effort::NoBound;
use crate::utilisation::Overbooked;
use core::fmt;
use vorrang_time::Duration;

/// Why there is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No analysis covers something on the core.
    NotCovered {
        /// What, by name.
        what: String,
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
        overbooked: Option<Box<Overbooked>>,
    },
    /// More may be requested than a pseudo-VCPU lets through.
    HeldBack {
        /// The interrupt that is held back.
        interrupt: String,
    },
    /// Nothing says how often something is late.
    NoReservation {
        /// What.
        what: String,
        /// Why.
        why: &'static str,
    },
    /// The busy window does not end, or was not found.
    NoBound {
        /// The supply it is about.
        supply: String,
        /// Why.
        why: NoBound,
        /// The members that take more than there is, if that is why.
        overbooked: Option<Box<Overbooked>>,
    },
    /// It was not to be waited for any longer.
    Interrupted,
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
                write!(f, "{interrupt} may come more often than its pseudo-VCPU lets it through")
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
