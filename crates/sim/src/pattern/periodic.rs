//! Strict periods from random first arrivals: nominal behaviour of a machine.
//!
//! Every source arrives exactly as often as it may, first at a random instant below its period; servers have
//! random phases; jobs execute for a random time from the shortest to the longest; no jitter is used. For
//! distributions of response times rather than for worst cases.

use super::arrangement::{Arrangement, pseudo_vcpu_period};
use crate::choice::{Arrivals, Execution};
use crate::history::History;
use crate::packets;
use crate::random::Random;
use crate::simulator::Simulator;
use vorrang_time::{Duration, Instant};

/// The stream that arranges a history; entities have streams of their own, from zero on.
const STREAM: u64 = u64::MAX - 1;

/// The history of this seed.
pub(crate) fn history(simulator: &Simulator, seed: u64) -> History {
    let mut random = Random::new(seed, STREAM);
    let Arrangement { system, mut history, .. } = Arrangement::new(simulator);
    let arrangement = Arrangement::new(simulator);
    let mut first = |period: Duration| Instant::ZERO + random.below(period);
    for id in arrangement.servers() {
        history.phases[id.0] = first(arrangement.period_of(id)) - Instant::ZERO;
    }
    for &core in &arrangement.cores {
        if let Some(limit) = system.supply(core).rt_throttling.limit() {
            history.phases[core.0] = first(limit.period) - Instant::ZERO;
        }
    }
    for id in arrangement.tasks() {
        history.tasks[id.0] = Arrivals::from(first(system.task(id).cycle().1));
    }
    for id in arrangement.interrupts() {
        history.interrupts[id.0] = Arrivals::from(first(system.interrupt(id).cycle().1));
        if let Some(period) = pseudo_vcpu_period(system, id) {
            history.pseudo_vcpu_phases[id.0] = first(period) - Instant::ZERO;
        }
    }
    for id in arrangement.timers() {
        history.timers[id.0] = Arrivals::from(first(system.timer(id).period));
    }
    for id in arrangement.devices() {
        history.devices[id.0] = Some(first(packets::period(system.device(id))));
    }
    History { seed, execution: Execution::Random, ..history }
}
