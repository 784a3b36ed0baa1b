//! Pseudo-VCPUs: requests that are held back, credit, and reports of their budget.

use super::one_core::{Choice, OneCore};
use crate::jobs::Plan;
use crate::node::Node;
use crate::observer::{Observer, Running};
use vorrang_mechanisms::interrupt::PseudoVcpu;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_time::Instant;

impl OneCore<'_> {
    /// Whether the pseudo-VCPU of an interrupt, if it has one, lets this request through; if not,
    /// the request is held back.
    pub(super) fn passes(
        &mut self,
        interrupt: usize,
        plan: Plan,
        now: Instant,
        observer: &mut impl Observer,
    ) -> bool {
        let state = &mut self.tree.interrupts[interrupt];
        let Some(place) = state.pseudo_vcpu else { return true };
        let pseudo_vcpu = pseudo_vcpu(&mut self.tree.nodes[place]);
        if pseudo_vcpu.request(now) {
            return true;
        }
        observer.masked(state.id, now);
        state.held.push_back(plan);
        self.set_server_timer(place);
        false
    }

    /// Step 3 for a pseudo-VCPU: its period begins, or a credit is back.
    pub(super) fn replenish_pseudo_vcpu(
        &mut self,
        place: usize,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let runs_own = self.runs_own(place);
        let before = self.tree.nodes[place].server().budget();
        let server = pseudo_vcpu(&mut self.tree.nodes[place]);
        server.runs_own(runs_own);
        server.replenish(now);
        if server.budget() != before {
            self.budget_changed(place, now, observer);
        }
        self.let_through(place, now, observer);
        self.set_server_timer(place);
    }

    /// Whether the interrupt of a pseudo-VCPU, or the task it wakes, has run on it up to now and
    /// is not complete.
    fn runs_own(&self, place: usize) -> bool {
        let pays_for = self.tree.nodes[place].pays_for.expect("it is a pseudo-VCPU");
        let is_own = match self.runs {
            Choice::Routine(node) => self.runs_routine_of(node, pays_for.interrupt),
            // A section that blocks the task is not yet the task.
            Choice::Task(task) => {
                matches!(self.what, Running::Task(_))
                    && self.tree.tasks[task].woken_by == Some(pays_for.interrupt)
            }
            _ => false,
        };
        is_own && !self.is_done && self.paying.contains(&place)
    }

    /// What was held back is requested, as far as the pseudo-VCPU lets it through.
    fn let_through(&mut self, place: usize, now: Instant, observer: &mut impl Observer) {
        let interrupt = self.tree.nodes[place].pays_for.expect("it is a pseudo-VCPU").interrupt;
        while let Some(&plan) = self.tree.interrupts[interrupt].held.front() {
            if !pseudo_vcpu(&mut self.tree.nodes[place]).let_through(now) {
                return;
            }
            self.tree.interrupts[interrupt].held.pop_front();
            self.begin_request(interrupt, Plan { release: now, ..plan }, now, observer);
        }
        let server = pseudo_vcpu(&mut self.tree.nodes[place]);
        if server.is_masked() {
            server.unmask();
            observer.unmasked(self.tree.interrupts[interrupt].id, now);
        }
    }

    /// The routine of the core is complete: the interrupt is in the guest.
    pub(super) fn enter_guest(
        &mut self,
        interrupt: usize,
        merged: bool,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let Some(place) = self.tree.interrupts[interrupt].pseudo_vcpu else { return };
        let server = pseudo_vcpu(&mut self.tree.nodes[place]);
        let before = server.budget();
        server.enter(merged);
        if server.budget() != before {
            self.budget_changed(place, now, observer);
        }
    }

    /// An interrupt is handled and leaves the guest.
    pub(super) fn leave_guest(
        &mut self,
        interrupt: usize,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let Some(place) = self.tree.interrupts[interrupt].pseudo_vcpu else { return };
        let server = pseudo_vcpu(&mut self.tree.nodes[place]);
        let before = server.budget();
        server.leave();
        if server.budget() != before {
            self.budget_changed(place, now, observer);
        }
    }

    /// The budget of a pseudo-VCPU is another one now; one that is empty loses its place.
    pub(super) fn budget_changed(
        &mut self,
        place: usize,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let node = &mut self.tree.nodes[place];
        let pays_for = node.pays_for.expect("it is a pseudo-VCPU");
        let left = node.server().budget();
        observer.pseudo_vcpu_budget(pays_for.id, left, now);
        if left.is_zero() && self.tree.nodes[place].listed.is_some() {
            self.unlist(place);
        }
        self.unsettled.insert(place);
    }
}

fn pseudo_vcpu(node: &mut Node) -> &mut PseudoVcpu {
    match node.server() {
        AnyServer::PseudoVcpu(server) => server,
        _ => unreachable!("the node is a pseudo-VCPU"),
    }
}
