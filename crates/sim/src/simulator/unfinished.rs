//! What is not complete at the end of a run.

use super::Simulator;
use crate::observer::{Job, Observer, Source};
use crate::task::TaskState;
use vorrang_time::Instant;

impl Simulator<'_> {
    /// Jobs that arrived before the horizon and are not complete, each source's in order.
    pub(super) fn report_unfinished(&mut self, horizon: Instant, observer: &mut impl Observer) {
        for state in &mut self.tree.tasks {
            for live in &state.backlog {
                observer.unfinished(&live.job, horizon);
            }
            while let Some(plan) = state.next.filter(|plan| plan.arrival < horizon) {
                observer.unfinished(&plan.job(Source::Task(state.id)), horizon);
                state.next = state.jobs.next();
            }
        }
        let expiries = self.expiries.as_mut();
        for (task, arrival) in expiries.map_or(Vec::new(), |own| own.take_pending(horizon)) {
            self.tree.tasks[task].report_unreleased(arrival, horizon, observer);
        }
        for interrupt in 0..self.tree.interrupts.len() {
            self.report_unhandled(interrupt, horizon, observer);
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
        let held = state.held.drain(..).map(|plan| plan.job(Source::Interrupt(state.id)));
        state.unhandled.extend(held);
        while let Some(plan) = state.next.filter(|plan| plan.arrival < horizon) {
            state.unhandled.push_back(plan.job(Source::Interrupt(state.id)));
            state.next = state.jobs.next();
        }
        let task = state.wakes.map(|task| &mut self.tree.tasks[task]);
        let released =
            task.as_ref().map_or(0, |task| task.backlog.iter().filter(|live| live.handles).count());
        for job in &state.unhandled {
            observer.unfinished(job, horizon);
        }
        if let Some(task) = task {
            for job in state.unhandled.iter().skip(released) {
                task.report_unreleased(job.arrival, horizon, observer);
            }
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
