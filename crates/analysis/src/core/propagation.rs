//! Each event on its way: requested at the core, after the routine of the core, after that of the guest, a job.
//!
//! ```text
//!   at the core ── routine of the core ── after it ── routine of the guest ── after that
//! ```
//!
//! **Model.** What follows something comes as often as it, up to the longest response time of what is between them
//! later: the jitter grows, the least distance stays (Tindell, Clark 1994).
//!
//! **Assumptions.** 1. What is between has a bound; where it has none, what follows has the reason instead of
//! arrivals. 2. A core is known before what is in its guests, each supply before what is in it.
//!
//! Theory: docs/theory/propagation.md.

use super::release::{Delay, expiries, jobs};
use crate::arrival::Arrivals;
use crate::demand::Load;
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::delivered_to;
use crate::overhead::{SchedulingEvent, Timers};
use crate::request::Card;
use crate::request::{Requests, routine_in_guest};
use vorrang_model::system::{Activation, InterruptId, SupplyId, System, TaskId, TimerId};
use vorrang_time::Duration;

/// What is known of an interrupt on its way. What follows a routine has no bound ([`Reason::Interrupted`]) before the
/// routine has been looked at; a posted one has none on its core.
#[derive(Clone, Debug)]
pub(crate) struct Stages<'s> {
    pub(crate) at_core: Requests<'s>,
    pub(crate) after_core: Result<Requests<'s>, Reason>,
    pub(crate) after_guest: Result<Requests<'s>, Reason>,
    /// The longest time from an arrival to the end of its routine in the guest, without what a pseudo-VCPU
    /// gives; where something of the guest may storm or wait for ever, none is claimed.
    pub(crate) in_guest: Option<Duration>,
}

impl Stages<'_> {
    /// Whether what follows the routine in the guest comes no later by these.
    pub(crate) fn is_sooner_than(&self, other: &Self) -> bool {
        let jitter = |stages: &Self| {
            let after = stages.after_guest.as_ref().ok()?;
            Some((after.calm.arrivals.jitter, after.storm.arrivals.jitter))
        };
        let in_guest = |stages: &Self| stages.in_guest.unwrap_or(Duration::MAX);
        match (jitter(self), jitter(other)) {
            (Some(own), Some(other_one)) => {
                own.0 <= other_one.0 && own.1 <= other_one.1 && in_guest(self) <= in_guest(other)
            }
            (own, None) => own.is_some() && in_guest(self) <= in_guest(other),
            (None, Some(_)) => false,
        }
    }
}

/// What callbacks deliver to a guest.
fn called_back<'s>(
    system: &'s System,
    (id, timer): (InterruptId, TimerId),
    timers: &Timers<'_>,
) -> Requests<'s> {
    Requests::always(expiries(system, timer, timers)).let_through(system, id)
}

/// What is known of how often things happen in a system.
#[derive(Clone, Debug)]
pub(crate) struct Propagation<'s> {
    pub(crate) system: &'s System,
    /// By interrupt.
    pub(crate) stages: Vec<Stages<'s>>,
    /// By task: its jobs, if no interrupt wakes it.
    pub(crate) jobs: Vec<Load<'s>>,
    /// By device: how late its packets are taken to be for the receiver.
    pub(crate) delays: Vec<Delay>,
}

impl<'s> Propagation<'s> {
    /// Before anything is looked at, with packets so late.
    pub(crate) fn new(system: &'s System, delays: Vec<Delay>) -> Self {
        let stages = |id| {
            let at_core = Requests::at_core(system, id);
            let is_posted = system.interrupt(id).posted;
            Stages {
                at_core,
                after_core: if is_posted { Ok(at_core) } else { Err(Reason::Interrupted) },
                after_guest: Err(Reason::Interrupted),
                in_guest: None,
            }
        };
        let stages = system.interrupt_ids().map(stages).collect();
        let jobs = system.tasks.iter().enumerate();
        let jobs = jobs.map(|(place, task)| Load::of_task(TaskId(place), task)).collect();
        Self { system, stages, jobs, delays }
    }

    /// The requests of a core's routines.
    pub(crate) fn requested_at_core(&self, ids: &[InterruptId]) -> Vec<Requests<'s>> {
        ids.iter().map(|id| self.stages[id.0].at_core).collect()
    }

    /// From now on the tasks of a core are released as late as its timers are handled.
    pub(crate) fn release(&mut self, core: SupplyId, timers: &Timers<'_>) {
        let system = self.system;
        for id in (0..system.tasks.len()).map(TaskId) {
            if system.core_of(system.task(id).on) == core {
                self.jobs[id.0] = jobs(system, id, timers, &self.delays);
            }
        }
        // Guests take the timers of their tasks when the callback ends, which stands for the routine of the core.
        for id in system.interrupts_of(core) {
            let Some(timer) = system.interrupt(id).timer else { continue };
            let ends = called_back(system, (id, timer), timers);
            let stages = &mut self.stages[id.0];
            (stages.at_core, stages.after_core) = (ends, Ok(ends));
        }
    }

    /// How often something makes a member of the core ready, in windows that begin when no routine
    /// is requested; in any window, if the routines are `known`.
    ///
    /// # Errors
    /// In any window: why nothing bounds the end of the routine that it follows.
    pub(crate) fn often(
        &self,
        event: SchedulingEvent,
        timers: &Timers<'_>,
        known: bool,
    ) -> Result<Arrivals<'s>, Reason> {
        let interrupt = match event {
            SchedulingEvent::Delivery(id) => id,
            SchedulingEvent::Release(task) => match self.system.task(task).activation {
                Activation::Interrupt(id) if Card::raising(self.system, id).is_none() => id,
                Activation::Interrupt(_) | Activation::Device(_) => {
                    return self.jobs_of_packets(task, timers, known);
                }
                _ => return Ok(jobs(self.system, task, timers, &self.delays).arrivals),
            },
        };
        if let Some(timer) = self.system.interrupt(interrupt).timer {
            return Ok(called_back(self.system, (interrupt, timer), timers).storm.arrivals);
        }
        Ok(self.requested_or_ended(interrupt, known)?.storm.arrivals)
    }

    /// The requests of an interrupt at its core, or what follows the ends of its routine there, if that is `known`.
    fn requested_or_ended(&self, id: InterruptId, known: bool) -> Result<Requests<'s>, Reason> {
        let Stages { at_core, after_core, .. } = &self.stages[id.0];
        if known { after_core.clone() } else { Ok(*at_core) }
    }

    /// What is requested in a guest, by the interrupts that are delivered to it.
    pub(crate) fn requests_in_guest(
        &self,
        vcpu: SupplyId,
    ) -> Result<(Vec<InterruptId>, Vec<Requests<'s>>), Reason> {
        let ids = delivered_to(self.system, vcpu);
        let requests: Result<Vec<_>, _> = ids.iter().map(|&id| self.in_guest(id)).collect();
        Ok((ids, requests?))
    }

    /// The requests of the routine of an interrupt in its guest.
    pub(crate) fn in_guest(&self, id: InterruptId) -> Result<Requests<'s>, Reason> {
        let system = self.system;
        let requests = self.stages[id.0].after_core.clone()?;
        Ok(requests.of(Source::Interrupt(id), routine_in_guest(system, id)))
    }

    /// When the jobs of a member of a supply that something wakes are released; `None`: nothing
    /// wakes it.
    pub(crate) fn woken(
        &self,
        task: TaskId,
    ) -> Option<Result<(InterruptId, Requests<'s>), Reason>> {
        let system = self.system;
        let own = system.task(task);
        let Activation::Interrupt(id) = own.activation else { return None };
        let Stages { at_core, after_core, after_guest, .. } = &self.stages[id.0];
        let interrupt = system.interrupt(id);
        let last = interrupt.delivery.as_ref().map_or(interrupt.on, |delivery| delivery.vcpu);
        let requests = match (&interrupt.delivery, own.on == last) {
            (None, true) => Ok(*at_core),
            (None, false) | (Some(_), true) => after_core.clone(),
            (Some(_), false) => after_guest.clone(),
        };
        Some(requests.map(|requests| {
            let jobs = requests.of(Source::Task(task), own.wcet);
            (id, self.polled(task, jobs))
        }))
    }

    /// What a task takes that the guest's routine of an interrupt wakes, in windows that begin when neither is waiting.
    pub(super) fn woken_after_core(
        &self,
        task: TaskId,
        id: InterruptId,
    ) -> Result<Load<'s>, Reason> {
        let requests = self.stages[id.0].after_core.clone()?;
        Ok(self.polled(task, requests.of(Source::Task(task), self.system.task(task).wcet)).storm)
    }

    /// What a task takes that an interrupt wakes: if it polls a card, the packets, too.
    fn polled(&self, task: TaskId, jobs: Requests<'s>) -> Requests<'s> {
        let Some(card) = Card::polled_by(self.system, task) else { return jobs };
        let polling = |load| card.polling(self.system, load);
        Requests { calm: polling(jobs.calm), storm: polling(jobs.storm), ..jobs }
    }

    /// Jobs that one occurrence of the load of a task stands for.
    pub(crate) fn jobs_at_once(&self, task: TaskId) -> u64 {
        let polled = Card::polled_by(self.system, task).map(|card| card.rounds());
        let read = || Card::read_by(self.system, task).map(|card| card.traffic.at_once());
        polled.or_else(read).unwrap_or(1)
    }

    /// The jobs of a task that takes packets, one by one.
    fn jobs_of_packets(
        &self,
        task: TaskId,
        timers: &Timers<'_>,
        known: bool,
    ) -> Result<Arrivals<'s>, Reason> {
        let all = match self.system.task(task).activation {
            Activation::Interrupt(id) => {
                self.polled(task, self.requested_or_ended(id, known)?).storm.arrivals
            }
            _ => jobs(self.system, task, timers, &self.delays).arrivals,
        };
        Ok(match self.jobs_at_once(task) {
            1 => all,
            count => {
                let period = Duration::from_ns(all.period.as_ns() / count);
                Arrivals { jitter: all.jitter + all.period, ..all.apart(period) }
            }
        })
    }

    /// Whether it is known how late the packets are that a task reads.
    pub(crate) fn read_in_time(&self, task: TaskId) -> Result<(), Reason> {
        let card = Card::read_by(self.system, task);
        card.map_or(Ok(()), |card| self.delays[card.id.0].clone().map(|_| ()))
    }
}
