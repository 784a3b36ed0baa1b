//! Arrivals in bursts: systems that are drawn already, with distances of several arrivals.

use crate::random::Random;
use vorrang_model::system::{Activation, Distances, System};
use vorrang_time::Duration;

/// The stream of bursts, away from those of systems.
const STREAM: u64 = 1 << 40;

/// Half of what arrives by itself comes in bursts, as often in the long run as it did before.
pub(super) fn bursts(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
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
        let drawn = distances(&mut random, interrupt.min_interarrival);
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
        let drawn = distances(&mut random, task.min_interarrival);
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
