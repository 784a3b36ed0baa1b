//! Throttling of the real-time threads of a core: whether it may begin, and what it leaves of the core.

use super::{Fold, Node};
use crate::core::{busy, carried, in_levels, is_never_reached, used_by};
use crate::coverage::{ByDeadline, kernel_takes};
use crate::demand::{Load, Loads};
use crate::feature::{CostFeature, SchedulingFeature};
use crate::ground::{Assumption, Effort, OfKernel, Reason, Source};
use crate::overhead::is_shielded;
use crate::request::{Competitor, Urgency, with_ranked};
use crate::supply::Throttled;
use vorrang_model::system::{Member, RtLimit, RtThrottling, Scheduler, Supply, SupplyId};
use vorrang_time::Duration;

/// What the members of a core take that come before those with priorities, or beside them.
#[derive(Clone, Copy, Default)]
pub(super) struct Beside<'l, 'a> {
    /// Routines, then servers with deadlines.
    pub(super) loads: &'l [Load<'a>],
    /// What these servers take besides, once.
    pub(super) besides: Duration,
    pub(super) by_deadline: &'l [ByDeadline<'l>],
    /// By how much each of them exceeds a budget at most.
    pub(super) overdrawn: &'l [Duration],
}

/// What throttling does to the members with priorities.
pub(super) enum Throttling {
    /// Nothing, whatever happens.
    Never,
    /// Nothing, if this is so.
    Assumed(Assumption),
    /// They have this supply, if that is so.
    Leaves(Throttled, Assumption),
    /// They have no bound.
    Unbounded(Reason),
    /// Nothing on the core has one.
    NotCovered(Reason),
}

impl Fold<'_> {
    /// What throttling does to `members` of a core.
    pub(super) fn throttling(
        &self,
        node: Node<'_>,
        members: &[Member],
        beside: Beside<'_, '_>,
        effort: &Effort,
    ) -> Throttling {
        let Supply { name, rt_throttling, .. } = self.system.supply(node.id);
        let core = || name.clone();
        let limit = match *rt_throttling {
            _ if !self.is_of_linux(node.id) => return Throttling::Never,
            RtThrottling::Never => return Throttling::Never,
            RtThrottling::NotStated => RtLimit::OF_LINUX,
            RtThrottling::After(limit) => limit,
        };
        if !self.is_reached(node, members, (limit, beside), effort) {
            return Throttling::Never;
        }
        if rt_throttling.limit().is_none() {
            return Throttling::Assumed(Assumption::OfKernel(OfKernel::NotThrottled {
                core: core(),
            }));
        }
        if let Some(beside) = self.costs_beside(node.id) {
            let feature = CostFeature::Throttled { core: core(), beside };
            return Throttling::NotCovered(Reason::not_covered(feature));
        }
        let Some(carried) = self.carried(node, (limit, beside), effort) else {
            let feature = SchedulingFeature::ThrottledBesideReservations { core: core() };
            return Throttling::Unbounded(Reason::not_covered(feature));
        };
        let assumed = OfKernel::Throttled { core: core(), late: limit.late };
        Throttling::Leaves(Throttled::new(limit, carried), Assumption::OfKernel(assumed))
    }

    /// The members of a supply that all go by priority; those of a core that is applied to Linux may be throttled there.
    pub(super) fn by_priority(&mut self, node: Node<'_>, members: &[Member], effort: &Effort) {
        let loads = node.routines.loads.to_vec();
        self.pseudo_vcpus_give(node, members, loads.clone(), effort);
        let beside = Beside { loads: &loads, ..Beside::default() };
        let throttling = self.throttling(node, members, beside, effort);
        self.fixed_priority(node, members, loads, effort);
        if let Throttling::Assumed(assumed) = throttling {
            self.all_rest_on(members, &assumed);
        }
    }

    /// Whether it is a core under Linux, by its scheduler or because it is applied to a processor.
    fn is_of_linux(&self, id: SupplyId) -> bool {
        let supply = self.system.supply(id);
        let is_linux = supply.scheduler == Scheduler::Linux;
        supply.is_core() && (is_linux || self.system.host.cpus.contains_key(&supply.name))
    }

    /// Whether a history may be throttled.
    fn is_reached(
        &self,
        node: Node<'_>,
        members: &[Member],
        (limit, beside): (RtLimit, Beside<'_, '_>),
        effort: &Effort,
    ) -> bool {
        let Ok(ranked) = self.arrivals.ranked(node.id, members) else { return true };
        let Some(last) = ranked.last() else { return false };
        let urgency = match last.who {
            Competitor::Member(member) => Urgency::of_member(self.system, member),
            Competitor::PseudoVcpu(own) => Urgency::of_pseudo_vcpu(self.system, own),
        };
        // A task is counted by its jobs. A server may get ready many times in a period, and its context be cold each time.
        let before = node.machine.map(|machine| match last.who {
            Competitor::Member(Member::Server(_)) => machine.of_all(urgency),
            Competitor::Member(Member::Task(_)) | Competitor::PseudoVcpu(_) => {
                machine.before(last.who, urgency)
            }
        });
        let before = before.unwrap_or_default();
        let Ok(inside) = in_levels(&self.arrivals, &ranked) else { return true };
        let mut all = with_ranked(beside.loads.to_vec(), &ranked);
        used_by(&mut all[beside.loads.len()..], &inside);
        all.extend(&before.loads);
        if let Competitor::Member(Member::Task(task)) = last.who {
            let around = node.around_job(task) * self.arrivals.jobs_at_once(task);
            all.push(last.takes.storm.with(Source::Task(task), around));
        }
        // Sections count, and each job may find one: windows of a period have many busy windows.
        for own in &ranked {
            let Competitor::Member(member) = own.who else { continue };
            let around = node.machine.map_or(Duration::ZERO, |own| own.around_section(member));
            let blocking = self.system.blocking(member);
            match member {
                _ if blocking.is_zero() && around.is_zero() => {}
                // How often the guest of a server wakes is not counted.
                Member::Server(_) => return true,
                Member::Task(task) => {
                    let Some(section) = blocking.checked_add(around) else { return true };
                    all.push(own.takes.storm.with(Source::Task(task), section));
                }
            }
        }
        let Some(once) = before.blocking.checked_add(beside.besides) else { return true };
        !is_never_reached(limit, (once, Loads::new(&all)), effort)
    }

    /// What costs time where throttling begins and ends.
    fn costs_beside(&self, core: SupplyId) -> Option<&'static str> {
        if kernel_takes(self.system, core).is_some() {
            Some("costs of the kernel")
        } else if !self.system.supply(core).sections.is_zero() {
            Some("sections that are not preempted")
        } else {
            is_shielded(self.system, core).then_some("a shield of timers")
        }
    }

    /// What is counted at most when a period begins.
    fn carried(
        &self,
        node: Node<'_>,
        (limit, beside): (RtLimit, Beside<'_, '_>),
        effort: &Effort,
    ) -> Option<Duration> {
        let Beside { loads, besides, by_deadline, overdrawn } = beside;
        let first = loads.len() - by_deadline.len();
        let is_counted = |own: &ByDeadline<'_>| match own.member() {
            Member::Server(id) => !self.system.supply(id).serves_other,
            Member::Task(_) => true,
        };
        let counted = by_deadline.iter().zip(&loads[first..]).zip(overdrawn);
        let counted = counted.filter(|((own, _), _)| is_counted(own));
        let (counted, overdrawn): (Vec<Load<'_>>, Vec<Duration>) =
            counted.map(|((_, load), overdrawn)| (*load, *overdrawn)).unzip();
        let once = overdrawn.iter().try_fold(besides, |sum, own| sum.checked_add(*own))?;
        let before = node.before_all(self.system);
        let mut all = loads.to_vec();
        all.extend(&before.loads);
        let at_once = besides.checked_add(before.blocking)?;
        let busy = if counted.is_empty() {
            Duration::ZERO
        } else {
            busy((at_once, Loads::new(&all)), effort).ok()?
        };
        carried(limit, (once, Loads::new(&counted)), busy, effort).ok()
    }
}
