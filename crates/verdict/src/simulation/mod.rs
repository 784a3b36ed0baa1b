//! The findings of `vorrang simulate`, independent of their presentation.

mod bars;
pub mod cdf;
pub mod chains;
pub mod document;
mod follow;
mod rows;
mod tables;
pub mod text;

pub use follow::{Picture, Run, matters_most};
pub use text::Drawing;

use crate::chance::{Chance, Frequency};
use crate::distribution::Resolution;
use crate::gantt::Chart;
use crate::input::Input;
use crate::reason::coded;
use crate::watch::Watch;
use chains::Values;
use std::fmt;
use vorrang_analysis::Bounds;
use vorrang_model::system::SupplyId;
use vorrang_sim::{End, NotCovered, Pattern};
use vorrang_time::Duration;

/// Everything that a result is made of.
pub struct Simulation {
    /// What was simulated.
    pub input: Input,
    /// The history.
    pub pattern: Pattern,
    /// How long it lasts.
    pub horizon: Duration,
    /// Of all distributions.
    pub resolution: Resolution,
    /// In the order of declaration.
    pub cores: Vec<Followed>,
    /// What chains with a task on one of them handed on.
    pub chains: Vec<Values>,
    /// The bounds on the miss probability of requirements that state one.
    pub bounds: Option<Bounds>,
}

/// A core and what was seen of it.
pub struct Followed {
    /// The core.
    pub core: SupplyId,
    /// What was seen of it, or why nothing.
    pub seen: Result<Seen, Unseen>,
}

/// What was seen of one core.
pub struct Seen {
    /// What was counted.
    pub watch: Watch,
    /// How the history ended.
    pub end: End,
    /// The chart, if one was wanted and there is something to show.
    pub chart: Option<Chart>,
}

/// Why nothing was seen of a core.
pub enum Unseen {
    /// The simulator does not cover it.
    NotCovered(NotCovered),
    /// Ctrl-C came first.
    NotBegun,
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCovered(what) => what.fmt(f),
            Self::NotBegun => f.write_str("interrupted before it was begun"),
        }
    }
}

impl Simulation {
    /// The shares of late jobs of a core, with what is known about how probable they are.
    pub fn chances<'w>(
        &'w self,
        watch: &'w Watch,
    ) -> impl Iterator<Item = (&'w str, Duration, Chance)> {
        watch.shares.0.iter().filter_map(|share| {
            let requirement = &self.input.system.requirements[share.requirement];
            let bounds = self.bounds.as_ref()?;
            let pattern = self.pattern.to_string();
            let found = bounds.chance(&self.input.system, requirement);
            let chance = Chance {
                required: requirement.probability?,
                later: found.found.as_ref().map(|proof| proof.bound).map_err(coded),
                seen: Some(Frequency { jobs: share.jobs, late: share.late, pattern }),
            };
            Some((requirement.name.as_str(), requirement.limit, chance))
        })
    }

    /// What was counted, core by core.
    pub fn watches(&self) -> impl Iterator<Item = &Watch> {
        self.cores.iter().filter_map(|followed| Some(&followed.seen.as_ref().ok()?.watch))
    }

    /// The end of the run that was interrupted first, if one was.
    pub fn interrupted(&self) -> Option<Duration> {
        if self.cores.iter().any(|followed| matches!(followed.seen, Err(Unseen::NotBegun))) {
            return Some(Duration::ZERO);
        }
        self.reached(|end| end == End::SeenEnough)
    }

    /// The end of the run that first exceeded the limit of stored entries, if one did.
    pub fn ended_early(&self) -> Option<Duration> {
        self.reached(End::is_early)
    }

    /// The ends of the runs that ended so before the horizon.
    fn reached(&self, ended: impl Fn(End) -> bool) -> Option<Duration> {
        let seen = self.cores.iter().filter_map(|followed| followed.seen.as_ref().ok());
        let reached = seen.filter(|seen| ended(seen.end)).map(|seen| seen.watch.activity.time());
        reached.filter(|reached| *reached < self.horizon).min()
    }

    /// Whether a requirement is.
    pub fn is_missed(&self) -> bool {
        self.watches().any(|watch| watch.responses.first_miss().is_some())
            || self.chains.iter().any(|own| own.misses().next().is_some())
    }
}

#[cfg(test)]
mod tests;
