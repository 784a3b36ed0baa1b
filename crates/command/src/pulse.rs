//! The progress of a run, and its interruption.

use crate::interruption;
use std::sync::atomic::{AtomicU64, Ordering};
use vorrang_sim::{Job, Observer, Running};
use vorrang_time::{Duration, Instant};

/// The progress of the run of one core, read by another thread.
#[derive(Debug, Default)]
pub struct Pulse {
    until_ns: AtomicU64,
    jobs: AtomicU64,
}

impl Pulse {
    /// The time that is simulated, and the jobs that completed in it.
    pub fn read(&self) -> (Duration, u64) {
        let until = Duration::from_ns(self.until_ns.load(Ordering::Relaxed));
        (until, self.jobs.load(Ordering::Relaxed))
    }

    /// Updates the pulse of a run.
    pub fn observer(&self) -> Beat<'_> {
        Beat { pulse: self, jobs: 0 }
    }
}

/// Updates the pulse of a run, and ends the run at an interruption.
pub struct Beat<'p> {
    pulse: &'p Pulse,
    jobs: u64,
}

impl Observer for Beat<'_> {
    #[inline]
    fn ran(&mut self, _from: Instant, to: Instant, _what: Running) {
        self.pulse.until_ns.store(to.as_ns(), Ordering::Relaxed);
    }

    #[inline]
    fn completed(&mut self, _job: &Job, _at: Instant) {
        self.jobs += 1;
        self.pulse.jobs.store(self.jobs, Ordering::Relaxed);
    }

    #[inline]
    fn has_seen_enough(&self) -> bool {
        interruption::is_wanted()
    }
}
