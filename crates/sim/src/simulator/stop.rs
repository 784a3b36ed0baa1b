//! After the decision: servers that ran until now and do not run any more.

use super::advance::tell_exhausted;
use super::one_core::OneCore;
use crate::observer::{Observer, Payer};
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::Instant;

impl OneCore<'_> {
    /// Reports to queues of refills that something else has the core from now on. Changes of their budgets
    /// follow at this instant; the decision stands, because it was for something else.
    #[inline]
    pub(super) fn stop_servers(&mut self, now: Instant, observer: &mut impl Observer) {
        let mut any = false;
        for place in 0..self.paid.len() {
            let node = self.paid[place];
            if !self.paying.contains(&node) {
                any |= self.stop_server(node, now, observer);
            }
        }
        self.paid.clear();
        let nodes = &self.tree.nodes;
        let is_told =
            |&&node: &&usize| matches!(nodes[node].server, Some(AnyServer::RefillQueue(_)));
        self.paid.extend(self.paying.iter().filter(is_told));
        if any {
            self.settle(now, observer);
            observer.runs(self.what, now);
        }
    }

    /// Whether its budget is another one now.
    fn stop_server(&mut self, node: usize, now: Instant, observer: &mut impl Observer) -> bool {
        let server = self.tree.nodes[node].server();
        let before = server.budget();
        server.stop(now);
        let (goes_behind, left) = (server.goes_behind(), server.budget());
        if left == before && !goes_behind {
            return false;
        }
        let id = self.tree.nodes[node].id;
        if goes_behind {
            tell_exhausted(Payer::Server(id), left, now, observer);
        } else {
            observer.budget(id, left, now);
        }
        if left.is_zero() {
            observer.exhausted(id, now);
        }
        if left.is_zero() || goes_behind {
            self.unlist(node);
            self.set_server_timer(node);
        }
        true
    }
}
