//! The core stops members without a reservation of Linux when they have run for too long.

use super::one_core::{Choice, OneCore};
use crate::history::History;
use crate::node::NodeMember;
use vorrang_mechanisms::server::AnyServer;
use vorrang_mechanisms::throttling::Throttling;
use vorrang_time::{Duration, Instant};

impl OneCore<'_> {
    pub(super) fn reset_throttling(&mut self, history: &History) {
        let core = self.core();
        self.real_time.forget();
        let due = self.real_time.state.as_mut().map_or(Instant::NEVER, |state| {
            let first = Instant::ZERO + history.phase(core);
            state.reset(first, history.overrun(self.system, core));
            state.due()
        });
        self.timers.set(self.entities.throttling, due);
    }

    /// The timer expires.
    pub(super) fn expire_throttling(&mut self) {
        let state = self.real_time.state.as_mut().expect("its timer has expired");
        self.kernel.is_called |= state.expire();
        self.timers.set(self.entities.throttling, state.due());
    }

    /// The member of the core that runs if it has time, unless that waits for the next period.
    #[inline]
    pub(super) fn chosen_of_core(&self) -> Option<u32> {
        let core = &self.tree.nodes[0];
        let chosen = core.ready.chosen()?;
        let waits = self.real_time.is_on() && self.reservation(chosen).is_none();
        (!waits).then_some(chosen)
    }

    /// The member of a supply that runs, and for how long at most because of throttling.
    #[inline]
    pub(super) fn chosen_on(&mut self, place: usize, budget: &mut Duration) -> Option<u32> {
        if place > 0 {
            let chosen = self.tree.nodes[place].ready.chosen()?;
            return Some(self.goes_on(place, chosen));
        }
        let chosen = self.chosen_of_core()?;
        let chosen = self.goes_on(place, chosen);
        *budget = self.begin_counting(chosen);
        Some(chosen)
    }

    /// What runs instead of the most urgent member: a job that has begun and is not interrupted.
    #[inline]
    pub(super) fn goes_on(&self, place: usize, chosen: u32) -> u32 {
        let node = &self.tree.nodes[place];
        let Some(held) = node.kept_by else { return chosen };
        match node.members[chosen as usize] {
            NodeMember::Server(first) if self.is_reservation(first) => chosen,
            _ => held,
        }
    }

    /// The server of Linux that a member of the core is.
    fn reservation(&self, member: u32) -> Option<usize> {
        match self.tree.nodes[0].members[member as usize] {
            NodeMember::Server(node) => self.is_reservation(node).then_some(node),
            NodeMember::Task(_) => None,
        }
    }

    fn is_reservation(&self, node: usize) -> bool {
        matches!(self.tree.nodes[node].server, Some(AnyServer::SchedDeadline(_)))
    }

    /// For how long a member of the core may run that has it now: until members wait from then on.
    #[inline]
    fn begin_counting(&mut self, member: u32) -> Duration {
        if self.real_time.state.is_none() {
            return Duration::MAX;
        }
        self.real_time.counts = self.reservation(member).is_none_or(|node| self.is_counted(node));
        let ends = |state: &&Throttling| self.real_time.counts && !state.is_on();
        self.real_time.state.as_ref().filter(ends).map_or(Duration::MAX, Throttling::left)
    }

    /// A server is charged for a routine, which counts with its time.
    #[inline]
    pub(super) fn count_charged(&mut self, node: usize) {
        self.real_time.counts = self.real_time.state.is_some() && self.is_counted(node);
    }

    /// Whether the time of a server counts: not where Linux keeps it for other threads.
    fn is_counted(&self, node: usize) -> bool {
        !self.system.supply(self.tree.nodes[node].id).serves_other
    }

    /// What ran had the core for so long.
    #[inline]
    pub(super) fn count(&mut self, amount: Duration) {
        debug_assert!(!self.real_time.counts || self.runs != Choice::Kernel);
        if self.real_time.counts
            && let Some(state) = &mut self.real_time.state
        {
            self.kernel.is_called |= state.count(amount);
        }
    }
}
