//! What calls the scheduler of a core, and its contexts, as in `proofs/Certificate.v`.

/// Something that happens at least so far apart, and up to so much later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub struct Times {
    pub period: u64,
    pub jitter: u64,
}

/// What calls the scheduler of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A member that is as urgent.
    Above {
        /// Returns of its budget.
        returns: Vec<Times>,
        /// What wakes it, or its guest.
        wakes: Vec<Times>,
        /// It idles its budget away.
        idles: bool,
    },
    /// A member that is less urgent.
    Below {
        /// Returns of its budget.
        returns: Vec<Times>,
    },
    /// The server that is looked at.
    Itself {
        /// Its period.
        period: u64,
    },
}

/// A context of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColdContext {
    /// Its priority.
    pub urgency: u64,
    /// What it loses at most of its time from a start on.
    pub loss: u64,
    /// What makes it ready.
    pub ready_from: Vec<Times>,
}
