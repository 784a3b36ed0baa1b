//! What is not complete at the end of a run.
//!
//! All jobs of each source are reported in the order of arrival; where steps are limited
//! ([`Simulator::allow`]) and exhausted, only the oldest, which has the longest response.

use super::one_core::OneCore;
use crate::expiries::Timer;
use crate::job::{Job, Source};
use crate::observer::Observer;
use crate::task::TaskState;
use vorrang_time::Instant;

impl OneCore<'_> {
    /// Jobs that arrived before the horizon and are not complete; that of a task that polls never is.
    pub(super) fn report_unfinished(&mut self, horizon: Instant, observer: &mut impl Observer) {
        let polls = |task: usize| self.system.task(self.tree.tasks[task].id).polls;
        let ending: Vec<usize> = (0..self.tree.tasks.len()).filter(|&task| !polls(task)).collect();
        for task in ending {
            self.report_backlog(task, horizon, observer);
        }
        for interrupt in 0..self.tree.interrupts.len() {
            self.report_unhandled(interrupt, horizon, observer);
        }
        self.report_expired(horizon, observer);
    }

    /// The jobs of a task that are released, and those that have arrived.
    fn report_backlog(&mut self, task: usize, horizon: Instant, observer: &mut impl Observer) {
        let source = Source::Task(self.tree.tasks[task].id);
        // A history that ends in the middle of an instant may have released what arrives there.
        let has_arrived = |job: &Job| job.arrival < horizon;
        for live in self.tree.tasks[task].backlog.iter().filter(|live| has_arrived(&live.job)) {
            observer.unfinished(&live.job, horizon);
        }
        let mut is_first = self.tree.tasks[task].backlog.is_empty();
        while is_first || self.steps_left() > 0 {
            self.take_steps(1);
            is_first = false;
            let state = &mut self.tree.tasks[task];
            let counted = state.backlog.next_counted(source).map(|live| live.job);
            let job = counted.or_else(|| {
                let arrived = state.next.map(|plan| plan.job(source)).filter(has_arrived)?;
                state.next = state.jobs.next();
                Some(arrived)
            });
            let Some(job) = job.filter(has_arrived) else { return };
            observer.unfinished(&job, horizon);
        }
    }

    /// What timers would have released or delivered whose callbacks are not complete.
    fn report_expired(&mut self, horizon: Instant, observer: &mut impl Observer) {
        let Some(mut expiries) = self.expiries.take() else { return };
        for (timer, due) in expiries.under_way(horizon) {
            self.report_expiry(&expiries.timers[timer], due, horizon, observer);
        }
        for timer in 0..expiries.timers.len() {
            let mut is_first = true;
            while is_first || self.steps_left() > 0 {
                self.take_steps(1);
                is_first = false;
                let Some(due) = expiries.take_pending(timer, horizon) else { break };
                self.report_expiry(&expiries.timers[timer], due, horizon, observer);
            }
        }
        self.expiries = Some(expiries);
    }

    /// What one expiry would have released or delivered.
    fn report_expiry(
        &mut self,
        timer: &Timer,
        due: Instant,
        horizon: Instant,
        observer: &mut impl Observer,
    ) {
        let mut wakes = timer.wakes;
        if let Some(interrupt) = timer.delivers {
            let state = &mut self.tree.interrupts[interrupt];
            let plan = state.expire(due, horizon);
            observer.unfinished(&plan.job(Source::Interrupt(state.id)), horizon);
            wakes = state.wakes;
        }
        if let Some(task) = wakes {
            self.tree.tasks[task].report_unreleased(due, horizon, observer);
        }
    }

    /// The same of an interrupt, and of the jobs that it has not released yet.
    fn report_unhandled(
        &mut self,
        interrupt: usize,
        horizon: Instant,
        observer: &mut impl Observer,
    ) {
        let state = &mut self.tree.interrupts[interrupt];
        let wakes = state.wakes;
        let is_handling = |task: usize| self.tree.tasks[task].backlog.iter();
        let released =
            wakes.map_or(0, |task| is_handling(task).filter(|live| live.handles).count());
        let source = Source::Interrupt(state.id);
        let held = state.held.drain(..).map(|plan| plan.job(source));
        let known: Vec<Job> = state
            .unhandled
            .iter()
            .copied()
            .chain(held)
            .filter(|job| job.arrival < horizon)
            .collect();
        let mut place = 0;
        while place == 0 || place < known.len() || self.steps_left() > 0 {
            self.take_steps(1);
            let state = &mut self.tree.interrupts[interrupt];
            let next = known.get(place).copied().or_else(|| {
                let arrived = state.next.map(|plan| plan.job(source));
                let arrived = arrived.filter(|job| job.arrival < horizon)?;
                state.next = state.jobs.next();
                Some(arrived)
            });
            let Some(job) = next else { return };
            observer.unfinished(&job, horizon);
            if let Some(task) = wakes.filter(|_| place >= released) {
                self.tree.tasks[task].report_unreleased(job.arrival, horizon, observer);
            }
            place += 1;
        }
    }
}

impl TaskState {
    /// What releases a job that arrived then is not complete.
    fn report_unreleased(
        &mut self,
        arrival: Instant,
        horizon: Instant,
        observer: &mut impl Observer,
    ) {
        let (number, _) = self.jobs.draw();
        let source = Source::Task(self.id);
        observer.unfinished(&Job { source, number, arrival, release: horizon }, horizon);
    }
}
