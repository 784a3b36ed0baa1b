//! Steps 3 and 4 of an instant: what is due happens.

use super::one_core::{Entities, OneCore};
use crate::backlog::Live;
use crate::job::Source;
use crate::jobs::Plan;
use crate::node::NodeMember;
use crate::observer::Observer;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_model::system::Member;
use vorrang_time::{Duration, Instant};

impl OneCore<'_> {
    /// Steps 3 and 4: everything that is due, servers first, then devices,
    /// timers, interrupts, tasks.
    #[inline]
    pub(super) fn fire(&mut self, now: Instant, observer: &mut impl Observer) {
        let Entities { devices, expiries, interrupts, tasks, throttling } = self.entities;
        while self.timers.first() <= now && !self.is_stuck() {
            self.take_step();
            let entity = self.timers.first_entity();
            if entity < devices {
                self.replenish(entity + 1, now, observer);
            } else if entity < expiries {
                self.serve_card(entity - devices, now, observer);
            } else if entity < interrupts {
                self.request_timers();
            } else if entity < tasks {
                self.request(entity - interrupts, now, observer);
            } else if entity == throttling {
                self.expire_throttling();
            } else {
                self.release(entity - tasks, now, observer);
            }
        }
    }

    fn replenish(&mut self, node: usize, now: Instant, observer: &mut impl Observer) {
        if self.tree.nodes[node].pays_for.is_some() {
            return self.replenish_pseudo_vcpu(node, now, observer);
        }
        let Self { tree, unsettled, .. } = self;
        let server = tree.nodes[node].server();
        let before = server.budget();
        let was_never_away = match server {
            AnyServer::Sporadic(server) => !server.returns_at(now),
            _ => false,
        };
        server.replenish(now);
        let left = server.budget();
        // A sporadic server also has an event where consumed time would return, and one of Linux at its 0-lag
        // time.
        let nothing_came = left == before
            && matches!(server, AnyServer::Sporadic(_) | AnyServer::SchedDeadline(_));
        unsettled.insert(tree.nodes[node].parent);
        unsettled.insert(node);
        tree.nodes[node].replenished = true;
        tree.count_bandwidth(node);
        self.set_server_timer(node);
        let id = self.tree.nodes[node].id;
        if nothing_came {
            return;
        }
        self.time_budget(node);
        self.kernel.is_called |= !was_never_away && self.tree.parent(node).is_host();
        observer.budget(id, left, now);
        if left.is_zero() {
            observer.exhausted(id, now);
        } else {
            observer.replenished(id, now);
        }
    }

    #[inline]
    fn release(&mut self, task: usize, now: Instant, observer: &mut impl Observer) {
        if let Some(arrival) = self.tree.tasks[task].woken.take() {
            self.set_task_timer(task);
            return self.activate(task, arrival, now, false, observer);
        }
        let blocking = self.take_blocking(task, now);
        let state = &mut self.tree.tasks[task];
        let plan = state.next.expect("its release is due");
        let job = plan.job(Source::Task(state.id));
        let Plan { execution: remaining, yields, .. } = plan;
        let live = Live { job, blocking, remaining, handles: false, yields };
        self.make_ready(task, &live, now);
        let state = &mut self.tree.tasks[task];
        state.backlog.push(live, &state.jobs);
        state.next = state.jobs.next();
        self.set_task_timer(task);
        observer.released(&job);
    }

    /// Appends a job to those of its task, which becomes ready if it was not.
    #[inline]
    pub(super) fn make_ready(&mut self, task: usize, live: &Live, now: Instant) {
        let state = &mut self.tree.tasks[task];
        let node = &mut self.tree.nodes[state.node];
        if state.backlog.is_empty() {
            self.kernel.is_called |= node.is_host();
            node.ready.insert(state.key(node.scheduler, &live.job, now));
            self.unsettled.insert(state.node);
        }
    }

    /// The less urgent work that precedes a job of the task that is released now.
    #[inline]
    pub(super) fn take_blocking(&mut self, task: usize, now: Instant) -> Duration {
        let Some(blocking) = &mut self.blocking else { return Duration::ZERO };
        let is_blocked = matches!(blocking.member, NodeMember::Task(own) if own == task);
        if !is_blocked || blocking.from > now || !blocking.is_open {
            return Duration::ZERO;
        }
        blocking.is_open = false;
        self.system.task(self.tree.tasks[task].id).blocking
    }

    /// The same for a server that becomes ready now.
    pub(super) fn block_server(&mut self, node: usize, now: Instant) {
        let Some(blocking) = &mut self.blocking else { return };
        let is_blocked = matches!(blocking.member, NodeMember::Server(own) if own == node);
        if is_blocked && blocking.from <= now && blocking.is_open {
            blocking.is_open = false;
            blocking.left = self.system.section(Member::Server(self.tree.nodes[node].id));
        }
    }
}
