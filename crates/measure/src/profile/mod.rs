//! The profile of a machine: the costs for `check` and `simulate`, and their measurements.
//!
//! **Model.** A TOML file. `[costs]` and `[cache]` are those of a description, which takes them from
//! here. `[measured.VERB]` has every number with its spread, `[conditions.VERB]` the conditions; neither
//! decides anything. A verb that measures again replaces its own part.
//!
//! ```toml
//! version = 1
//! [costs]
//! context-switch = "2100ns"
//! [cache]
//! write-64k-dirty = { model = "flood", useful = "1.1%", sustained = "17191ns" }
//! [conditions.cache]
//! kernel = "6.18.44"
//! [measured.cache]
//! write-64k-dirty = { count = 95, interrupted = 1, low-ns = 13160.0, median-ns = 14332.0, … }
//! ```

mod compare;
mod costs;
mod edit;
mod of_cache;
mod of_dispatcher;
mod of_exits;
#[cfg(target_os = "linux")]
mod of_kernel;
#[cfg(target_os = "linux")]
mod of_latency;
#[cfg(target_os = "linux")]
mod of_switch;
#[cfg(target_os = "linux")]
mod of_timers;
mod read;
mod write;

pub use compare::{Change, compare};
pub use read::Malformed;

use crate::fit::{Fit, Model};
use crate::machine::conditions::Condition;
use crate::statistics::{Sorted, Spread};

/// A machine, as far as it was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The `[costs]` of a description, in nanoseconds.
    pub costs: Vec<(String, u64)>,
    /// The `[cache.NAME]` of a description.
    pub caches: Vec<(String, Cache)>,
    /// The measurements, by verb.
    pub sections: Vec<Section>,
    /// The tables of the kernel as text, if it was measured just now; otherwise those of an existing text
    /// remain.
    pub kernel: Option<String>,
}

/// The measurement of one verb.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The verb.
    pub verb: String,
    /// The conditions.
    pub conditions: Vec<(String, String)>,
    /// Every number by its name.
    pub numbers: Vec<(String, Number)>,
}

/// A number, its spread, and further values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// In nanoseconds.
    pub spread: Spread,
    /// Runs that were left out.
    pub interrupted: usize,
    /// Further numbers by name.
    pub further: Vec<(String, f64)>,
}

impl Number {
    /// The number with its tails.
    pub fn of(sorted: &Sorted, interrupted: usize) -> Self {
        let tails = [("min-ns", 0.0), ("p01-ns", 0.01), ("p99-ns", 0.99), ("p999-ns", 0.999)];
        let tails = tails.map(|(name, part)| (name, sorted.quantile(part)));
        Self { spread: sorted.spread(), interrupted, further: Vec::new() }.with(&tails)
    }

    /// With further numbers.
    #[must_use]
    pub fn with(mut self, further: &[(&str, f64)]) -> Self {
        let named = further.iter().map(|(name, value)| ((*name).to_owned(), *value));
        self.further.extend(named);
        self
    }
}

/// To three significant digits.
fn rounded_up(ns: u64) -> u64 {
    let last = 10_u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(2));
    ns.div_ceil(last) * last
}

/// Conditions as a profile holds them.
fn texts(conditions: &[Condition]) -> Vec<(String, String)> {
    conditions.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// The parameters of a cache of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// The curve.
    pub model: Model,
    /// In millionths.
    pub useful_ppm: u32,
    /// In nanoseconds, above zero.
    pub sustained_ns: u64,
}

/// The longest duration of a description.
const LONGEST_NS: f64 = 1e15;

impl Cache {
    /// A fit, rounded so that no less is lost: a smaller useful part, for longer.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both are kept within their ranges"
    )]
    pub fn of(fit: &Fit) -> Self {
        Self {
            model: fit.model,
            useful_ppm: (fit.useful * 1e6).floor().clamp(0.0, 1e6) as u32,
            sustained_ns: fit.sustained_ns.ceil().clamp(1.0, LONGEST_NS) as u64,
        }
    }
}

impl Profile {
    /// Inserts the measurement of a verb, in place of its previous one.
    pub fn replace(&mut self, section: Section) {
        match self.sections.iter_mut().find(|known| known.verb == section.verb) {
            Some(known) => *known = section,
            None => self.sections.push(section),
        }
    }
}

#[cfg(test)]
mod tests;
