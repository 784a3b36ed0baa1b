//! Members that take turns in a ring: round-robin, plain and weighted.
//!
//! **Model.** A visit to a member takes its quantum at most, weighted by its share. A task with at most one job at a time
//! leaves its visit when the job is complete, so a visit to it takes no more than the execution time. That a task has at
//! most one job at a time is known once it responds before its next job can arrive, which shorter visits to others make
//! more likely: visits are looked at again, some times.
//!
//! **Assumptions.** 1. Those of [`Turns`]. 2. Visits known so far hold, by induction over the rounds: those of the round before
//! are all that a round uses.
//!
//! Theory: docs/theory/turns.md.

use crate::core::Propagation;
use crate::demand::Loads;
use crate::fixed_priority;
use crate::ground::Effort;
use crate::supply::{Supply, Turns};
use vorrang_model::system::{Activation, Member, Scheduler, Supply as Described, System};
use vorrang_time::Duration;

/// How often visits are looked at again, once some are known to be short.
const ROUNDS: usize = 4;

/// The members of a supply, each with what one visit to it gives, and takes from others.
pub(crate) struct Ring<'a> {
    parent: &'a dyn Supply,
    quanta: Vec<Duration>,
    /// How long a visit to each takes at most.
    visits: Vec<Duration>,
}

impl<'a> Ring<'a> {
    /// The members of `described` on `parent`; `None` out of range.
    pub(crate) fn new(
        arrivals: &Propagation<'_>,
        parent: &'a dyn Supply,
        described: &Described,
        effort: &Effort,
    ) -> Option<Self> {
        let quanta = quanta(arrivals.system, described)?;
        let mut ring = Self { parent, visits: quanta.clone(), quanta };
        for _ in 0..ROUNDS {
            let shorter = ring.shorter_visits(arrivals, &described.members, effort);
            if shorter == ring.visits {
                break;
            }
            ring.visits = shorter;
        }
        Some(ring)
    }

    /// What the member at `index` has of the turns.
    pub(crate) fn provided(&self, index: usize) -> Turns<'a> {
        let others = self.visits.iter().enumerate().filter(|(other, _)| *other != index);
        Turns::new(self.parent, self.quanta[index], others.map(|(_, visit)| *visit).sum())
    }

    /// How long visits take, if they take no longer than known.
    fn shorter_visits(
        &self,
        arrivals: &Propagation<'_>,
        members: &[Member],
        effort: &Effort,
    ) -> Vec<Duration> {
        let mut visits = self.visits.clone();
        for (index, &member) in members.iter().enumerate() {
            let Member::Task(id) = member else { continue };
            let task = arrivals.system.task(id);
            if self.visits[index] <= task.wcet || task.activation != Activation::Sporadic {
                continue;
            }
            effort.restart(members.len());
            let provided = self.provided(index);
            let (own, none) = (arrivals.jobs[id.0], Loads::new(&[]));
            let found =
                fixed_priority::response_time(&provided, &own, Duration::ZERO, none, effort);
            if found.is_ok_and(|response| response.bound <= task.min_interarrival) {
                visits[index] = task.wcet;
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
        Member::Server(id) => system.supply(id).kind.weight().unwrap_or(1),
    };
    let of_member = |member| supply.quantum.checked_mul(share(member).into());
    let quanta: Option<Vec<Duration>> = supply.members.iter().map(of_member).collect();
    let quanta = quanta?;
    let sum = |sum: Duration, quantum: &Duration| sum.checked_add(*quantum);
    quanta.iter().try_fold(Duration::ZERO, sum)?;
    Some(quanta)
}
