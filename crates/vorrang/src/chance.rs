//! Requirements with a probability: what is known about how often they are not kept.
//!
//! **Model.** A bound on the probability, from the analysis, proves such a requirement; no history
//! refutes it, for what happened in one says little about how probable it was. So a long history
//! by chance only shows what to expect.

use crate::interruption::Patience;
use crate::watch::Shares;
use std::fmt;
use vorrang_analysis::Bounds;
use vorrang_analysis::stochastic::Probability as AtMost;
use vorrang_model::System;
use vorrang_model::system::{Probability, Requirement};
use vorrang_sim::Pattern;
use vorrang_time::{Duration, Instant};

/// Jobs of the task that are followed, if that is not too much work.
const JOBS: u64 = 100_000;

/// Jobs and replenishments of the core that are followed at most.
const WORK: u64 = 500_000;

/// Steps of the simulator for all requirements with a probability together, where that guess is
/// wrong: some tenths of a second.
const STEPS: u64 = 4_000_000;

/// What is known about how often a requirement is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// How probable it must be at least that a job keeps it.
    pub required: Probability,
    /// How probable it is at most that a job does not.
    pub later: Option<AtMost>,
    /// How many jobs did not.
    pub seen: Option<Frequency>,
}

/// A share of the jobs of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequency {
    /// Jobs whose response is known to be within the limit or beyond it.
    pub jobs: u64,
    /// Those beyond.
    pub late: u64,
    /// The name of the history.
    pub pattern: String,
}

impl Chance {
    /// What is known about the requirement at this place; `None` if every job must keep it.
    pub fn of(system: &System, bounds: &Bounds, place: usize, seed: u64) -> Option<Self> {
        let requirement = &system.requirements[place];
        let required = requirement.probability?;
        let later = bounds.chance(system, requirement).later;
        Some(Self { required, later, seen: seen(system, place, seed) })
    }

    /// Whether the bound allows what is required.
    pub fn is_proven(&self) -> bool {
        self.later.is_some_and(|later| later.is_at_most(self.allowed()))
    }

    /// How often it may not be kept, in units of 10^-12.
    pub fn allowed(&self) -> u64 {
        1_000_000_000_000 - self.required.per_trillion
    }
}

/// What a long history by chance shows.
fn seen(system: &System, place: usize, seed: u64) -> Option<Frequency> {
    let requirement = &system.requirements[place];
    let core = system.core_of_requirement(requirement);
    let pattern = Pattern::parse(&format!("periodic:{seed}"), system).ok()?;
    let history = pattern.history(system, core).ok()?;
    let affordable = vorrang_sim::time_of(system, core, &history, WORK);
    let wanted = distance(system, requirement).checked_mul(JOBS).unwrap_or(affordable);
    let horizon = Instant::ZERO + wanted.min(affordable);
    let mut shares = Shares::of_core(system, core, &history);
    let mut simulator = vorrang_sim::Simulator::new(system, core).ok()?;
    let requirements = system.requirements.iter().filter(|own| own.probability.is_some());
    simulator.allow(STEPS / requirements.count() as u64);
    simulator.run(&history, horizon, &mut (&mut shares, Patience));
    let share = shares.0.iter().find(|share| share.requirement == place)?;
    Some(Frequency { jobs: share.jobs, late: share.late, pattern: pattern.to_string() })
}

/// The least time between two arrivals of what a requirement is about.
fn distance(system: &System, requirement: &Requirement) -> Duration {
    use vorrang_model::system::RequirementKind::{Deadline, HandledWithin};
    match requirement.kind {
        Deadline(id) => system.task(id).min_interarrival,
        HandledWithin(id) => system.interrupt(id).min_interarrival,
    }
}

/// A number of 10^-12 as a decimal fraction.
pub fn decimal(per_trillion: u64) -> String {
    const WHOLE: u64 = 1_000_000_000_000;
    let text = format!("{}.{:012}", per_trillion / WHOLE, per_trillion % WHOLE);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Frequency {
    /// The share of late jobs, rounded up to a millionth.
    pub fn share(&self) -> String {
        const MILLION: u128 = 1_000_000;
        let share = (u128::from(self.late) * MILLION).div_ceil(u128::from(self.jobs).max(1));
        decimal(u64::try_from(share * MILLION).expect("at most the whole"))
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} jobs of history {}", self.late, self.jobs, self.pattern)
    }
}
