//! What `vorrang simulate` saw, before anybody says how it is shown.

use crate::chance::{self, Chance};
use crate::distribution::Resolution;
use crate::exit::Exit;
use crate::gantt::Chart;
use crate::input::Input;
use crate::watch::Watch;
use std::fmt;
use vorrang_analysis::Bounds;
use vorrang_model::system::SupplyId;
use vorrang_sim::{End, NotCovered, Pattern};
use vorrang_time::Duration;

/// Everything that a result is made of.
pub(super) struct Simulation {
    pub(super) input: Input,
    pub(super) pattern: Pattern,
    pub(super) horizon: Duration,
    pub(super) resolution: Resolution,
    /// In the order of declaration.
    pub(super) cores: Vec<Followed>,
    /// How often what states a probability is late at most.
    pub(super) bounds: Option<Bounds>,
}

/// A core and what was seen of it.
pub(super) struct Followed {
    pub(super) core: SupplyId,
    pub(super) seen: Result<Seen, Unseen>,
}

/// What was seen of one core.
pub(super) struct Seen {
    /// What was counted.
    pub(super) watch: Watch,
    /// How the history ended.
    pub(super) end: End,
    /// The chart, if one was wanted and there is something to show.
    pub(super) chart: Option<Chart>,
}

/// Why nothing was seen of a core.
pub(super) enum Unseen {
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
    pub(super) fn chances<'w>(
        &'w self,
        watch: &'w Watch,
    ) -> impl Iterator<Item = (&'w str, Duration, Chance)> {
        watch.shares.0.iter().filter_map(|share| {
            let requirement = &self.input.system.requirements[share.requirement];
            let bounds = self.bounds.as_ref()?;
            let pattern = self.pattern.to_string();
            let chance = Chance {
                required: requirement.probability?,
                later: bounds.chance(&self.input.system, requirement).later,
                seen: Some(chance::Frequency { jobs: share.jobs, late: share.late, pattern }),
            };
            Some((requirement.name.as_str(), requirement.limit, chance))
        })
    }

    /// What was counted, core by core.
    pub(super) fn watches(&self) -> impl Iterator<Item = &Watch> {
        self.cores.iter().filter_map(|followed| Some(&followed.seen.as_ref().ok()?.watch))
    }

    /// How far the run came that was interrupted first, if one was.
    pub(super) fn interrupted(&self) -> Option<Duration> {
        if self.cores.iter().any(|followed| matches!(followed.seen, Err(Unseen::NotBegun))) {
            return Some(Duration::ZERO);
        }
        self.reached(|end| end == End::SeenEnough)
    }

    /// How far the run came that first had too much to keep, if one had.
    pub(super) fn ended_early(&self) -> Option<Duration> {
        self.reached(End::is_early)
    }

    /// How far the runs came that ended so before the horizon.
    fn reached(&self, ended: impl Fn(End) -> bool) -> Option<Duration> {
        let seen = self.cores.iter().filter_map(|followed| followed.seen.as_ref().ok());
        let reached = seen.filter(|seen| ended(seen.end)).map(|seen| seen.watch.activity.time());
        reached.filter(|reached| *reached < self.horizon).min()
    }

    /// Whether a requirement is.
    pub(super) fn is_missed(&self) -> bool {
        self.watches().any(|watch| watch.responses.first_miss().is_some())
    }

    pub(super) fn exit(&self) -> Exit {
        if self.is_missed() {
            Exit::Refuted
        } else if self.interrupted().is_some() {
            Exit::Interrupted
        } else if self.ended_early().is_some()
            || self.cores.iter().any(|followed| followed.seen.is_err())
        {
            Exit::Undecided
        } else {
            Exit::Success
        }
    }
}
