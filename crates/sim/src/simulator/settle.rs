//! Step 5 of an instant: levels, wake-ups and sleeps of servers.

use super::one_core::OneCore;
use crate::observer::Observer;
use vorrang_mechanisms::server::Server as _;
use vorrang_time::Instant;

/// This many sporadic servers get their level in about the time of a step.
const TOLD: u64 = 8;

impl OneCore<'_> {
    /// Step 5: what follows for servers, from the innermost outwards.
    #[inline]
    pub(super) fn settle(&mut self, now: Instant, observer: &mut impl Observer) {
        while let Some(node) = self.unsettled.take_last() {
            // Each of them gets its level.
            self.take_steps(self.tree.nodes[node].sporadic.len() as u64 / TOLD);
            for place in 0..self.tree.nodes[node].sporadic.len() {
                let member = self.tree.nodes[node].sporadic[place];
                self.settle_level(node, member, now);
            }
            self.tree.nodes[node].ready.settle();
            if node > 0 {
                self.settle_readiness(node, now, observer);
                for pseudo_vcpu in self.tree.nodes[node].pseudo_vcpus.clone() {
                    self.settle_readiness(pseudo_vcpu, now, observer);
                }
            }
        }
    }

    /// Tells a sporadic member of a node whether its level is active.
    fn settle_level(&mut self, node: usize, member: usize, now: Instant) {
        let priority = self.tree.nodes[member].priority;
        let parent = &self.tree.nodes[node];
        let active = parent.is_up(priority) || !parent.routines.is_empty();
        self.tree.nodes[member].server().level(now, active);
        self.set_server_timer(member);
    }

    /// Puts a server into, or takes it out of, the parent's queue.
    fn settle_readiness(&mut self, place: usize, now: Instant, observer: &mut impl Observer) {
        match self.tree.nodes[place].pays_for {
            None => self.tell_server(place, now, observer),
            Some(own) => self.tree.nodes[place].had_work = self.tree.nodes[own.guest].has_work(),
        }
        let (parents, rest) = self.tree.nodes.split_at_mut(place);
        let node = &mut rest[0];
        let parent = &mut parents[node.parent];
        let server = node.server.as_ref().expect("only the core is no server");
        let is_ready = if server.budget().is_zero() {
            server.background()
        } else {
            node.had_work || server.idles()
        };
        let key = match node.listed {
            _ if !is_ready => None,
            Some(key) => Some(node.key_after(key, parent.scheduler, now)),
            None => Some(node.key(parent.scheduler, now)),
        };
        if key != node.listed {
            if node.listed.is_some() {
                parent.ready.remove(node.declared);
            }
            if let Some(key) = key {
                parent.ready.insert(key);
            }
            let pays = node.pays_for.is_some() && key.is_some() != node.listed.is_some();
            self.kernel.is_called |= pays && parent.is_host();
            let becomes_ready = node.listed.is_none();
            node.listed = key;
            self.unsettled.insert(node.parent);
            if becomes_ready {
                self.block_server(place, now);
            }
        }
    }

    /// Reports to a server whether its guest has something ready, if its rule depends on that.
    #[inline]
    fn tell_server(&mut self, place: usize, now: Instant, observer: &mut impl Observer) {
        let node = &mut self.tree.nodes[place];
        let has_work = node.has_work();
        let changed = has_work != core::mem::replace(&mut node.had_work, has_work);
        let replenished = core::mem::take(&mut node.replenished);
        if !changed && (has_work || !replenished) {
            return;
        }
        let server = node.server.as_mut().expect("only the core is no server");
        let before = server.budget();
        if has_work {
            server.wake(now);
        } else {
            server.sleep(now);
        }
        if server.due() <= now {
            // Overdue refills return at once.
            server.replenish(now);
        }
        if server.budget() != before {
            observer.budget(node.id, server.budget(), now);
        }
        self.kernel.is_called |= changed && self.tree.parent(place).is_host();
        self.tree.count_bandwidth(place);
        self.set_server_timer(place);
    }
}
