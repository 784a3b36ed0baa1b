//! The share of jobs that violate a requirement with a probability in a long random history.

use crate::chance::{Chance, Frequency};
use crate::patience::Patience;
use crate::reason::coded;
use crate::watch::Shares;
use vorrang_analysis::Bounds;
use vorrang_model::System;
use vorrang_model::system::Requirement;
use vorrang_sim::Pattern;
use vorrang_time::{Duration, Instant};

/// Jobs of the task that are followed, if that is not too much work.
const JOBS: u64 = 100_000;

/// Jobs and replenishments of the core that are followed at most.
const WORK: u64 = 500_000;

/// Steps of the simulator for all requirements with a probability together, where that guess is
/// wrong: some tenths of a second.
const STEPS: u64 = 4_000_000;

/// What is known about the requirement at this place; `None` if every job must keep it.
pub fn chance(
    system: &System,
    bounds: &Bounds,
    place: usize,
    seed: u64,
    is_end_wanted: fn() -> bool,
) -> Option<Chance> {
    let requirement = &system.requirements[place];
    let required = requirement.probability?;
    let found = bounds.chance(system, requirement);
    let later = found.found.as_ref().map(|proof| proof.bound).map_err(coded);
    let shown = seen(system, place, seed, is_end_wanted);
    Some(Chance { required, later, seen: shown })
}

/// The result of a long random history.
fn seen(
    system: &System,
    place: usize,
    seed: u64,
    is_end_wanted: fn() -> bool,
) -> Option<Frequency> {
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
    simulator.run(&history, horizon, &mut (&mut shares, Patience(is_end_wanted)));
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
