//! Servers with deadlines of which some reclaim: these are charged no more than the time that they take.
//!
//! **Theorem.** A server that reclaims provides no less than without where it is the only member with a deadline, and where no budget of it
//! is used up. To everything else it is the work in it, for its budgets limit nothing.
//!
//! **Assumptions.** 1. A unit of time is charged as one at most. 2. Those of the theorems about budgets that are never used up.
//!
//! **Does not cover** several members with deadlines one of which reclaims and may use up a budget.
//!
//! Theory: docs/theory/reclaiming.md.

use super::{Fold, Node};
use crate::coverage::{ByDeadline, ServerMember};
use crate::demand::Load;
use crate::edf::{Analysis, Contender, Work};
use crate::feature::SchedulingFeature;
use crate::ground::{Effort, Reason};
use crate::overhead::{overrun, pays_for_routines};

impl<'s> Fold<'s> {
    /// Whether budgets say what each member with a deadline demands.
    ///
    /// # Errors
    /// One of them reclaims, and others may wait for more than its budgets.
    pub(super) fn keeps_budgets(
        &self,
        node: Node<'_>,
        by_deadline: &[ByDeadline<'_>],
    ) -> Result<(), Reason> {
        let Some(own) = by_deadline.iter().find_map(reclaiming) else { return Ok(()) };
        let is_alone =
            by_deadline.len() == 1 && own.server.relative_deadline() == own.server.period;
        let is_used_by_its_guest = node.takes_nothing()
            && overrun(self.system, own.id).is_zero()
            && !pays_for_routines(self.system, own.id);
        if is_alone && (is_used_by_its_guest || self.lasts_alone(node, by_deadline).is_some()) {
            return Ok(());
        }
        Err(self.reclaims(own))
    }

    /// What is below servers with deadlines waits for all that one of them reclaims, unless it is known what is asked for in it.
    ///
    /// # Errors
    /// It is not known.
    pub(super) fn all_is_asked(
        &self,
        by_deadline: &[ByDeadline<'_>],
        asked: &[Option<Vec<Load<'s>>>],
    ) -> Result<(), Reason> {
        let mut all = by_deadline.iter().zip(asked);
        let unknown = all.find_map(|(own, asked)| reclaiming(own).filter(|_| asked.is_none()));
        unknown.map_or(Ok(()), |own| Err(self.reclaims(own)))
    }

    /// Members with deadlines beside servers that reclaim, if these never use a budget up.
    pub(super) fn beside_what_reclaims(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        by_deadline: &[ByDeadline<'_>],
    ) {
        if by_deadline.iter().all(|own| reclaiming(own).is_none()) {
            return;
        }
        // One that may use its budget up goes on like a soft one: nothing limits what it takes.
        let member = |own| -> Result<Contender<'_>, Reason> {
            let contender = self.contender(node, own)?;
            let work = reclaiming(own).map_or(contender.work, |_| Work::SoftBandwidth);
            Ok(Contender { work, ..contender })
        };
        let Ok(members) = by_deadline.iter().map(member).collect::<Result<Vec<_>, _>>() else {
            return;
        };
        let analysis = Analysis::new((node.supply, node.bare_core), &members, effort);
        self.edf_overbooked((node, effort), by_deadline, &analysis);
    }

    fn reclaims(&self, ServerMember { id, server }: ServerMember<'_>) -> Reason {
        let (server, kind) = (self.system.supply(id).name.clone(), server.kind());
        Reason::not_covered(SchedulingFeature::Reclaiming { server, kind })
    }
}

/// A member that is a server and reclaims.
fn reclaiming<'s>(own: &ByDeadline<'s>) -> Option<ServerMember<'s>> {
    match own {
        ByDeadline::Server(own, _) if own.server.reclaims() => Some(*own),
        ByDeadline::Server(..) | ByDeadline::Task(..) => None,
    }
}
