//! What would help where a requirement is not proven.

use vorrang_design::Amount;

/// In words, and as the change that they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// As a clause without a full stop.
    pub text: String,
    /// The change of one parameter, where one was found.
    pub change: Option<Change>,
}

/// One parameter that is to be another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which kind of parameter, in one word.
    pub parameter: &'static str,
    /// Which one.
    pub what: String,
    /// What it is.
    pub now: Amount,
    /// What it is to be.
    pub to: Amount,
}
