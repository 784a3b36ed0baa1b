//! Patterns: named histories, chosen to be unfavourable.
//!
//! **Model.** A [`Pattern`] is a pure function of a system and a core. Its text parses back, so a witness
//! that names it can be replayed:
//!
//! | text | history |
//! |---|---|
//! | `synchronous` | everything at one instant, jitter used for the densest burst |
//! | `exhausted:task.x:N` | the budget that serves a task is consumed by others just before it is released; `N` numbers the arrangements of all others |
//! | `blocked:task.x` | `synchronous` with less urgent sections that block the task |
//! | `blocked:task.x:N` | `exhausted:task.x:N` with such sections |
//! | `last:interrupt.x` | all other service routines are requested just before this one |
//! | `charged:server.x` | all interrupts are requested just before the runtime of a server ends that is charged for them |
//! | `random:SEED` | random offsets, phases, jitter, spacing and execution times |
//! | `periodic:SEED` | random offsets, phases and execution times, strictly periodic |
//! | `storm:interrupt.x` | `synchronous` with this interrupt in a storm |
//! | `storm:interrupt.x:SEED` | `random:SEED` with this interrupt in a storm |
//! | `explicit:…` | phases and first arrivals by name, see [`text`] |
//!
//! **Does not cover** all histories: what no pattern finds may still happen.

mod arrangement;
mod charged;
mod error;
mod exhausted;
mod form;
mod kept;
mod path;
mod periodic;
mod plain;
mod probe;
mod random;
pub mod text;
mod written;

pub(crate) use arrangement::pseudo_vcpu_period;
pub(crate) use charged::servers as charged_servers;
pub use error::ParsePatternError;
pub(crate) use exhausted::variants;
pub(crate) use form::{Form, blocked_member};
pub(crate) use probe::MOST_RELEASES;

use crate::coverage::NotCovered;
use crate::history::History;
use crate::job::Source;
use crate::simulator::Simulator;
use core::fmt;
use std::sync::Arc;
use vorrang_model::system::{SupplyId, System};

/// A named history of one core. A copy takes no more memory: one that is written down has a place for each part
/// of its system, and may be the worst of many tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: Arc<str>,
    form: Form,
}

impl Pattern {
    pub(crate) fn new(system: &System, form: Form) -> Self {
        Self { text: written::write(system, &form).into(), form }
    }

    /// A history as a pattern: names and numbers, to be replayed by hand. Only what concerns
    /// `core` is written.
    ///
    /// # Panics
    /// If it has a script, for which there is no text.
    pub fn explicit(system: &System, core: SupplyId, history: &History) -> Self {
        assert!(history.scripts.iter().all(Vec::is_empty), "a script has no text");
        Self::new(system, Form::Explicit(Arc::new(plain::only_on(system, core, history))))
    }

    /// The text of the pattern.
    pub fn text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    /// Reads the text of a pattern.
    ///
    /// # Errors
    /// The error in the text, as a message.
    pub fn parse(text: &str, system: &System) -> Result<Self, ParsePatternError> {
        let form = text::parse(text, system)?;
        Ok(Self { text: text.into(), form })
    }

    /// The history that the pattern means on a core.
    ///
    /// # Errors
    /// What on the core cannot be simulated: some patterns search for the instant at which a budget is
    /// exhausted.
    pub fn history(&self, system: &System, core: SupplyId) -> Result<History, NotCovered> {
        Ok(self.form.history(&mut Simulator::new(system, core)?))
    }

    /// Whether what is observed of a task or interrupt counts against its requirements: a blocking section
    /// belongs to one member, and an interrupt in a storm has no guarantee.
    pub fn counts(&self, system: &System, source: Source) -> bool {
        self.form.counting(system).counts(system, source)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
