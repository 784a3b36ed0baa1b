//! How long interrupts of a guest take in the simulator, until they are handled, and jobs of tasks.

use vorrang_model::system::{InterruptId, SupplyId, System, TaskId};
use vorrang_sim::{Arrivals, History, Job, Observer, Source, Spacing, simulate};
use vorrang_time::{Duration, Instant};

/// The longest of an interrupt that comes up to `spread` later than it may, where everything else comes as often as it may;
/// in nanoseconds.
pub(crate) fn simulated(
    system: &System,
    of: InterruptId,
    (spread, length): (Duration, Duration),
) -> u64 {
    let mut history = often(system);
    history.interrupts[of.0].spacing = Spacing::Random { up_to: spread };
    longest(system, &history, Source::Interrupt(of), length)
}

/// The longest response of a task, where everything comes as often as it may; in nanoseconds.
pub(crate) fn simulated_task(system: &System, of: TaskId, length: Duration) -> u64 {
    longest(system, &often(system), Source::Task(of), length)
}

/// Everything comes as often as it may.
fn often(system: &System) -> History {
    let mut history = History::quiet(system);
    let often = Arrivals { first: Some(Instant::ZERO), ..Arrivals::NEVER };
    history.seed = 1;
    history.tasks.fill(often);
    history.interrupts.fill(often);
    history.timers.fill(often);
    history
}

fn longest(system: &System, history: &History, of: Source, length: Duration) -> u64 {
    let mut watch = Watch { of, longest: Duration::ZERO };
    let core = system.cores().next().unwrap_or(SupplyId(0));
    simulate(system, core, history, Instant::ZERO + length, &mut watch).expect("it is covered");
    watch.longest.as_ns()
}

struct Watch {
    of: Source,
    longest: Duration,
}

impl Observer for Watch {
    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == self.of {
            self.longest = self.longest.max(at - job.arrival);
        }
    }
}
