//! Remedies for a requirement that is not proven, or a budget that is not guaranteed.

use crate::parameter;
use serde_json::{Value, json};
use vorrang_design::Amount;

/// A remedy in words, and as a change of a parameter.
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

impl Help {
    /// One without a change.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), change: None }
    }
}

/// The change for programs.
pub fn document(help: &Help) -> Option<Value> {
    let Change { parameter, what, now, to } = help.change.as_ref()?;
    Some(json!({
        "parameter": parameter,
        "what": what,
        "now": parameter::amount(*now),
        "to": parameter::amount(*to),
    }))
}
