//! The only member of a supply with a deadline, a server whose guest never uses a budget up, once more as a server without one.
//!
//! **Theorem.** Take the server as a level before all others. Its guest wakes up to a pair that it keeps only if it has used more than its
//! bandwidth since the last fresh start: `a` after that at most. It is never ready for longer than `Z`. If all that is used, or charged,
//! in a window of `a + Z` is less than the budget, no budget is ever used up, and how runtimes end and come back does not matter.
//!
//! **Assumptions.** 1. The tasks that are described are all work in it, but for what holds them up. 2. Its deadline is the end of its
//! period.
//!
//! **Cost.** One look at all loads per step of the search for `a`, at most [`STEPS`] of them; then its guest is looked at twice.
//!
//! Theory: docs/theory/unthrottled.md.

use super::never_used_up::{Used, with_losses};
use super::{Fold, Node};
use crate::core::charges;
use crate::coverage::{ByDeadline, ServerMember};
use crate::demand::{Interference, Load, Loads};
use crate::derivation::OfSupply;
use crate::ground::{
    Assumption, Effort, LONGEST_WINDOW, Source, has_blocked_server, sections_within,
};
use crate::overhead::{loss_lines_of_runs, pays_for_routines};
use crate::request::reserved::has_pseudo_vcpu;
use crate::request::{Card, Competitor, Urgency};
use crate::server_kind::{Idle, Returns, Sheet};
use crate::supply::{Residual, Supply};
use vorrang_model::system::{Member, Server, SupplyId, TaskId};
use vorrang_time::Duration;

/// How often the search for the last pair that is kept takes a step; what it has then is a bound, too.
const STEPS: usize = 32;

/// The routines that are charged to a server.
struct Charged<'a> {
    requested: Vec<Load<'a>>,
    /// One that runs has been requested so long ago at most, when nothing else was.
    within: Duration,
}

/// All that a budget is used for.
struct Paid<'a> {
    used: Used<'a>,
    charged: Charged<'a>,
}

impl<'s> Fold<'s> {
    /// What is used of a budget at most until the server starts afresh, if it is the only member with a deadline and that is less
    /// than the budget.
    pub(super) fn lasts_alone(
        &self,
        node: Node<'_>,
        by_deadline: &[ByDeadline<'_>],
    ) -> Option<Duration> {
        let [ByDeadline::Server(own, _)] = *by_deadline else { return None };
        let effort = self.refinements.as_ref().map(Effort::another)?;
        let paid = self.is_paid_by_deadline(own).then(|| self.paid_of(node, own, &effort))??;
        let before = before_all_others(node, own.id);
        let level = level(node, &before, &effort);
        self.most_before_afresh(own, &paid, &level, &effort)
    }

    /// What is in that server, once more as in a level.
    pub(super) fn alone_by_deadline(&mut self, node: Node<'_>, by_deadline: &[ByDeadline<'_>]) {
        let Some(used) = self.lasts_alone(node, by_deadline) else { return };
        let [ByDeadline::Server(ServerMember { id, server }, _)] = *by_deadline else { return };
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        let interference = before_all_others(node, id);
        let level = level(node, &interference, &effort);
        let before = self.found_below(id);
        self.forget(id);
        self.put_back_of(id, &before);
        self.level_of(node, id, (level, None), &effort);
        self.all_rest_on(&[Member::Server(id)], &self.budget_lasts(id));
        let Server { budget, period, .. } = *server;
        let fact = OfSupply::NeverUsedUp { of: Source::Server(id), used, budget, period };
        self.keep_lesser_below(id, before, &fact);
    }

    pub(super) fn budget_lasts(&self, id: SupplyId) -> Assumption {
        Assumption::BudgetLasts { server: self.system.supply(id).name.clone() }
    }

    /// Whether nothing but its budget keeps a server from being a level, and all that is paid of that is known.
    fn is_paid_by_deadline(&self, own: ServerMember<'_>) -> bool {
        let ServerMember { id, server } = own;
        let (system, sheet) = (self.system, Sheet::of_server(server));
        let takes_packets =
            |task: TaskId| Card::polled_by(system, task).or(Card::read_by(system, task)).is_some();
        sheet.idle == Idle::KeptWithDeadline
            && sheet.returns == Returns::AtDeadlines
            && server.relative_deadline() == server.period
            && !system.supply(id).serves_other
            && sections_within(system, id).is_zero()
            && !has_blocked_server(system, id)
            && system.blocking(Member::Server(id)).is_zero()
            && !has_pseudo_vcpu(system, id)
            && !self.tasks_in(id).into_iter().any(takes_packets)
    }

    /// What is paid of a budget; none if something of that is not bounded.
    fn paid_of<'a>(
        &self,
        node: Node<'a>,
        own: ServerMember<'_>,
        effort: &Effort,
    ) -> Option<Paid<'a>>
    where
        's: 'a,
    {
        let used = self.used_in(node, own.id)?;
        let mut charged = Charged { requested: Vec::new(), within: Duration::ZERO };
        if pays_for_routines(self.system, own.id) {
            let of_core = charges(self.core_of(node), own, effort).ok()??;
            let section = node.machine.map_or(Duration::ZERO, |machine| machine.section);
            charged.within = of_core.block.checked_add(section)?;
            charged.requested = of_core.requested;
        }
        Some(Paid { used, charged })
    }

    /// The most that is paid of a budget until the server starts afresh, if that is less than it.
    fn most_before_afresh(
        &self,
        ServerMember { id, server }: ServerMember<'_>,
        paid: &Paid<'_>,
        level: &dyn Supply,
        effort: &Effort,
    ) -> Option<Duration> {
        let Server { budget, period, .. } = *server;
        effort.restart(paid.used.requested.len());
        let ready = paid.used.ready(level, effort).ok()?;
        let waker = paid.least_that_wakes();
        let mut kept = period.saturating_sub(Duration::RESOLUTION);
        for _ in 0..STEPS {
            let before = self.paid_within(id, paid, kept)?.saturating_sub(waker);
            let by = u128::from(before.as_ns()) * u128::from(period.as_ns());
            let by = u64::try_from(by / u128::from(budget.as_ns())).map_or(kept, Duration::from_ns);
            if by >= kept {
                break;
            }
            kept = by;
        }
        let until = kept.checked_add(ready)?.checked_add(paid.charged.within)?;
        self.paid_within(id, paid, until).filter(|most| *most < budget)
    }

    /// The most that is paid from a fresh start on until so long after it, what is requested then included.
    fn paid_within(&self, id: SupplyId, paid: &Paid<'_>, time: Duration) -> Option<Duration> {
        let window = time.checked_add(Duration::RESOLUTION)?;
        let since = window.checked_add(paid.charged.within)?;
        if since > LONGEST_WINDOW {
            return None;
        }
        let work = paid.used.requested_in(window).ok()?;
        let charged = Loads::new(&paid.charged.requested).in_window(since).ok()?;
        let lost = paid.used.lost_in(window).ok()?;
        with_losses((work.checked_add(charged)?, lost), loss_lines_of_runs(self.system, id, lost))
    }
}

impl Paid<'_> {
    /// The least that is requested by what wakes the guest up: servers in it may have budget left.
    fn least_that_wakes(&self) -> Duration {
        let mut least = Duration::MAX;
        for load in &self.used.requested {
            match load.source {
                Source::Task(_) | Source::Interrupt(_) => least = least.min(load.cost),
                _ => return Duration::ZERO,
            }
        }
        if least == Duration::MAX { Duration::ZERO } else { least }
    }
}

/// What comes before a server that goes before all others.
fn before_all_others(node: Node<'_>, id: SupplyId) -> Interference<'_> {
    let own = Competitor::Member(Member::Server(id));
    node.machine.map(|machine| machine.before(own, Urgency::Most)).unwrap_or_default()
}

/// That server as a level.
fn level<'a>(node: Node<'a>, before: &'a Interference<'a>, effort: &'a Effort) -> Residual<'a> {
    let more_urgent = Loads::new(node.routines.loads).after(&before.loads);
    Residual::new(node.supply, more_urgent, effort).blocked(before.blocking)
}
