//! One history after the other on one core, each with its own horizon.

use crate::account::{Account, HistoryKind};
use crate::history::History;
use crate::observations::{Observations, Recorder};
use crate::observer::Observer;
use crate::own::Own;
use crate::pattern::{Form, Pattern};
use crate::simulator::{End, Simulator};
use std::sync::Arc;
use vorrang_model::system::{SupplyId, System};
use vorrang_time::{Duration, Instant};

/// How many jobs and replenishments the synchronous history of a core may take: a miss after some seconds
/// must be found, and this takes well under a tenth of a second.
pub const SYNCHRONOUS_JOBS: u64 = 300_000;

/// This many steps of a climb cost about as much as any other history: they end at the completion of the job
/// that they concern.
pub(crate) const STEPS_PER_RUN: u64 = 8;

/// About how many jobs are run in a history.
#[derive(Clone, Copy)]
pub(crate) struct Jobs {
    pub(crate) each: u64,
    pub(crate) synchronous: u64,
}

/// A core on which histories are tried one after the other.
pub(crate) struct Trial<'t, 's, O> {
    pub(crate) simulator: &'t mut Simulator<'s>,
    pub(crate) observer: &'t mut O,
    pub(crate) recorder: Recorder,
    /// What is on the cores.
    own: Arc<Own>,
    /// The longest horizon of any history.
    horizon: Duration,
    /// The approximate number of jobs in the synchronous history.
    synchronous: u64,
    /// The approximate number of jobs in any other history.
    each: u64,
}

impl<'t, 's, O: Observer> Trial<'t, 's, O> {
    /// `each`: about how many jobs a run may take.
    pub(crate) fn new(
        simulator: &'t mut Simulator<'s>,
        observer: &'t mut O,
        horizon: Duration,
        jobs: Jobs,
    ) -> Self {
        Self {
            recorder: Recorder::new(simulator.system()),
            own: Arc::clone(simulator.own()),
            horizon,
            synchronous: jobs.synchronous.min(SYNCHRONOUS_JOBS),
            each: jobs.each.min(SYNCHRONOUS_JOBS),
            simulator,
            observer,
        }
    }

    /// The horizon of a history.
    pub(crate) fn length(&self, history: &History) -> Duration {
        self.time_of(history, self.each)
    }

    fn time_of(&self, history: &History, jobs: u64) -> Duration {
        self.own.time_of(self.simulator.system(), history, jobs).min(self.horizon)
    }

    /// Runs a history, as far as the account allows.
    pub(crate) fn run(
        &mut self,
        form: &Form,
        observations: &mut Observations,
        account: &mut Account,
    ) {
        let kind = HistoryKind::of(form);
        let share = account.share(kind, STEPS_PER_RUN);
        self.simulator.allow(share);
        let end = self.run_within(form, observations);
        account.pay(share - self.simulator.steps_left());
        let is_cut = end.is_some_and(End::is_early);
        account.note(kind, 1, u64::from(end.is_none()), u64::from(is_cut));
        let core = self.simulator.core();
        *observations.runs.entry(core).or_default() += u64::from(end.is_some());
    }

    /// How the history ended; `None`: it could not begin with the remaining steps.
    fn run_within(&mut self, form: &Form, observations: &mut Observations) -> Option<End> {
        let history = form.history(self.simulator);
        if self.simulator.steps_left() == 0 {
            // The instants that it needs may not have been found.
            return None;
        }
        let length = match form {
            Form::Synchronous => self.time_of(&history, self.synchronous),
            _ => self.length(&history),
        };
        let end = self.observe(&history, length);
        let system = self.simulator.system();
        let counting = form.counting(system);
        let counts = |source| counting.counts(system, source);
        observations.merge(&self.recorder, counts, || Pattern::new(system, form.clone()));
        Some(end)
    }

    /// Runs a history for this long from its first arrival on (if that is not further away than the length
    /// itself); the observations are in the recorder.
    pub(crate) fn observe(&mut self, history: &History, length: Duration) -> End {
        let first =
            self.own.first_arrival(self.simulator.system(), history).unwrap_or(Instant::ZERO);
        self.recorder.clear();
        let horizon = first.min(Instant::ZERO + length) + length;
        let mut observers = (&mut self.recorder, &mut *self.observer);
        self.simulator.run_together(history, horizon, &mut observers)
    }
}

/// The time in which about this many arrivals, replenishments and turns of a history occur on a core, and on those that
/// paths connect to it.
pub fn time_of(system: &System, core: SupplyId, history: &History, jobs: u64) -> Duration {
    Own::of(system, &system.connected(core)).time_of(system, history, jobs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_model::system::{Member, Scheduler, Server, ServerRule, Share, Supply, SupplyKind};

    /// A core without tasks, with one server on it.
    fn system(core: Supply, kind: SupplyKind) -> System {
        let server = Supply { kind, ..Supply::default() };
        let core = Supply { members: vec![Member::Server(SupplyId(1))], ..core };
        System { supplies: vec![core, server], ..System::default() }
    }

    #[test]
    fn turns_and_soft_budgets_are_counted_like_jobs() {
        let us = Duration::from_us;
        let quantum = Supply { scheduler: Scheduler::Vtrr, quantum: us(2), ..Supply::default() };
        let share = SupplyKind::Share(Share { on: SupplyId(0), weight: 1 });
        let soft = ServerRule::CbsSoft;
        let soft = Server { rule: soft, budget: us(1), period: us(100), ..Server::default() };
        let soft = SupplyKind::Server(soft);
        for (core, server, time) in
            [(quantum, share, us(2_000)), (Supply::default(), soft, us(1_000))]
        {
            let system = system(core, server);
            let found = time_of(&system, SupplyId(0), &History::quiet(&system), 1_000);
            assert_eq!(found.as_ns() / 1_000, time.as_ns() / 1_000);
        }
    }
}
