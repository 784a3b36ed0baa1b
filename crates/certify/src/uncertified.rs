//! Why something is not certified.

use core::fmt;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncertified {
    /// A theorem that no file of `proofs/` covers.
    NotMechanised {
        /// What it is about.
        what: String,
        /// Its page in `docs/theory`.
        page: &'static str,
    },
    /// A server that the mechanised theorems do not show to receive its budget.
    NoBudget(String),
    /// The checker refuses what was found: a bug.
    Refused,
    /// No windows were found within the iteration budget.
    NoWindow,
}

impl Uncertified {
    /// A theorem that is not mechanised.
    pub fn not_mechanised(what: impl Into<String>, page: &'static str) -> Self {
        Self::NotMechanised { what: what.into(), page }
    }
}

impl fmt::Display for Uncertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMechanised { what, page } => {
                write!(f, "{what}: not mechanised (docs/theory/{page}.md)")
            }
            Self::NoBudget(server) => {
                write!(f, "the mechanised theorems do not show that {server} receives its budget")
            }
            Self::Refused => {
                f.write_str("the checker refuses the certificate that was found: a bug")
            }
            Self::NoWindow => f.write_str("no windows were found that show a bound"),
        }
    }
}
