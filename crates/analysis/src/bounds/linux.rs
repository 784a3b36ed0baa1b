//! The members of a supply under Linux: `SCHED_DEADLINE` servers by deadline, then the rest by
//! fixed priority.
//!
//! **Runtimes that end late.** Whatever a server has overrun by, its next budgets pay. So in a window that
//! ends with a runtime that ends late it takes the overrun `X` more than its budgets, once: others see it
//! as a section of `X`. A server whose budget is not used up has overrun nothing, so of `n` servers with
//! deadlines the others' `(n − 1) X` delay one of them. Below them it counts when budgets come, not when they
//! are due: a replenishment after an overrun `x` adds `k = floor(x / Q) + 1` budgets at once, the last of them
//! `(k − 1) T` early. So each takes `X + floor(X / Q) Q` there. What its guest lacks of a budget because an
//! earlier one was overrun is in [`Charges`](crate::supply::Charges).

use super::{Node, Walk, server_of};
use crate::coverage::kernel_takes;
use crate::effort::Effort;
use crate::load::Loads;
use crate::supply::Residual;
use vorrang_model::system::{Member, ServerKind, SupplyId, System};
use vorrang_time::Duration;

impl Walk<'_> {
    /// `first` is what the servers with deadlines have, `node` the supply with its routines.
    pub(super) fn linux(&mut self, first: Node<'_>, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let has_deadline = |&member: &Member| match member {
            Member::Server(id) => server_of(system, id).kind == ServerKind::SchedDeadline,
            Member::Task(_) => false,
        };
        let members = &system.supply(node.id).members;
        let (by_deadline, by_priority): (Vec<Member>, Vec<Member>) =
            members.iter().copied().partition(has_deadline);
        let mut loads = node.routines.loads.to_vec();
        loads.extend(by_deadline.iter().map(|&member| self.member_load(member)));
        let of_others = overruns_of_others(system, node, by_deadline.len());
        let of_all = by_deadline.iter().try_fold(Duration::ZERO, |sum, &member| {
            sum.checked_add(besides_budgets(system, member)?)
        });
        let of_all = of_all.unwrap_or(Duration::MAX);
        let left = Residual::new(first.supply, Loads::new(&[]), effort).blocked(of_others);
        let first = if of_others.is_zero() { first } else { after(first, &left) };
        let left = Residual::new(node.supply, Loads::new(&[]), effort).blocked(of_all);
        let node = if of_all.is_zero() { node } else { after(node, &left) };
        self.pseudo_vcpus_give(node, &by_priority, loads.clone(), effort);
        let late = self.edf(first, &by_deadline, effort);
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        self.fixed_priority(node, &by_priority, loads, effort);
    }
}

/// A supply of which sections take a part.
fn after<'a>(node: Node<'a>, left: &'a dyn crate::supply::Supply) -> Node<'a> {
    Node { supply: left, bare_core: false, ..node }
}

/// The longest time by which runtimes of a server end late.
pub(super) fn overrun(system: &System, id: SupplyId) -> Duration {
    let server = server_of(system, id);
    match server.kind {
        ServerKind::SchedDeadline => system.supply(server.on).overrun,
        _ => Duration::ZERO,
    }
}

/// What a server that Linux schedules by its deadline takes in a window besides its budgets.
fn besides_budgets(system: &System, member: Member) -> Option<Duration> {
    let Member::Server(id) = member else { return Some(Duration::ZERO) };
    let (overrun, budget) = (overrun(system, id), server_of(system, id).budget);
    overrun.checked_add(budget.checked_mul(overrun.div_floor(budget))?)
}

/// What the others of so many servers of a supply take at most because their runtimes end late. Where calls
/// are counted its own counts, too: they may be as late as the end of what it overruns.
pub(super) fn overruns_of_others(system: &System, node: Node<'_>, servers: usize) -> Duration {
    let has_kernel = kernel_takes(system, system.core_of(node.id)).is_some();
    let servers = if has_kernel { servers } else { servers.saturating_sub(1) };
    let count = u64::try_from(servers).expect("there are fewer servers");
    system.supply(node.id).overrun.checked_mul(count).unwrap_or(Duration::MAX)
}
