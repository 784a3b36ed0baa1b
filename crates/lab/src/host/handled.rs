//! How long interrupts of a guest take in the simulator, until they are handled.

use vorrang_model::system::{InterruptId, SupplyId, System};
use vorrang_sim::{Arrivals, History, Job, Observer, Source, Spacing, simulate};
use vorrang_time::{Duration, Instant};

/// The longest of an interrupt that comes up to `spread` later than it may, where everything else comes as often as it may;
/// in nanoseconds.
pub(crate) fn simulated(
    system: &System,
    of: InterruptId,
    (spread, length): (Duration, Duration),
) -> u64 {
    let mut history = History::quiet(system);
    let often = Arrivals { first: Some(Instant::ZERO), ..Arrivals::NEVER };
    history.seed = 1;
    history.tasks.fill(often);
    history.interrupts.fill(often);
    history.interrupts[of.0].spacing = Spacing::Random { up_to: spread };
    let mut watch = Watch { of, longest: Duration::ZERO };
    let core = system.cores().next().unwrap_or(SupplyId(0));
    simulate(system, core, &history, Instant::ZERO + length, &mut watch).expect("it is covered");
    watch.longest.as_ns()
}

struct Watch {
    of: InterruptId,
    longest: Duration,
}

impl Observer for Watch {
    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == Source::Interrupt(self.of) {
            self.longest = self.longest.max(at - job.arrival);
        }
    }
}
