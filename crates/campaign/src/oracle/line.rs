//! Interrupts: which service routine runs, and the consequences of its end.

use super::choose::Chosen;
use super::pseudo::Pseudo;
use super::{Core, Done, Ran, listed};
use std::collections::VecDeque;
use vorrang_model::system::{Activation, InterruptId, InterruptOrder, SupplyId, System, TaskId};

/// A requested service routine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) arrival: u64,
    pub(super) requested: u64,
    /// It was held back: released in step 3, it precedes the requests of that instant.
    pub(super) was_held: bool,
    pub(super) left: u64,
    pub(super) begun: bool,
}

/// A request that is held back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) arrival: u64,
    pub(super) execution: u64,
}

/// A routine that is pending in a virtual processor, or runs there.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuestRoutine {
    pub(super) interrupt: InterruptId,
    arrival: u64,
    pub(super) left: u64,
    begun: bool,
}

/// One interrupt of the core.
pub(super) struct Line {
    /// Requested and not complete, in order.
    pub(super) requests: VecDeque<Request>,
    pub(super) held: VecDeque<Held>,
    pub(super) pseudo: Option<Pseudo>,
    /// How many are in the guest and not handled.
    pub(super) in_guest: usize,
    /// The jobs of the woken task that handle one, with the arrival of that.
    handling: Vec<(usize, u64)>,
    /// How many routines of the guest there have been.
    guest_routines: usize,
    /// How many requests there have been that did not merge.
    raised: usize,
    pub(super) done: Vec<Done>,
}

impl Line {
    pub(super) fn new(system: &System, id: InterruptId, phase: u64) -> Self {
        Self {
            requests: VecDeque::new(),
            held: VecDeque::new(),
            pseudo: Pseudo::new(system, id, phase),
            in_guest: 0,
            handling: Vec::new(),
            guest_routines: 0,
            raised: 0,
            done: Vec::new(),
        }
    }

    fn has_waiting(&self) -> bool {
        !self.held.is_empty() || self.requests.iter().any(|request| !request.begun)
    }
}

impl Core<'_> {
    /// Step 4: external requests. Those of network cards come from the cards.
    pub(super) fn interrupts_arrive(&mut self) {
        let cards: Vec<InterruptId> = self.raised_by_cards();
        for id in self.system.requests_on(self.id) {
            for _ in cards.iter().filter(|&&raised| raised == id) {
                let stated = listed(&self.history.interrupts, id.0).get(self.lines[id.0].raised);
                let isr = self.system.interrupt(id).isr.as_ns();
                let execution = stated.map_or(isr, |job| job.execution);
                self.request(id, self.now, execution);
            }
            if self.card_of(id).is_some() {
                continue;
            }
            let history = self.history;
            let jobs = listed(&history.interrupts, id.0);
            let now = self.now;
            for job in jobs.iter().filter(|job| job.release == now) {
                self.request(id, job.arrival, job.execution);
            }
        }
    }

    fn request(&mut self, id: InterruptId, arrival: u64, execution: u64) {
        let line = &mut self.lines[id.0];
        line.raised += 1;
        if self.system.interrupt(id).storm.is_some() && line.has_waiting() {
            return;
        }
        self.ask(id, Held { arrival, execution });
    }

    /// The pseudo-VCPU lets it through, or holds it back.
    fn ask(&mut self, id: InterruptId, request: Held) {
        let line = &mut self.lines[id.0];
        let held_back = !line.held.is_empty()
            || line.pseudo.as_mut().is_some_and(|pseudo| !pseudo.lets_through(self.now));
        if held_back {
            line.held.push_back(request);
        } else {
            self.let_through(id, request, false);
        }
    }

    pub(super) fn let_through(&mut self, id: InterruptId, request: Held, was_held: bool) {
        let Held { arrival, execution } = request;
        // The callback was all that the core does for it, or nothing is.
        let interrupt = self.system.interrupt(id);
        if interrupt.timer.is_some() || interrupt.posted {
            return self.enter_guest(id, arrival);
        }
        let costs = &self.system.costs;
        let around = costs.interrupt_entry.as_ns() + costs.interrupt_exit.as_ns();
        let exit = if self.last.vcpu { costs.vm_exit.as_ns() } else { 0 };
        let left = execution + around + exit;
        let request = Request { arrival, requested: self.now, was_held, left, begun: false };
        self.lines[id.0].requests.push_back(request);
    }

    /// A service routine is requested, runs, or is interrupted.
    pub(super) fn is_interrupted(&self) -> bool {
        self.timer_interrupt_requested().is_some()
            || !self.budget_timers.is_empty()
            || self.lines.iter().any(|line| !line.requests.is_empty())
    }

    /// The routine that the order of the core puts first runs for a tick.
    pub(super) fn run_routine(&mut self) -> Option<Ran> {
        if self.budget_timers.front().is_some_and(|timer| timer.begun) {
            return Some(self.run_budget_timer());
        }
        let order = self.system.supply(self.id).interrupt_order;
        let requests = self.lines.iter().enumerate().filter_map(|(id, line)| {
            // Of one interrupt the first is always the one to go on with.
            line.requests.front().map(|request| (id, *request))
        });
        let requests: Vec<(usize, Request)> = requests.collect();
        let running = requests.iter().find(|(_, request)| request.begun);
        if let Some((id, _)) = running.filter(|_| order != InterruptOrder::Nested) {
            return Some(self.run_request(*id));
        }
        let priority = |id: usize| match order {
            InterruptOrder::FirstCome => 0,
            _ => u32::MAX - self.system.interrupts[id].priority.0,
        };
        // Let through in step 3, like the servers in the order of supplies.
        let step = |id: usize, request: &Request| {
            let delivery = self.system.interrupts[id].delivery.as_ref();
            let vcpu = delivery.filter(|_| request.was_held).map(|delivery| delivery.vcpu);
            (vcpu.is_none(), vcpu)
        };
        let key = |(id, request): &(usize, Request)| {
            (priority(*id), request.requested, step(*id, request), *id)
        };
        let first = requests.iter().map(key).min();
        let budget = self.budget_timers.front().map(|timer| timer.requested);
        let timer = self.timer_interrupt_requested().map(|(time, step)| (time, step, 0));
        let of_budget = budget.is_some() && timer.is_none_or(|timer| budget < Some(timer));
        let timer = if of_budget { budget } else { timer };
        match (first, timer) {
            (Some((_, requested, (_, vcpu), id)), Some(timer))
                if order == InterruptOrder::FirstCome
                    && vcpu.map_or((requested, 4, 0), |vcpu| (requested, 3, vcpu.0)) < timer =>
            {
                Some(self.run_request(id))
            }
            (_, Some(_)) if of_budget => Some(self.run_budget_timer()),
            (_, Some(_)) => self.run_timer_interrupt(),
            (Some((_, _, _, id)), None) => Some(self.run_request(id)),
            (None, None) => unreachable!("one is requested"),
        }
    }

    fn run_request(&mut self, id: usize) -> Ran {
        let request = self.lines[id].requests.front_mut().expect("it is requested");
        request.begun = true;
        request.left -= 1;
        self.last = super::Last::default();
        Ran::Interrupt(InterruptId(id))
    }

    /// Step 1: the routine of the core is over.
    pub(super) fn end_routine(&mut self, id: InterruptId) {
        let line = &mut self.lines[id.0];
        let Some(request) = line.requests.front().copied() else { return };
        if request.left > 0 {
            return;
        }
        line.requests.pop_front();
        match &self.system.interrupt(id).delivery {
            Some(_) => self.enter_guest(id, request.arrival),
            None => self.wake_or_end(id, request.arrival),
        }
    }

    fn enter_guest(&mut self, id: InterruptId, arrival: u64) {
        if let Some(pseudo) = &mut self.lines[id.0].pseudo {
            pseudo.credit_routine();
        }
        let delivery = self.system.interrupt(id).delivery.as_ref().expect("it goes to a guest");
        self.deliver(id, delivery.vcpu, delivery.isr.as_ns(), arrival);
    }

    /// A timer of a task in a guest has been called back.
    pub(super) fn raise_in_guest(&mut self, id: InterruptId, due: u64) {
        self.ask(id, Held { arrival: due, execution: 0 });
    }

    fn deliver(&mut self, id: InterruptId, vcpu: SupplyId, isr: u64, arrival: u64) {
        let merges = self.system.interrupt(id).storm.is_some();
        let waits = |routine: &GuestRoutine| routine.interrupt == id && !routine.begun;
        if merges && self.guests[vcpu.0].iter().any(waits) {
            return;
        }
        let line = &mut self.lines[id.0];
        let stated = listed(&self.history.guest_routines, id.0).get(line.guest_routines);
        line.guest_routines += 1;
        line.in_guest += 1;
        let is_posted = self.system.interrupt(id).posted;
        let exit = if is_posted { 0 } else { self.system.costs.vm_exit.as_ns() };
        let left = stated.copied().unwrap_or(isr) + exit;
        let routine = GuestRoutine { interrupt: id, arrival, left, begun: false };
        self.guests[vcpu.0].push_back(routine);
    }

    pub(super) fn work_on_guest_routine(&mut self, chosen: Chosen, progress: u64) {
        let vcpu = match chosen {
            Chosen::Server(id) => id,
            Chosen::Pseudo(id) => self.vcpu_of(id),
            Chosen::Task(_) => unreachable!("a routine is no task"),
        };
        let routine = self.guests[vcpu.0].front_mut().expect("it runs");
        routine.begun = true;
        routine.left -= progress;
    }

    /// Step 1: a routine of a guest is over.
    pub(super) fn end_guest_routine(&mut self, vcpu: SupplyId) {
        let Some(routine) = self.guests[vcpu.0].front().copied() else { return };
        if routine.left > 0 {
            return;
        }
        self.guests[vcpu.0].pop_front();
        self.last.completed = true;
        let id = routine.interrupt;
        self.wake_or_end(id, routine.arrival);
    }

    /// The last routine is over: the interrupt is handled by a task now, or is handled.
    fn wake_or_end(&mut self, id: InterruptId, arrival: u64) {
        match self.woken_by(id) {
            Some(task) => {
                let number = self.tasks[task.0].count();
                self.lines[id.0].handling.push((number, arrival));
                self.release(task, arrival);
            }
            None => self.handled(id, arrival),
        }
    }

    /// A job of a woken task is complete.
    pub(super) fn handled_by_job(&mut self, task: TaskId, number: usize) {
        let Activation::Interrupt(id) = self.system.task(task).activation else { return };
        let handling = &self.lines[id.0].handling;
        if let Some(&(_, arrival)) = handling.iter().find(|(job, _)| *job == number) {
            self.handled(id, arrival);
        }
    }

    fn handled(&mut self, id: InterruptId, arrival: u64) {
        let line = &mut self.lines[id.0];
        line.done.push(Done { arrival, at: self.now });
        if self.system.interrupt(id).delivery.is_none() {
            return;
        }
        line.in_guest -= 1;
        if let Some(pseudo) = line.pseudo.as_mut().filter(|_| line.in_guest == 0) {
            pseudo.drop_rest();
        }
    }
}
