//! Steps 1 and 2 of an instant: time that has passed is charged.

use super::one_core::{Choice, OneCore, observer_budget};
use crate::backlog::Live;
use crate::node::{Node, NodeMember};
use crate::observer::{Observer, Payer};
use crate::task::{Packets, TaskState};
use vorrang_mechanisms::device::Next;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_model::system::Scheduler;
use vorrang_time::{Duration, Instant};

impl OneCore<'_> {
    /// Steps 1 and 2: what ran from `now` to `next` is charged; jobs complete and budgets are exhausted.
    #[inline]
    pub(super) fn advance(&mut self, now: Instant, next: Instant, observer: &mut impl Observer) {
        self.look_at_blocking();
        let amount = next - now;
        self.is_done = false;
        self.use_turns(next, amount);
        match self.runs {
            Choice::Idle | Choice::Server => {}
            Choice::Section => {
                let work = self.kernel.progress(amount, next, observer);
                let blocking = self.blocking.as_mut().expect("a section of its");
                blocking.left -= work;
                if let (true, NodeMember::Server(node)) = (blocking.left.is_zero(), blocking.member)
                {
                    self.kernel.is_called |= self.tree.parent(node).is_host();
                }
            }
            Choice::Kernel => self.kernel.run(amount, next, observer),
            Choice::Routine(node) => self.advance_routine(node, next, amount, observer),
            Choice::Task(task) => {
                let work = self.kernel.progress(amount, next, observer);
                let live = self.tree.tasks[task].backlog.front_mut().expect("the one that runs");
                if live.blocking.is_zero() {
                    live.remaining -= work;
                    let is_done = live.remaining.is_zero();
                    self.keep(task);
                    if is_done {
                        self.end_job(task, next, observer);
                    }
                } else {
                    live.blocking -= work;
                    let is_over = live.blocking.is_zero();
                    let node = self.tree.tasks[task].node;
                    self.kernel.is_called |= is_over && self.tree.nodes[node].is_host();
                }
            }
        }
        self.count(amount);
        for place in 0..self.paying.len() {
            let node = self.paying[place];
            self.charge(node, next, amount, observer);
        }
        if let Some(node) = self.yielded.take() {
            self.give_up(node, next, observer);
        }
    }

    /// A job that is not interrupted has begun.
    #[inline]
    fn keep(&mut self, task: usize) {
        let state = &self.tree.tasks[task];
        if state.keeps {
            self.tree.nodes[state.node].kept_by = Some(state.declared);
        }
    }

    /// Turns whose quantum is used up are over, and so are time slices.
    #[inline]
    fn use_turns(&mut self, now: Instant, amount: Duration) {
        for &place in &self.turning {
            let node = &mut self.tree.nodes[place];
            if node.ready.consume(now, amount) {
                self.kernel.is_called |= node.is_host();
                self.unsettled.insert(place);
            }
        }
    }

    /// Notes whether a busy window of the level that may be blocked is over.
    #[inline]
    fn look_at_blocking(&mut self) {
        let Some(blocking) = self.blocking.as_mut().filter(|blocking| !blocking.is_open) else {
            return;
        };
        let (priority, node) = match blocking.member {
            NodeMember::Task(task) => (self.tree.tasks[task].priority, self.tree.tasks[task].node),
            NodeMember::Server(own) => (self.tree.nodes[own].priority, self.tree.nodes[own].parent),
        };
        let node = &self.tree.nodes[node];
        let is_up = if node.is_ordered() { node.is_up(priority) } else { !node.ready.is_empty() };
        blocking.is_open = !is_up && node.routines.is_empty();
    }

    /// The work of the first job of a task is done, or its work for one packet.
    #[inline]
    fn end_job(&mut self, task: usize, now: Instant, observer: &mut impl Observer) {
        let state = &self.tree.tasks[task];
        if state.takes.is_some() || state.woken_by.is_some() {
            return self.end_activated(task, now, observer);
        }
        let Live { job, yields, .. } = state.backlog.front().expect("the one that ran");
        observer.completed(job, now);
        self.yielded = yields.then_some(state.node);
        self.is_done = true;
        self.complete(task, now);
    }

    /// The same of a task that an interrupt or a packet activates.
    fn end_activated(&mut self, task: usize, now: Instant, observer: &mut impl Observer) {
        let TaskState { takes, woken_by, .. } = self.tree.tasks[task];
        let mut again = None;
        if let Some(Packets::Ring(device)) = takes {
            match self.poll(task, device, now, observer) {
                Next::Packet(_) => return,
                Next::Again(first) => again = Some(first),
                Next::Done => {}
            }
        }
        let front = self.tree.tasks[task].backlog.front();
        let &Live { job, handles, .. } = front.expect("the one that ran");
        observer.completed(&job, now);
        self.is_done = true;
        self.complete(task, now);
        if let Some(interrupt) = woken_by.filter(|_| handles) {
            self.handled(interrupt, now, observer);
        }
        if let Some(Packets::Socket(device)) = takes {
            self.received(device, job.arrival, now, observer);
        }
        if let Some(first) = again {
            self.activate(task, first, now, false, observer);
        }
    }

    /// The first job of a task is complete.
    #[inline]
    fn complete(&mut self, task: usize, now: Instant) {
        if let Some(live) = self.tree.tasks[task].backlog.front() {
            let arrival = live.job.arrival;
            self.note_wakes(task, arrival);
        }
        let state = &mut self.tree.tasks[task];
        state.backlog.pop_front();
        let node = &mut self.tree.nodes[state.node];
        node.kept_by.take_if(|_| state.keeps);
        match state.backlog.front() {
            None => {
                self.kernel.is_called |= node.is_host();
                node.ready.remove(state.declared);
                self.unsettled.insert(state.node);
            }
            // The next job has its own deadline; by priority the task keeps its place.
            Some(live) if node.scheduler == Scheduler::Edf => {
                self.kernel.is_called |= node.is_host() && node.members.len() > 1;
                let key = state.key(node.scheduler, &live.job, now);
                node.ready.remove(state.declared);
                node.ready.insert(key);
            }
            // Whatever waited for the end of a job that is not interrupted.
            Some(_) if state.keeps => {
                self.kernel.is_called |= node.is_host() && node.members.len() > 1;
            }
            Some(_) => {}
        }
    }

    #[inline]
    fn charge(
        &mut self,
        node: usize,
        now: Instant,
        amount: Duration,
        observer: &mut impl Observer,
    ) {
        let server = self.tree.nodes[node].server();
        let before = server.budget();
        server.consume(now, amount);
        let goes_behind = server.goes_behind();
        let (left, due) = (server.budget(), server.due());
        let payer = self.tree.nodes[node].payer();
        observer.paid(payer, now - amount, now);
        if left != before {
            observer_budget(observer, payer, left, now);
        }
        if left.is_zero() && !before.is_zero() {
            if let Payer::Server(id) = payer {
                observer.exhausted(id, now);
            }
            // A server that is charged for a routine may sleep.
            self.kernel.is_called |= self.tree.parent(node).is_host();
            self.unlist(node);
            // An overdue refill returns together with the one that is due now.
            self.timers.set(node - 1, due.max(now));
            self.time_budget(node);
        } else if goes_behind {
            // It is exhausted, and has budget again at once.
            tell_exhausted(payer, left, now, observer);
            self.unlist(node);
            self.set_server_timer(node);
        } else if due <= now {
            self.set_server_timer(node);
        }
    }

    /// A guest in a server of Linux yields the remaining runtime; other kinds have no such rule.
    fn give_up(&mut self, node: usize, now: Instant, observer: &mut impl Observer) {
        let Some(AnyServer::SchedDeadline(server)) = &mut self.tree.nodes[node].server else {
            return;
        };
        if server.budget().is_zero() {
            return;
        }
        server.give_up();
        let id = self.tree.nodes[node].id;
        observer.budget(id, Duration::ZERO, now);
        observer.exhausted(id, now);
        self.unlist(node);
        self.set_server_timer(node);
    }

    /// An exhausted server loses its place, even if it is replenished at the same instant.
    pub(super) fn unlist(&mut self, node: usize) {
        let Node { parent, declared, .. } = self.tree.nodes[node];
        if self.tree.nodes[node].listed.take().is_none() {
            return;
        }
        self.tree.nodes[parent].ready.remove(declared);
        self.kernel.is_called |= self.tree.nodes[parent].is_host();
        self.unsettled.insert(parent);
        self.unsettled.insert(node);
    }
}

/// A server has used up a refill, or what it may use of it, and goes on with the next.
pub(super) fn tell_exhausted(
    payer: Payer,
    left: Duration,
    now: Instant,
    observer: &mut impl Observer,
) {
    observer_budget(observer, payer, Duration::ZERO, now);
    if let Payer::Server(id) = payer {
        observer.exhausted(id, now);
    }
    observer_budget(observer, payer, left, now);
}
