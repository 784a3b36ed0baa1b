//! Why an analysis has no bound, as the code that is printed for it.

use crate::cause::Cause;
use vorrang_analysis::{NoBound, Reason};

/// A reason as it is printed: its code and its words.
pub(crate) fn coded(reason: &Reason) -> (Cause, String) {
    (Cause::from(reason), reason.to_string())
}

impl From<&Reason> for Cause {
    fn from(reason: &Reason) -> Self {
        match reason {
            Reason::NotCovered { .. } => Self::NotCovered,
            Reason::NoGuarantee { overbooked: Some(_), .. }
            | Reason::NoBound { overbooked: Some(_), .. } => Self::Overbooked,
            Reason::NoGuarantee { needs: Some(_), .. } => Self::BudgetLate,
            Reason::NoGuarantee { needs: None, .. } => Self::BudgetNotGuaranteed,
            Reason::HeldBack { .. } => Self::HeldBack,
            Reason::NoReservation { .. } => Self::NoReservation,
            Reason::NoBound { why, .. } => match why {
                NoBound::Overload => Self::Overload,
                NoBound::TooLong => Self::TooLong,
                NoBound::Effort => Self::Effort,
            },
            Reason::Interrupted => Self::Interrupted,
        }
    }
}
