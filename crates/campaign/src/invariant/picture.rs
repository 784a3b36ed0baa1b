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

use super::budgets::wakes_in_no_time;
use super::event::Event;
use std::collections::VecDeque;
use vorrang_model::system::{
    Costs, InterruptId, InterruptTime, Member, PseudoVcpuRule, Server, ServerKind, SupplyId,
    System, TaskId,
};
use vorrang_sim::{History, Job, Payer, Running, Source};
use vorrang_time::{Duration, Instant};

/// A competitor for the time of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Competitor {
    Task(TaskId),
    Server(SupplyId),
    PseudoVcpu(InterruptId),
}

/// A requested routine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) interrupt: InterruptId,
    pub(super) has_begun: bool,
}

/// One core in one history.
pub(super) struct Picture<'s> {
    pub(super) system: &'s System,
    pub(super) core: SupplyId,
    pub(super) history: Box<History>,
    pub(super) now: Instant,
    pub(super) runs: Running,
    /// The competitors on each supply.
    pub(super) competitors: Vec<Vec<Competitor>>,
    /// Released and not complete, by task.
    pub(super) jobs: Vec<VecDeque<Job>>,
    /// Requested at the core, in order.
    pub(super) requests: VecDeque<Request>,
    /// So many of them have begun.
    pub(super) begun: usize,
    /// Pending in each supply, in order.
    pub(super) pending: Vec<VecDeque<Request>>,
    /// Interrupts in the guest that are not handled, by interrupt.
    pub(super) inside: Vec<u64>,
    /// By supply.
    pub(super) budgets: Vec<Duration>,
    /// By interrupt.
    pub(super) pseudo_budgets: Vec<Duration>,
    /// The servers of the core.
    pub(super) servers: Vec<SupplyId>,
    /// Whether a competitor was ready after the events of the last instant, by its place.
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
    /// The routine of the core of this interrupt ended, and has to merge with one in the guest.
    pub(super) has_to_merge: Option<InterruptId>,
    /// Whether it is known since when each has been ready: nothing was woken between two ends of an
    /// instant, which are not told.
    pub(super) knows_ages: bool,
    /// The routine that runs has just begun.
    pub(super) has_just_begun: bool,
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
            competitors: competitors(system),
            jobs: vec![VecDeque::new(); system.tasks.len()],
            requests: VecDeque::new(),
            begun: 0,
            pending: vec![VecDeque::new(); supplies],
            inside: vec![0; system.interrupts.len()],
            budgets: vec![Duration::ZERO; supplies],
            pseudo_budgets: vec![Duration::ZERO; system.interrupts.len()],
            servers: (0..supplies).map(SupplyId).filter(is_server).collect(),
            ready: vec![false; places],
            work: vec![false; supplies],
            has_changed: true,
            settled: Instant::ZERO,
            since: vec![None; places],
            in_background: vec![false; supplies],
            has_to_merge: None,
            knows_ages: true,
            has_just_begun: false,
            late_callback: None,
        }
    }

    /// Takes over an event.
    pub(super) fn hear(&mut self, event: &Event) {
        self.now = event.at();
        self.has_changed |= !matches!(event, Event::Decided(..) | Event::Runs(..));
        match *event {
            Event::Released(job) => match job.source {
                Source::Task(id) => self.jobs[id.0].push_back(job),
                Source::Interrupt(interrupt) => self.requested(interrupt),
            },
            Event::Completed(job, _) => match job.source {
                Source::Task(id) => {
                    self.jobs[id.0].pop_front();
                    if self.jobs[id.0].is_empty() {
                        self.lose_place(Competitor::Task(id));
                    }
                }
                Source::Interrupt(id) => self.inside[id.0] = self.inside[id.0].saturating_sub(1),
            },
            Event::Served(interrupt, in_guest, _) => self.served(interrupt, in_guest),
            Event::Merged(interrupt, _) => {
                self.has_to_merge.take_if(|waiting| *waiting == interrupt);
            }
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
                self.runs(what);
            }
            _ => {}
        }
    }

    /// Of a timer: pending in the guest at once.
    fn requested(&mut self, interrupt: InterruptId) {
        let own = self.system.interrupt(interrupt);
        let request = Request { interrupt, has_begun: false };
        match own.delivery.as_ref().filter(|_| own.timer.is_some()) {
            None => self.requests.push_back(request),
            Some(delivery) => {
                self.pending[delivery.vcpu.0].push_back(request);
                self.inside[interrupt.0] += 1;
            }
        }
    }

    fn served(&mut self, interrupt: InterruptId, in_guest: bool) {
        let delivery = self.system.interrupt(interrupt).delivery.as_ref();
        let guest = delivery.map(|delivery| delivery.vcpu.0);
        if in_guest {
            guest.and_then(|guest| self.pending[guest].pop_front());
            return;
        }
        let place = self.requests.iter().position(|request| request.interrupt == interrupt);
        let request = place.and_then(|place| self.requests.remove(place));
        self.begun -= usize::from(request.is_some_and(|request| request.has_begun));
        let Some(guest) = guest else { return };
        let waits = |request: &Request| request.interrupt == interrupt && !request.has_begun;
        if self.merges(interrupt) && self.pending[guest].iter().any(waits) {
            self.has_to_merge = Some(interrupt);
        } else {
            self.pending[guest].push_back(Request { interrupt, has_begun: false });
            self.inside[interrupt.0] += 1;
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
        let server = self.server(id);
        let is_interrupted = self.system.interrupts_on(self.core).next().is_some()
            || self.system.timers_on(self.core).next().is_some()
            || self.may_time_budgets();
        let on_core = server.on == self.core && server.kind == ServerKind::SchedDeadline;
        on_core && is_interrupted && self.charges_routines()
    }

    /// Whether budgets may return and end by timer interrupts that take time.
    pub(super) fn may_time_budgets(&self) -> bool {
        let Costs { interrupt_entry, interrupt_exit, timer_expiry, vm_exit, .. } =
            self.system.costs;
        !(interrupt_entry + interrupt_exit + timer_expiry + vm_exit).is_zero()
    }

    /// Whether it has a pending bit.
    pub(super) fn merges(&self, interrupt: InterruptId) -> bool {
        self.system.interrupt(interrupt).storm.is_some()
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

    fn runs(&mut self, what: Running) {
        self.runs = what;
        let first = match what {
            Running::Interrupt(id) => {
                self.requests.iter_mut().find(|request| request.interrupt == id)
            }
            Running::GuestRoutine(id) => {
                let delivery = self.system.interrupt(id).delivery.as_ref();
                delivery.and_then(|delivery| self.pending[delivery.vcpu.0].front_mut())
            }
            _ => None,
        };
        self.has_just_begun = first.as_ref().is_some_and(|first| !first.has_begun);
        if let Some(first) = first {
            first.has_begun = true;
        }
        let of_core = matches!(what, Running::Interrupt(_));
        self.begun += usize::from(of_core && self.has_just_begun);
    }

    /// After the events of an instant: the competitors that became ready, and those that no longer are.
    fn settle(&mut self) {
        if !self.has_changed && self.settled == self.now {
            return;
        }
        (self.has_changed, self.settled) = (false, self.now);
        // What is inside a supply stands behind it.
        for supply in (0..self.competitors.len()).rev() {
            let mut has_work = !self.pending[supply].is_empty();
            for member in 0..self.competitors[supply].len() {
                let competitor = self.competitors[supply][member];
                let place = self.place(competitor);
                let changes_ground = self.changes_ground(competitor);
                let is_ready = self.becomes_ready(competitor);
                self.ready[place] = is_ready;
                has_work |= is_ready;
                if !is_ready {
                    self.since[place] = None;
                } else if self.since[place].is_none() || changes_ground {
                    self.since[place] = Some(self.now);
                }
            }
            self.work[supply] = has_work;
        }
    }

    /// Whether it goes to the background, or comes back.
    fn changes_ground(&mut self, competitor: Competitor) -> bool {
        let Competitor::Server(id) = competitor else { return false };
        let is_in_background = self.is_in_background(id);
        is_in_background != core::mem::replace(&mut self.in_background[id.0], is_in_background)
    }

    /// Whether a server runs, if it does, unpaid and below all others.
    pub(super) fn is_in_background(&self, id: SupplyId) -> bool {
        self.server(id).kind == ServerKind::PosixSporadic && self.budgets[id.0].is_zero()
    }

    fn lose_place(&mut self, competitor: Competitor) {
        let place = self.place(competitor);
        self.since[place] = None;
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
        self.since[self.place(competitor)]
    }

    /// The server of a supply that is not a core.
    pub(super) fn server(&self, id: SupplyId) -> &'s Server {
        self.system.supply(id).server.as_ref().expect("a member is no core")
    }

    /// Whether it wanted, and might have, time of its supply after the events of the last instant
    /// that was decided for.
    pub(super) fn is_ready(&self, competitor: Competitor) -> bool {
        self.ready[self.place(competitor)]
    }

    /// Whether something on a supply wanted time then.
    pub(super) fn has_work(&self, supply: SupplyId) -> bool {
        self.work[supply.0]
    }

    /// The same of now, for what is inside the supply is known.
    fn becomes_ready(&self, competitor: Competitor) -> bool {
        match competitor {
            Competitor::Task(id) => !self.jobs[id.0].is_empty(),
            Competitor::Server(id) => {
                let server = self.server(id);
                match server.kind {
                    ServerKind::Slot => in_slot(server, self.now),
                    ServerKind::Share | ServerKind::PosixSporadic => self.has_work(id),
                    ServerKind::Periodic => !self.budgets[id.0].is_zero(),
                    _ => !self.budgets[id.0].is_zero() && self.has_work(id),
                }
            }
            Competitor::PseudoVcpu(id) => {
                let delivery = self.system.interrupt(id).delivery.as_ref();
                let delivery = delivery.expect("it has a pseudo-VCPU");
                let rule = delivery.pseudo_vcpu.as_ref().map(|pseudo_vcpu| pseudo_vcpu.rule);
                let is_meant = rule != Some(PseudoVcpuRule::Arrival) || self.inside[id.0] > 0;
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
        let on = |id: &SupplyId| self.system.supply(*id).server.as_ref().map(|server| server.on);
        std::iter::successors(Some(supply), on)
            .filter(|id| self.system.supply(*id).server.is_some())
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

/// Whether an instant belongs to the slot of a server.
pub(super) fn in_slot(server: &Server, at: Instant) -> bool {
    let since = at.as_ns().checked_sub(server.offset.as_ns());
    since.is_some_and(|since| since % server.period.as_ns() < server.budget.as_ns())
}

fn competitors(system: &System) -> Vec<Vec<Competitor>> {
    let member = |member: &Member| match *member {
        Member::Task(id) => Competitor::Task(id),
        Member::Server(id) => Competitor::Server(id),
    };
    let supplies = system.supplies.iter();
    let mut all: Vec<Vec<Competitor>> =
        supplies.map(|supply| supply.members.iter().map(member).collect()).collect();
    for (id, interrupt) in system.interrupts.iter().enumerate() {
        let Some(delivery) = &interrupt.delivery else { continue };
        let server = system.supply(delivery.vcpu).server.as_ref();
        if let (Some(_), Some(server)) = (&delivery.pseudo_vcpu, server) {
            all[server.on.0].push(Competitor::PseudoVcpu(InterruptId(id)));
        }
    }
    all
}
