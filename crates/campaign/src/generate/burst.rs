//! Arrivals in bursts: systems that are drawn already, with distances of several arrivals.

use crate::random::Random;
use vorrang_model::limits;
use vorrang_model::system::{Activation, Distance, Distances, System};
use vorrang_time::Duration;

/// The stream of bursts, away from those of systems.
const STREAM: u64 = 1 << 40;
/// That of distances of later arrivals, away from all others.
const LATER: u64 = 1 << 45;

/// How the distances of what arrives every so often are drawn.
type Draw = fn(&mut Random, Duration) -> Distances;

/// Half of what arrives by itself comes in bursts, as often in the long run as it did before.
pub(super) fn bursts(seed: u64, index: u64, system: &mut System) {
    some(&mut Random::new(seed, STREAM + index), system, distances);
}

/// Half of what arrives by itself has distances of its first arrivals and of a few later ones, up to the last that may be stated.
pub(super) fn later(seed: u64, index: u64, system: &mut System) {
    some(&mut Random::new(seed, LATER + index), system, distances_of_later);
}

/// Half of what arrives by itself.
fn some(random: &mut Random, system: &mut System, draw: Draw) {
    let of_devices: Vec<usize> = system.devices.iter().map(|device| device.interrupt.0).collect();
    for id in 0..system.interrupts.len() {
        let interrupt = &mut system.interrupts[id];
        // Chains ask for a longest distance, which may be less than a gap between bursts.
        let of_chain =
            interrupt.wakes.is_some_and(|id| system.tasks[id.0].latest_interarrival.is_some());
        let by_itself = interrupt.timer.is_none() && !of_devices.contains(&id) && !of_chain;
        if !by_itself || interrupt.storm.is_some() || !random.chance(1, 2) {
            continue;
        }
        let drawn = draw(random, interrupt.min_interarrival);
        interrupt.min_interarrival = drawn.stated()[0].least;
        interrupt.distances = Some(drawn.clone());
        if let Some(task) = interrupt.wakes {
            system.tasks[task.0].min_interarrival = drawn.stated()[0].least;
            system.tasks[task.0].distances = Some(drawn);
        }
    }
    for id in system.task_ids() {
        let other = system.is_other(id) || system.task(id).latest_interarrival.is_some();
        let task = &mut system.tasks[id.0];
        if other || task.activation != Activation::Sporadic || !random.chance(1, 2) {
            continue;
        }
        let drawn = draw(random, task.min_interarrival);
        task.min_interarrival = drawn.stated()[0].least;
        task.distances = Some(drawn);
    }
}

/// Two to six arrivals take as long as they did, however close some of them are.
fn distances(random: &mut Random, period: Duration) -> Distances {
    let count = random.between(2, 6);
    let mut stated = Vec::new();
    let mut so_far = 0;
    for steps in 1..count {
        let even = period.as_ns() * steps;
        let gap = if random.chance(1, 3) { 1 } else { random.between(1, period.as_ns()) };
        so_far = (so_far + gap).min(even);
        stated.push(Duration::from_ns(so_far));
    }
    stated.push(period * count);
    Distances::of(&stated).expect("above zero, and few")
}

/// The first one to four, and one to three of later arrivals; the last takes as long as it did. Those before it take less by no
/// more than some periods, so that what is bunched can still be served.
fn distances_of_later(random: &mut Random, period: Duration) -> Distances {
    let farthest = (Duration::MAX_STATED.as_ns() / period.as_ns()).min(limits::DISTANCE as u64);
    let early = random.between(1, 4 * period.as_ns());
    let (mut all, mut so_far) = (Vec::new(), 1);
    let mut state = |steps: u64, early: u64| {
        so_far = (period.as_ns() * steps).saturating_sub(early).max(so_far);
        let steps = usize::try_from(steps).expect("a few thousand");
        all.push(Distance { steps, least: Duration::from_ns(so_far) });
    };
    let mut steps = random.between(1, 4);
    (1..=steps).for_each(|first| state(first, early));
    for left in (0..random.between(1, 3)).rev() {
        // Mostly a few arrivals later, at times thousands.
        let most = if random.chance(1, 4) { farthest } else { farthest.min(steps + 8) };
        if steps + 2 > most {
            break;
        }
        steps = random.log_uniform(steps + 2, most);
        state(steps, if left == 0 { 0 } else { random.between(0, early) });
    }
    Distances::some(&all).expect("above zero, and few")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also of what arrives so seldom that few may be stated.
    #[test]
    fn distances_of_later_arrivals_can_be_stated() {
        let seldom = Duration::from_ns(Duration::MAX_STATED.as_ns() / 5);
        for (period, stream) in [(seldom, 0), (Duration::from_ms(1), 1)] {
            let mut random = Random::new(48, stream);
            let all: Vec<_> =
                (0..20_000).map(|_| distances_of_later(&mut random, period)).collect();
            assert!(all.iter().all(|own| own.farthest() <= limits::DISTANCE));
            let farthest = all.iter().map(Distances::farthest).max();
            assert!(period == seldom || farthest > Some(limits::DISTANCE / 2), "{farthest:?}");
        }
    }
}
