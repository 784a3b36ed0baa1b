//! Tasks among members of the same priority, once more: with what comes before them because it was ready first.
//!
//! Theory: docs/theory/first-come.md.

use super::{Fold, Node};
use crate::core::is_plain_task;
use crate::demand::{Load, Loads};
use crate::derivation::{OfInterference, OfResponse};
use crate::finding::{Finding, Local};
use crate::fixed_priority::{Equal, FirstCome, Stints, Worst};
use crate::ground::Assumption;
use crate::ground::Effort;
use crate::ground::Source;
use crate::overhead::CoreInterference;
use crate::request::{Competitor, Ranked, equals};
use crate::server_kind::{Idle, Sheet};
use crate::supply::{Residual, Supply};
use vorrang_model::system::{Member, SupplyId, TaskId};

impl<'s> Fold<'s> {
    /// The tasks of a supply that have equals, with bounds already, once more; `first` of the `loads` come before all members.
    pub(super) fn first_come(
        &mut self,
        node: Node<'_>,
        ranked: &[Ranked<'_>],
        (loads, first): (&[Load<'_>], usize),
    ) {
        let takes_nothing = node.machine.is_none_or(CoreInterference::is_idle);
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        let is_first_come = self.system.supply(node.id).time_slice.is_none();
        if !takes_nothing || node.cold.is_some() || !is_first_come {
            return;
        }
        let mut begin = 0;
        while begin < ranked.len() {
            let end = begin + equals(ranked, begin);
            if end - begin > 1 {
                let (urgent, own) = (&loads[..first + begin], &loads[first + begin..first + end]);
                self.among_equals(node, &ranked[begin..end], (urgent, own), &effort);
            }
            begin = end;
        }
    }

    /// The tasks of one priority.
    fn among_equals(
        &mut self,
        node: Node<'_>,
        ranked: &[Ranked<'_>],
        (urgent, own): (&[Load<'_>], &[Load<'_>]),
        effort: &Effort,
    ) {
        let supply = node.supply;
        let more_urgent = Residual::new(supply, Loads::new(urgent), effort);
        for (place, ranked_own) in ranked.iter().enumerate() {
            let Competitor::Member(Member::Task(task)) = ranked_own.who else { continue };
            let Some(known) = self.tasks[task.0].as_ref().and_then(Finding::bound) else {
                continue;
            };
            effort.restart(ranked.len());
            let others = ranked.iter().zip(own).enumerate();
            let others = others.filter(|(other, _)| *other != place);
            let others =
                others.map(|(_, (other, load))| self.equal(other.who, *load, &more_urgent));
            let Some(others) = others.collect::<Option<Vec<Equal<'_>>>>() else { return };
            if self.equal(ranked_own.who, own[place], &more_urgent).is_none() {
                continue;
            }
            let urgent = Loads::new(urgent);
            let among = FirstCome { supply, own: own[place], urgent, equals: &others, effort };
            if let Ok(Some(worst)) = among.response(known) {
                self.comes_first(node, task, &among, worst);
            }
        }
    }

    /// A member as one that may come first; none if something of it is not covered.
    fn equal<'a>(
        &self,
        who: Competitor,
        load: Load<'a>,
        more_urgent: &Residual<'_>,
    ) -> Option<Equal<'a>>
    where
        's: 'a,
    {
        let Competitor::Member(member) = who else { return None };
        if !self.system.blocking(member).is_zero() {
            return None;
        }
        let server = match member {
            Member::Task(task) => {
                let is_plain =
                    is_plain_task(&self.arrivals, task) && self.arrivals.woken(task).is_none();
                let bound = self.tasks[task.0].as_ref().and_then(Finding::bound);
                let ends = bound.is_some_and(|bound| bound <= load.arrivals.period);
                let stints = if ends { Stints::One } else { Stints::Any };
                return is_plain.then_some(Equal { load, stints, fresh: None });
            }
            Member::Server(server) => server,
        };
        let own = self.system.supply(server).server()?;
        let idle = Sheet::of_server(own).idle;
        let stints = match idle {
            Idle::KeptInPeriod => {
                let received = more_urgent.after_own(own.budget).time_for(own.budget);
                if received.is_ok_and(|time| time <= own.period) {
                    Stints::Kept
                } else {
                    Stints::Any
                }
            }
            Idle::Spent | Idle::Lost if matches!(self.guaranteed[server.0], Some(Ok(_))) => {
                Stints::One
            }
            Idle::Spent | Idle::Lost | Idle::Kept => Stints::Any,
            Idle::KeptWithDeadline | Idle::NotCovered => return None,
        };
        let keeps = idle == Idle::KeptInPeriod && load.used_by.is_some();
        let fresh = if keeps { self.fresh_in(server) } else { None };
        Some(Equal { load, stints, fresh })
    }

    /// The tasks of a server from an instant on at which none of them waits; none if it has servers in it, or sections.
    fn fresh_in(&self, id: SupplyId) -> Option<Vec<Load<'s>>> {
        let fresh = |member: &Member| match *member {
            Member::Task(task) if self.system.blocking(Member::Task(task)).is_zero() => {
                self.arrivals.load_of(*member).ok()
            }
            _ => None,
        };
        self.system.supply(id).members.iter().map(fresh).collect()
    }

    /// The bound of a task is less because it is not last.
    fn comes_first(&mut self, node: Node<'_>, task: TaskId, among: &FirstCome<'_>, worst: Worst) {
        let Worst { bound, released, until, window, own, equals } = worst;
        let Some(work) = own.checked_add(equals) else { return };
        let derivation = self.derived(Source::Task(task), |to| {
            let of = among.own.source;
            to.push(OfResponse::FirstCome { of, released, until, window, bound });
            let cost = among.own.cost;
            to.indented(|to| to.push(OfResponse::OwnWork { count: own.div_ceil(cost), cost }));
            to.indented(|to| to.push(OfInterference::FirstCome(equals)));
            let demand = to.terms(work, among.urgent, window);
            to.cite("x = supply(own + equals that were ready first + sum ceil((x+J)/T) C), Martin, Minet, George 2005; docs/theory/first-come.md");
            node.supply.derive(demand, to);
        });
        self.draw_task(task, (node.supply, window, bound), (work, among.urgent));
        self.record_bound(node, task, Local::FixedPriority, Ok(bound), derivation);
        assume_first_come(&mut self.tasks[task.0]);
        let rests = |load: &Load<'_>| load.used_by.is_some();
        if among.urgent.iter().any(rests) || among.equals.iter().any(|equal| rests(&equal.load)) {
            self.rests_on_work(Member::Task(task));
        }
    }
}

/// A bound rests on the order of equals.
pub(super) fn assume_first_come(finding: &mut Option<Finding>) {
    if let Some(Ok(proof)) = finding.as_mut().map(|finding| finding.found.as_mut())
        && !proof.assumptions.contains(&Assumption::FirstCome)
    {
        proof.assumptions.push(Assumption::FirstCome);
        proof.assumptions.sort_unstable();
    }
}

/// Whether a bound rests on the order of equals.
pub(super) fn rests_on_first_come(finding: Option<&Finding>) -> bool {
    finding.is_some_and(|finding| finding.assumptions().contains(&Assumption::FirstCome))
}
