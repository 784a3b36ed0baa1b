//! Members that take turns in a ring: round-robin, plain and weighted.
//!
//! **Model.** A visit to a member takes its quantum at most, weighted by its share. A task with at most one job at a time
//! leaves its visit when the job is complete, so a visit to it takes no more than the execution time. That a task has at
//! most one job at a time is known once it responds before its next job can arrive, which shorter visits to others make
//! more likely: visits are looked at again, some times.
//!
//! Where contexts find cold caches, a visit does less work than it has time: what is lost in it is taken off. The machine switches once
//! to a visit and is called when each turn in it ends.
//!
//! **Assumptions.** 1. Those of [`Turns`]. 2. Visits known so far hold, by induction over the rounds: those of the round before
//! are all that a round uses.
//!
//! Theory: docs/theory/turns.md.

mod cycles;

pub(crate) use cycles::Cycles;

use crate::core::Propagation;
use crate::demand::Loads;
use crate::fixed_priority;
use crate::ground::{Effort, NoBound};
use crate::overhead::{CoreInterference, loss_in_run};
use crate::supply::{OfMachine, Supply, Turns};
use vorrang_model::system::{Activation, Member, Scheduler, Supply as Described, System};
use vorrang_time::Duration;

/// How often visits are looked at again, once some are known to be short.
const ROUNDS: usize = 4;

/// The members of a supply, each with what one visit to it gives, and takes from others.
pub(crate) struct Ring<'a> {
    parent: &'a dyn Supply,
    quanta: Vec<Duration>,
    /// What a visit to each loses to its cold cache at most.
    lost: Vec<Duration>,
    /// Whether each is a task, whose windows begin before a visit and not within one.
    begins_alone: Vec<bool>,
    /// What a visit to each takes besides: turns that end, and the switch to it.
    besides: Vec<Duration>,
    /// How long a visit to each takes at most.
    visits: Vec<Duration>,
}

impl<'a> Ring<'a> {
    /// The members of `described` on `parent`; `None` out of range.
    pub(crate) fn new(
        system: &System,
        (parent, machine): (&'a dyn Supply, Option<&CoreInterference<'_>>),
        described: &Described,
    ) -> Option<Self> {
        let quanta = quanta(system, described)?;
        let (mut lost, mut besides) = (vec![Duration::ZERO; quanta.len()], Vec::new());
        for (index, &member) in described.members.iter().enumerate() {
            let turns = quanta[index].div_floor(described.quantum);
            besides.push(machine.map_or(Some(Duration::ZERO), |machine| machine.at_turns(turns))?);
            if machine.is_some() {
                lost[index] = loss_in_run(system, member, quanta[index]);
            }
        }
        besides.iter().try_fold(Duration::ZERO, |sum, more| sum.checked_add(*more))?;
        let is_task = |member: &Member| matches!(member, Member::Task(_));
        let begins_alone = described.members.iter().map(is_task).collect();
        Some(Self { parent, visits: quanta.clone(), quanta, lost, begins_alone, besides })
    }

    /// The same with the visits that are known to be shorter, where time is work but for what visits lose.
    #[must_use]
    pub(crate) fn shortened(
        mut self,
        arrivals: &Propagation<'_>,
        members: &[Member],
        effort: &Effort,
    ) -> Self {
        for _ in 0..ROUNDS {
            let shorter = self.shorter_visits(arrivals, members, effort);
            if shorter == self.visits {
                break;
            }
            self.visits = shorter;
        }
        self
    }

    /// What the member at `index` has of the turns.
    ///
    /// # Errors
    /// Its cache is cold throughout a visit.
    pub(crate) fn provided(&self, index: usize) -> Result<Turns<'a>, NoBound> {
        let others = self.visits.iter().enumerate().filter(|(other, _)| *other != index);
        let others = others.map(|(_, visit)| *visit).sum();
        let lost = self.lost[index];
        let round = self.besides.iter().copied().sum::<Duration>().checked_add(lost);
        let within = self.besides[index].checked_add(lost);
        let begins_within = !self.begins_alone[index];
        let machine = OfMachine {
            round: round.ok_or(NoBound::TooLong)?,
            at_first: within.filter(|_| begins_within).unwrap_or_default(),
        };
        let work = self.quanta[index].saturating_sub(lost);
        if work.is_zero() {
            return Err(NoBound::Overload);
        }
        Ok(Turns::new(self.parent, work, others).beside(machine))
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
            let Ok(provided) = self.provided(index) else { continue };
            let (own, none) = (arrivals.jobs[id.0], Loads::new(&[]));
            let found =
                fixed_priority::response_time(&provided, &own, Duration::ZERO, none, effort);
            if found.is_ok_and(|response| response.bound <= task.min_interarrival) {
                visits[index] = self.quanta[index].min(task.wcet + self.lost[index]);
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
