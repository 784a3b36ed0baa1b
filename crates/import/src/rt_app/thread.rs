//! A thread of rt-app.

use super::pattern::Pattern;
use crate::description::Value;
use crate::json::Json;

/// A thread, as far as it is read.
pub(super) struct Thread<'a> {
    pub(super) name: &'a str,
    pub(super) task: &'a Json,
    pub(super) phases: Vec<&'a Json>,
    pub(super) policy: String,
    pub(super) copies: u64,
    pub(super) pattern: Option<Pattern>,
}

impl<'a> Thread<'a> {
    /// The values of a key: its own, and those of its phases.
    pub(super) fn all(&self, key: &str) -> Vec<&'a Json> {
        let mut all: Vec<&Json> = self.task.get(key).into_iter().collect();
        for value in self.phases.iter().filter_map(|phase| phase.get(key)) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        all
    }

    /// Whether a key has another value later on.
    pub(super) fn changes(&self, key: &str) -> bool {
        let first = self.task.get(key).or_else(|| self.phases.first()?.get(key));
        self.all(key).iter().any(|value| Some(*value) != first)
    }

    pub(super) fn label(&self, copy: u64) -> String {
        if self.copies == 1 { self.name.to_owned() } else { format!("{}-{copy}", self.name) }
    }

    /// rt-app calls its threads by name and place.
    pub(super) fn selector(&self, copy: u64) -> Value {
        let full = format!("{}-{copy}", self.name);
        let kept: String = full.chars().take(15).collect();
        Value::Text(format!("name:{kept}"))
    }
}
