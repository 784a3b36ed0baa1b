//! Step 5 of an instant: levels, wake-ups and sleeps of servers.

use super::Simulator;
use crate::observer::Observer;
use vorrang_mechanisms::scheduler::fixed_priority;
use vorrang_mechanisms::server::Server as _;
use vorrang_model::system::Scheduler;
use vorrang_time::Instant;

impl Simulator<'_> {
    /// Step 5: what follows for servers, from the innermost outwards.
    #[inline]
    pub(super) fn settle(&mut self, now: Instant, observer: &mut impl Observer) {
        while let Some(node) = self.unsettled.take_last() {
            for place in 0..self.tree.nodes[node].sporadic.len() {
                let member = self.tree.nodes[node].sporadic[place];
                self.settle_level(node, member, now);
            }
            if node > 0 {
                self.settle_readiness(node, now, observer);
            }
        }
    }

    /// Tells a sporadic member of a node whether its level is active.
    fn settle_level(&mut self, node: usize, member: usize, now: Instant) {
        let priority = self.tree.nodes[member].priority;
        let first = self.tree.nodes[node].ready.first();
        let active = first.is_some_and(|key| fixed_priority::is_at_least_as_urgent(key, priority))
            || !self.tree.nodes[node].routines.is_empty();
        self.tree.nodes[member].server().level(now, active);
        self.set_server_timer(member);
    }

    /// Wakes a server whose guest got work; puts it into, or takes it out of, the parent's queue.
    fn settle_readiness(&mut self, place: usize, now: Instant, observer: &mut impl Observer) {
        let (parents, rest) = self.tree.nodes.split_at_mut(place);
        let node = &mut rest[0];
        let parent = &mut parents[node.parent];
        let has_work = node.has_work();
        let server = node.server.as_mut().expect("only the core is no server");
        if has_work && !node.had_work {
            let before = server.budget();
            server.wake(now);
            if server.budget() != before {
                observer.budget(node.id, server.budget(), now);
            }
        }
        self.kernel.is_called |= has_work != node.had_work && parent.is_host();
        node.had_work = has_work;
        let is_ready = !server.budget().is_zero() && (has_work || server.idles());
        let key = match node.listed {
            _ if !is_ready => None,
            Some(key) if parent.scheduler == Scheduler::FixedPriority => Some(key),
            _ => Some(node.key(parent.scheduler, now)),
        };
        if key != node.listed {
            if node.listed.is_some() {
                parent.ready.remove(node.declared);
            }
            if let Some(key) = key {
                parent.ready.insert(key);
            }
            node.listed = key;
            self.unsettled.insert(node.parent);
        }
    }
}
