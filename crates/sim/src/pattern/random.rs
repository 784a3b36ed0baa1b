//! Random histories: everything that may vary does, in a manner that is itself drawn.

use super::arrangement::{Arrangement, pseudo_vcpu_period};
use crate::choice::{Arrivals, Delay, Execution, Spacing};
use crate::history::{History, longest_overrun, longest_sections};
use crate::packets;
use crate::random::Random;
use crate::simulator::Simulator;
use vorrang_model::system::SupplyId;
use vorrang_time::{Duration, Instant};

/// The stream that arranges a history; entities have streams of their own, from zero on.
const STREAM: u64 = u64::MAX;

/// The history of this seed.
pub(crate) fn history(simulator: &Simulator, seed: u64) -> History {
    let mut random = Random::new(seed, STREAM);
    let mut arrangement = Arrangement::new(simulator);
    let manner = Manner::draw(&mut random);
    let at = arrangement.earliest();
    arrangement.release_all(at);
    let system = arrangement.system;
    for server in arrangement.servers() {
        let phase = random.below(arrangement.period_of(server));
        if !manner.aligned {
            arrangement.history.phases[server.0] = phase;
        }
        let longest = longest_overrun(system, server);
        if !longest.is_zero() {
            let by_chance = random.up_to(longest);
            let latest = random.once_in(2);
            arrangement.history.overruns[server.0] = if latest { longest } else { by_chance };
        }
    }
    for core in arrangement.cores.clone() {
        throttle(&manner, &mut random, &mut arrangement, core);
    }
    let longest = longest_sections(system, &arrangement.cores);
    if !longest.is_zero() && random.once_in(2) {
        let by_chance = random.up_to(longest);
        let is_longest = random.once_in(2);
        arrangement.history.sections = if is_longest { longest } else { by_chance };
    }
    for id in arrangement.tasks() {
        let period = system.task(id).cycle().1;
        let arrivals = &mut arrangement.history.tasks[id.0];
        manner.apply(&mut random, arrivals, period);
    }
    for id in arrangement.interrupts() {
        let period = system.interrupt(id).cycle().1;
        let arrivals = &mut arrangement.history.interrupts[id.0];
        manner.apply(&mut random, arrivals, period);
    }
    arrange_devices(&manner, &mut random, &mut arrangement);
    // Where nothing is drawn, this equals full execution, which has the shorter text.
    let is_drawn = system.tasks.iter().any(|task| !task.execution.is_empty());
    let execution = match manner.execution {
        Execution::Drawn if !is_drawn => Execution::Full,
        execution => execution,
    };
    History { seed, execution, ..arrangement.history }
}

/// When the timer of throttling of a core expires, and by how much throttling begins late.
fn throttle(manner: &Manner, random: &mut Random, arrangement: &mut Arrangement, core: SupplyId) {
    let Some(limit) = arrangement.system.supply(core).rt_throttling.limit() else { return };
    let phase = random.below(limit.period);
    if !manner.aligned {
        arrangement.history.phases[core.0] = phase;
    }
    if !limit.late.is_zero() {
        let by_chance = random.up_to(limit.late);
        let latest = random.once_in(2);
        arrangement.history.overruns[core.0] = if latest { limit.late } else { by_chance };
    }
}

/// The same for pseudo-VCPUs, timers and devices.
fn arrange_devices(manner: &Manner, random: &mut Random, arrangement: &mut Arrangement) {
    let system = arrangement.system;
    for id in arrangement.interrupts() {
        let Some(period) = pseudo_vcpu_period(system, id) else { continue };
        let phase = random.below(period);
        if !manner.aligned {
            arrangement.history.pseudo_vcpu_phases[id.0] = phase;
        }
    }
    for id in arrangement.timers() {
        let arrivals = &mut arrangement.history.timers[id.0];
        manner.apply(random, arrivals, system.timer(id).period);
        arrivals.delay = Delay::None;
    }
    for id in arrangement.devices() {
        let offset = random.below(packets::period(system.device(id)));
        if !manner.together {
            arrangement.history.devices[id.0] = Some(Instant::ZERO + offset);
        }
    }
}

/// What varies in one history.
struct Manner {
    /// All servers begin their periods together with the first releases.
    aligned: bool,
    /// All first arrivals as in the synchronous history.
    together: bool,
    /// Arrivals are further apart than they must be.
    sporadic: bool,
    /// How jitter is used, unless as in the synchronous history.
    delay: Option<Delay>,
    execution: Execution,
}

impl Manner {
    fn draw(random: &mut Random) -> Self {
        Self {
            aligned: random.once_in(4),
            together: random.once_in(3),
            sporadic: random.once_in(3),
            delay: random.once_in(2).then_some(Delay::Random),
            execution: if random.once_in(6) { Execution::Random } else { Execution::Drawn },
        }
    }

    fn apply(&self, random: &mut Random, arrivals: &mut Arrivals, period: Duration) {
        let offset = random.below(period);
        if !self.together {
            arrivals.first = Some(Instant::ZERO + offset);
        }
        if let Some(delay) = self.delay {
            arrivals.delay = delay;
        }
        if self.sporadic {
            // From nearly periodic to twice the least distance on average.
            let up_to = Duration::from_ns(period.as_ns() >> random.uniform(0, 5));
            arrivals.spacing = Spacing::Random { up_to };
        }
    }
}
