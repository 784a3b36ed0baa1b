//! The state of a core, derived from its events by the page of the model alone.
//!
//! ```text
//!   released, completed ──▶ jobs of each task          ┐
//!   released, served, merged ──▶ requests, routines    ├──▶ who is ready, since when
//!   budget ──▶ what is left of each server             ┘
//! ```
//!
//! **Assumptions.**
//! 1. Events come in the order of time; those of one instant in the order of `docs/model.md`.
//! 2. What is told of budgets is taken over here; [`super::budgets`] and [`super::windows`] hold it
//!    against rules of their own.

use super::begun::Begun;
use super::budgets::wakes_in_no_time;
use super::competitor::{Competitor, competitors, in_slot};
use super::event::Event;
use super::requests::Requests;
use std::collections::VecDeque;
use vorrang_model::system::{
    Costs, InterruptId, InterruptTime, PseudoVcpuRule, Server, ServerKind, SupplyId, System,
};
use vorrang_sim::{History, Job, Payer, Running, Source};
use vorrang_time::{Duration, Instant};

/// What was ready after the events of the last instant.
struct Readiness {
    /// Whether a competitor was, by its place.
    ready: Vec<bool>,
    /// Whether something on a supply was.
    work: Vec<bool>,
    /// Something has happened since then.
    has_changed: bool,
    settled: Instant,
    /// Since when a competitor has been ready, by its place.
    since: Vec<Option<Instant>>,
    /// Which servers go on without budget.
    in_background: Vec<bool>,
}

/// One core in one history.
pub(super) struct Picture<'s> {
    pub(super) system: &'s System,
    pub(super) core: SupplyId,
    pub(super) history: Box<History>,
    pub(super) now: Instant,
    pub(super) runs: Running,
    pub(super) begun: Begun,
    /// The competitors on each supply.
    pub(super) competitors: Vec<Vec<Competitor>>,
    /// Released and not complete, by task.
    pub(super) jobs: Vec<VecDeque<Job>>,
    /// Of routines, at the core and in guests.
    pub(super) requests: Requests<'s>,
    /// By supply.
    pub(super) budgets: Vec<Duration>,
    /// By interrupt.
    pub(super) pseudo_budgets: Vec<Duration>,
    /// The servers of the core.
    pub(super) servers: Vec<SupplyId>,
    readiness: Readiness,
    /// Whether it is known since when each has been ready: nothing was woken between two ends of an
    /// instant, which are not told.
    pub(super) knows_ages: bool,
    /// When a callback last ran later than its timer was due.
    pub(super) late_callback: Option<Instant>,
}

impl<'s> Picture<'s> {
    pub(super) fn new(system: &'s System, core: SupplyId, history: Box<History>) -> Self {
        let supplies = system.supplies.len();
        let is_server = |id: &SupplyId| *id != core && system.core_of(*id) == core;
        let places = supplies + system.tasks.len() + system.interrupts.len();
        Self {
            system,
            core,
            history,
            now: Instant::ZERO,
            runs: Running::Idle,
            begun: Begun::new(system),
            competitors: competitors(system),
            jobs: vec![VecDeque::new(); system.tasks.len()],
            requests: Requests::new(system),
            budgets: vec![Duration::ZERO; supplies],
            pseudo_budgets: vec![Duration::ZERO; system.interrupts.len()],
            servers: (0..supplies).map(SupplyId).filter(is_server).collect(),
            readiness: Readiness {
                ready: vec![false; places],
                work: vec![false; supplies],
                has_changed: true,
                settled: Instant::ZERO,
                since: vec![None; places],
                in_background: vec![false; supplies],
            },
            knows_ages: true,
            late_callback: None,
        }
    }

    /// Takes over an event.
    pub(super) fn hear(&mut self, event: &Event) {
        self.begun.hear(event, self.system, self.runs, self.now);
        self.now = event.at();
        self.readiness.has_changed |= !matches!(event, Event::Decided(..) | Event::Runs(..));
        match *event {
            Event::Released(job) => match job.source {
                Source::Task(id) => self.jobs[id.0].push_back(job),
                Source::Interrupt(interrupt) => self.requests.requested(interrupt),
            },
            Event::Completed(job, _) => match job.source {
                Source::Task(id) => {
                    self.jobs[id.0].pop_front();
                    if self.jobs[id.0].is_empty() {
                        self.lose_place(Competitor::Task(id));
                    }
                }
                Source::Interrupt(id) => self.requests.handled(id),
            },
            Event::Served(interrupt, in_guest, _) => self.requests.served(interrupt, in_guest),
            Event::Merged(interrupt, _) => self.requests.merged(interrupt),
            Event::Budget(payer, left, _) => self.budget(payer, left),
            Event::Expired(id, due, at) => {
                self.knows_ages &= !wakes_in_no_time(id, self);
                if due < at {
                    self.late_callback = Some(at);
                }
            }
            Event::Decided(..) => self.settle(),
            Event::Runs(what, _) => {
                self.settle();
                self.runs = what;
                self.requests.runs(what);
            }
            _ => {}
        }
    }

    /// Whether servers of Linux pay for routines of the core that interrupt them.
    pub(super) fn charges_routines(&self) -> bool {
        self.system.supply(self.core).interrupt_time == InterruptTime::Charged
    }

    /// Whether runtimes of a server end late in this history.
    pub(super) fn ends_late(&self, id: SupplyId) -> bool {
        !self.history.overrun(self.system, id).is_zero()
    }

    /// Whether interrupts may take more of a server than its budget.
    pub(super) fn may_overrun(&self, id: SupplyId) -> bool {
        let is_interrupted = self.system.interrupts_on(self.core).next().is_some()
            || self.system.timers_on(self.core).next().is_some()
            || self.may_time_budgets();
        let supply = self.system.supply(id);
        let is_of_linux = supply.server_kind() == Some(ServerKind::SchedDeadline);
        is_of_linux && supply.on() == Some(self.core) && is_interrupted && self.charges_routines()
    }

    /// Whether budgets may return and end by timer interrupts that take time.
    pub(super) fn may_time_budgets(&self) -> bool {
        let Costs { interrupt_entry, interrupt_exit, timer_expiry, vm_exit, .. } =
            self.system.costs;
        !(interrupt_entry + interrupt_exit + timer_expiry + vm_exit).is_zero()
    }

    fn budget(&mut self, payer: Payer, left: Duration) {
        let competitor = match payer {
            Payer::Server(id) => {
                self.budgets[id.0] = left;
                Competitor::Server(id)
            }
            Payer::PseudoVcpu(id) => {
                self.pseudo_budgets[id.0] = left;
                Competitor::PseudoVcpu(id)
            }
        };
        if left.is_zero() {
            self.lose_place(competitor);
        }
    }

    /// After the events of an instant: the competitors that became ready, and those that no longer are.
    fn settle(&mut self) {
        if !self.readiness.has_changed && self.readiness.settled == self.now {
            return;
        }
        (self.readiness.has_changed, self.readiness.settled) = (false, self.now);
        // What is inside a supply stands behind it.
        for supply in (0..self.competitors.len()).rev() {
            let mut has_work = !self.requests.pending(SupplyId(supply)).is_empty();
            for member in 0..self.competitors[supply].len() {
                let competitor = self.competitors[supply][member];
                let place = self.place(competitor);
                let changes_ground = self.changes_ground(competitor);
                let is_ready = self.becomes_ready(competitor);
                self.readiness.ready[place] = is_ready;
                has_work |= is_ready;
                if !is_ready {
                    self.readiness.since[place] = None;
                } else if self.readiness.since[place].is_none() || changes_ground {
                    self.readiness.since[place] = Some(self.now);
                }
            }
            self.readiness.work[supply] = has_work;
        }
    }

    /// Whether it goes to the background, or comes back.
    fn changes_ground(&mut self, competitor: Competitor) -> bool {
        let Competitor::Server(id) = competitor else { return false };
        let is_in_background = self.is_in_background(id);
        is_in_background
            != core::mem::replace(&mut self.readiness.in_background[id.0], is_in_background)
    }

    /// Whether a server runs, if it does, unpaid and below all others.
    pub(super) fn is_in_background(&self, id: SupplyId) -> bool {
        let kind = self.system.supply(id).server_kind();
        kind == Some(ServerKind::PosixSporadic) && self.budgets[id.0].is_zero()
    }

    fn lose_place(&mut self, competitor: Competitor) {
        let place = self.place(competitor);
        self.readiness.since[place] = None;
    }

    /// A number of its own.
    fn place(&self, competitor: Competitor) -> usize {
        let supplies = self.system.supplies.len();
        match competitor {
            Competitor::Server(id) => id.0,
            Competitor::Task(id) => supplies + id.0,
            Competitor::PseudoVcpu(id) => supplies + self.system.tasks.len() + id.0,
        }
    }

    /// Since when it has been ready.
    pub(super) fn ready_since(&self, competitor: Competitor) -> Option<Instant> {
        self.readiness.since[self.place(competitor)]
    }

    /// The reservation that a supply is; `None`: a core, a share or a level.
    pub(super) fn server(&self, id: SupplyId) -> Option<&'s Server> {
        self.system.supply(id).server()
    }

    /// Whether it wanted, and might have, time of its supply after the events of the last instant
    /// that was decided for.
    pub(super) fn is_ready(&self, competitor: Competitor) -> bool {
        self.readiness.ready[self.place(competitor)]
    }

    /// Whether something on a supply wanted time then.
    pub(super) fn has_work(&self, supply: SupplyId) -> bool {
        self.readiness.work[supply.0]
    }

    /// The same of now, for what is inside the supply is known.
    fn becomes_ready(&self, competitor: Competitor) -> bool {
        match competitor {
            Competitor::Task(id) => !self.jobs[id.0].is_empty(),
            Competitor::Server(id) => {
                let Some(server) = self.server(id) else { return self.has_work(id) };
                let kind = server.kind();
                let wants = kind == ServerKind::Periodic || self.has_work(id);
                let may = kind == ServerKind::PosixSporadic || !self.budgets[id.0].is_zero();
                if kind.has_place() {
                    return in_slot(self.system.supply(id), self.now);
                }
                wants && may
            }
            Competitor::PseudoVcpu(id) => {
                let delivery = self.system.interrupt(id).delivery.as_ref();
                let delivery = delivery.expect("it has a pseudo-VCPU");
                let rule = delivery.pseudo_vcpu.as_ref().map(|pseudo_vcpu| pseudo_vcpu.rule);
                let is_meant =
                    rule != Some(PseudoVcpuRule::Arrival) || self.requests.inside(id) > 0;
                !self.pseudo_budgets[id.0].is_zero() && is_meant && self.has_work(delivery.vcpu)
            }
        }
    }

    /// The supply on which that runs, for a routine in the time of another.
    pub(super) fn supply_of(&self, what: Running) -> Option<SupplyId> {
        match what {
            Running::Task(id) => Some(self.system.task(id).on),
            Running::Blocking(member) => Some(self.system.on(member)),
            Running::GuestRoutine(id) => {
                let delivery = self.system.interrupt(id).delivery.as_ref();
                delivery.map(|delivery| delivery.vcpu)
            }
            Running::Idling(id) => Some(id),
            Running::Idle | Running::Interrupt(_) | Running::Kernel(_) => None,
        }
    }

    /// The servers under that supply, it included, from the innermost to the core.
    pub(super) fn servers_from(&self, supply: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
        let on = |id: &SupplyId| self.system.supply(*id).on();
        std::iter::successors(Some(supply), on).filter(|id| !self.system.supply(*id).is_core())
    }

    /// The pseudo-VCPUs of a virtual processor.
    pub(super) fn pseudo_vcpus(&self, vcpu: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
        let interrupts = self.system.interrupts.iter().enumerate();
        interrupts.filter_map(move |(id, interrupt)| {
            let delivery = interrupt.delivery.as_ref()?;
            let is_one = delivery.vcpu == vcpu && delivery.pseudo_vcpu.is_some();
            is_one.then_some(InterruptId(id))
        })
    }
}
