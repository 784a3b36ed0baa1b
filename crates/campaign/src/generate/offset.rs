//! Tasks that arrive by the clock: systems that are drawn already, with offsets.

use crate::random::Random;
use vorrang_model::system::{Activation, System, TaskId};
use vorrang_time::Duration;

/// The stream of offsets, away from those of systems and of what else is drawn afterwards.
const STREAM: u64 = 1 << 44;

/// How many times longer than the shortest period others may be: with these all come together again soon.
const TIMES: [u64; 7] = [1, 2, 3, 4, 6, 8, 12];

/// All or half of what arrives by itself does so by the clock, with longer periods where those had no small multiple in
/// common.
pub(super) fn offsets(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
    let (all, of) = random.one_of(&[(1, 1), (3, 4), (1, 2)]);
    let mut chosen = Vec::new();
    for id in system.task_ids() {
        let task = system.task(id);
        let is_plain = task.activation == Activation::Sporadic
            && task.distances.is_none()
            && !task.polls
            && !system.is_other(id);
        if is_plain && random.chance(all, of) {
            chosen.push(id);
        }
    }
    let periods = chosen.iter().map(|&id| system.task(id).min_interarrival.as_ns());
    let Some(shortest) = periods.min() else { return };
    for TaskId(id) in chosen {
        let task = &mut system.tasks[id];
        let own = task.min_interarrival.as_ns();
        let Some(times) = TIMES.into_iter().find(|times| shortest * times >= own) else { continue };
        let period = Duration::from_ns(shortest * times);
        let offset = Duration::from_ns(random.below(2 * period.as_ns()));
        (task.min_interarrival, task.latest_interarrival) = (period, Some(period));
        task.offset = Some(if random.chance(1, 6) { Duration::ZERO } else { offset });
    }
    for id in system.task_ids() {
        if system.task(id).activation.is_by_tasks() {
            let root = system.root_of(id);
            system.tasks[id.0].min_interarrival = system.task(root).min_interarrival;
        }
    }
}
