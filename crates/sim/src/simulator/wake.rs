//! Wake-ups: what the end of a job releases, and the end of a routine requests, on the same core or on another one.
//!
//! **Model.** A wake-up takes no time of its own: it is a release, or a request, in step 4 of the instant of the end.
//! Where that is to happen is a value, so that one rule serves all cores. A job that several tasks wake is released when
//! the last of their jobs is complete.

use super::Simulator;
use super::one_core::OneCore;
use crate::job::{OnCore, Wake};
use crate::observer::Observer;
use vorrang_time::Instant;

impl OneCore<'_> {
    /// Notes what the end of a job of a task wakes.
    #[inline]
    pub(super) fn note_wakes(&mut self, task: usize, arrival: Instant) {
        let wakes = self.tree.tasks[task].wakes.iter();
        self.wakes.extend(wakes.map(|&to| Wake { to, arrival }));
    }

    /// Notes the kick that follows the end of the routine of an interrupt.
    #[inline]
    pub(super) fn note_kick(&mut self, interrupt: usize, arrival: Instant) {
        let kick = self.tree.interrupts[interrupt].kick;
        self.wakes.extend(kick.map(|to| Wake { to, arrival }));
    }

    /// A job is released, or an interrupt requested, in step 4 of this instant, as all others are.
    fn wake(&mut self, what: OnCore, arrival: Instant, now: Instant) {
        match what {
            OnCore::Task(task) => self.release_at(task, arrival, now),
            OnCore::Joined(task, by) => {
                if self.tree.tasks[task].is_last(by) {
                    self.release_at(task, arrival, now);
                }
            }
            OnCore::Interrupt(interrupt) => {
                self.tree.interrupts[interrupt].raise(arrival);
                self.timers.set(self.entities.interrupts + interrupt, now);
            }
        }
    }

    fn release_at(&mut self, task: usize, arrival: Instant, now: Instant) {
        self.tree.tasks[task].woken = Some(arrival);
        self.timers.set(self.entities.tasks + task, now);
    }
}

impl Simulator<'_> {
    /// What follows from the ends of jobs and routines on a core at this instant.
    #[cold]
    pub(super) fn wake(&mut self, place: usize, now: Instant, observer: &mut impl Observer) {
        let mut wakes = core::mem::take(&mut self.cores[place].wakes);
        for Wake { to, arrival } in wakes.drain(..) {
            let core = self.turn_to(to.core, observer);
            core.go_to(now, observer);
            core.wake(to.on_core, arrival, now);
        }
        self.cores[place].wakes = wakes;
    }
}
