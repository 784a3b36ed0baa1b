//! Wake-ups: what the end of a job releases, on the same core or on another one.
//!
//! **Model.** A wake-up takes no time of its own: it is a release in step 4 of the instant at which the job ends. Where
//! a job is to be released is a value, so that one rule serves all cores.

use super::Simulator;
use super::one_core::OneCore;
use crate::job::Wake;
use crate::observer::Observer;
use vorrang_time::Instant;

impl OneCore<'_> {
    /// Notes what the end of a job of a task wakes.
    #[inline]
    pub(super) fn note_wakes(&mut self, task: usize, arrival: Instant) {
        let wakes = self.tree.tasks[task].wakes.iter();
        self.wakes.extend(wakes.map(|&to| Wake { to, arrival }));
    }

    /// A job of a task is released in step 4 of this instant, as all others are.
    fn wake(&mut self, task: usize, arrival: Instant, now: Instant) {
        self.tree.tasks[task].woken = Some(arrival);
        self.timers.set(self.entities.tasks + task, now);
    }
}

impl Simulator<'_> {
    /// What the jobs wake that have ended on a core at this instant.
    #[cold]
    pub(super) fn wake(&mut self, place: usize, now: Instant, observer: &mut impl Observer) {
        let mut wakes = core::mem::take(&mut self.cores[place].wakes);
        for Wake { to, arrival } in wakes.drain(..) {
            let core = self.turn_to(to.core, observer);
            core.go_to(now, observer);
            core.wake(to.task, arrival, now);
        }
        self.cores[place].wakes = wakes;
    }
}
