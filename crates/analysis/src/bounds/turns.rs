//! The members of a supply that take turns in a ring: round-robin, plain and weighted.

use super::{Node, Walk};
use crate::effort::{Effort, NoBound};
use crate::finding::{Finding, Form, Local, Method};
use crate::fixed_priority;
use crate::load::Loads;
use crate::supply::{Supply, Turns};
use crate::tree::server_of;
use vorrang_model::system::{Activation, Member, Scheduler, Supply as Described, System, TaskId};
use vorrang_time::Duration;

/// How often visits are looked at again, once some are known to be short.
const ROUNDS: usize = 4;

impl Walk<'_> {
    pub(super) fn turns(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let described = system.supply(node.id);
        let Some(quanta) = quanta(system, described) else {
            let reason = self.why.no_bound(node.id, NoBound::TooLong);
            return self.give_up_below(node.id, Form::Turns, &reason);
        };
        let visits = self.visits(node.supply, &described.members, &quanta, effort);
        for (index, &member) in described.members.iter().enumerate() {
            let provided = turns(node.supply, &quanta, &visits, index);
            effort.restart(described.members.len());
            match member {
                Member::Task(id) => {
                    let node = Node { supply: &provided, form: Form::Turns, ..node };
                    self.task_with_turns(node, id, effort);
                }
                Member::Server(id) => self.members_of(node, id, &provided, Form::Turns, effort),
            }
        }
    }

    fn task_with_turns(&mut self, node: Node<'_>, id: TaskId, effort: &Effort) {
        let nobody = (Duration::ZERO, Loads::new(&[]));
        match self.arrivals.woken(id) {
            None => {
                let own = self.arrivals.member_load(Member::Task(id));
                self.fixed_priority_task(node, id, (&own, None), nobody, effort);
            }
            Some(Ok((interrupt, requests))) => {
                self.woken_task(node, id, (interrupt, &requests), nobody, effort);
            }
            Some(Err(reason)) => {
                let method = Method { local: Local::FixedPriority, form: Form::Turns };
                self.record_task(id, Finding::none(method, reason));
            }
        }
    }

    /// How long a visit to each member takes at most. A task with at most one job at a time, which
    /// is one that responds before the next can arrive, leaves when that is complete.
    fn visits(
        &self,
        parent: &dyn Supply,
        members: &[Member],
        quanta: &[Duration],
        effort: &Effort,
    ) -> Vec<Duration> {
        let mut visits = quanta.to_vec();
        for _ in 0..ROUNDS {
            let known = visits.clone();
            for (index, &member) in members.iter().enumerate() {
                let Member::Task(id) = member else { continue };
                let task = self.system.task(id);
                if known[index] <= task.wcet || task.activation != Activation::Sporadic {
                    continue;
                }
                effort.restart(members.len());
                let provided = turns(parent, quanta, &known, index);
                let (own, none) = (self.arrivals.member_load(member), Loads::new(&[]));
                let found =
                    fixed_priority::response_time(&provided, &own, Duration::ZERO, none, effort);
                if found.is_ok_and(|response| response.bound <= task.min_interarrival) {
                    visits[index] = task.wcet;
                }
            }
            if visits == known {
                break;
            }
        }
        visits
    }
}

/// How much each member may use at one visit; `None` out of range.
fn quanta(system: &System, supply: &Described) -> Option<Vec<Duration>> {
    let is_weighted = supply.scheduler == Scheduler::WeightedRoundRobin;
    let share = |member: &Member| match *member {
        _ if !is_weighted => 1,
        Member::Task(id) => system.task(id).share,
        Member::Server(id) => server_of(system, id).share,
    };
    let of_member = |member| supply.quantum.checked_mul(share(member).into());
    let quanta: Option<Vec<Duration>> = supply.members.iter().map(of_member).collect();
    let quanta = quanta?;
    let sum = |sum: Duration, quantum: &Duration| sum.checked_add(*quantum);
    quanta.iter().try_fold(Duration::ZERO, sum)?;
    Some(quanta)
}

/// What one member has of the turns.
fn turns<'a>(
    parent: &'a dyn Supply,
    quanta: &[Duration],
    visits: &[Duration],
    index: usize,
) -> Turns<'a> {
    let others = visits.iter().enumerate().filter(|(other, _)| *other != index);
    Turns::new(parent, quanta[index], others.map(|(_, visit)| *visit).sum())
}
