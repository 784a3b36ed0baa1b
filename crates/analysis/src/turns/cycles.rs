//! Members that take turns in cycles: virtual-time round-robin, by its counters alone.
//!
//! **Model.** In a cycle a member that stays ready has as many turns as its share. A member that joins has no more left of the cycle
//! than its share. So work of a member that stays ready is done in the cycle that is under way and as many whole ones as its turns need.
//! In each of them another member that stays ready has its share, too, and whatever wakes it adds a share and a turn, or its work.
//!
//! A task with short jobs, one at a time, has no more under way than one, whatever the cycles: all later ones count in full. That it has
//! one at a time is known once it responds before its next job can arrive: members are looked at again, some times.
//!
//! **Assumptions.** 1. The member wants time throughout the window. 2. Members wake as their loads occur. 3. What is known of responses
//! so far holds, by induction over the rounds.
//!
//! Theory: docs/theory/cycles.md.

use crate::core::{Propagation, is_plain_task};
use crate::demand::{Load, Loads};
use crate::fixed_priority;
use crate::ground::{Effort, NoBound, Source};
use crate::overhead::{CoreInterference, loss_in_run};
use crate::request::{Competitor, Ranked};
use crate::supply::{Residual, Supply, Turns};
use vorrang_model::system::{Activation, Member, Supply as Described, SupplyId, System};
use vorrang_time::Duration;

/// How often members are looked at again, once some are known to have one job at a time.
const ROUNDS: usize = 4;

/// The members of a supply, each with its turns in a cycle.
pub(crate) struct Cycles<'a> {
    members: Vec<InCycle<'a>>,
    quantum: Duration,
    /// What the turns take besides that began, or were due, before a window.
    besides: Duration,
}

/// One member.
struct InCycle<'a> {
    member: Member,
    /// Its turns in a cycle, in time.
    turns: Duration,
    /// The most that a wake-up adds to its turns.
    most: Duration,
    /// What its cache is cold for in each turn, if it is a task.
    lost: Duration,
    /// What wakes it, with what comes of that.
    wakes: Vec<Load<'a>>,
    /// What can be under way of it, whatever the cycles.
    under_way: Option<Duration>,
}

impl<'a> Cycles<'a> {
    /// The `ranked` members of `described`, and what is asked for in those that are shares; `None` where more than releases and interrupts
    /// wakes one, or out of range.
    pub(crate) fn new(
        arrivals: &Propagation<'_>,
        described: &Described,
        ranked: &[Ranked<'a>],
        inside: &[Option<Vec<Load<'a>>>],
        machine: Option<&CoreInterference<'_>>,
    ) -> Option<Self> {
        let (system, quantum) = (arrivals.system, described.quantum);
        let of_member = |(own, inside): (&Ranked<'a>, &Option<Vec<Load<'a>>>)| {
            let Competitor::Member(member) = own.who else { return None };
            let share = match member {
                Member::Task(id) => system.task(id).share,
                Member::Server(id) => system.supply(id).kind.weight()?,
            };
            if !wakes_are_loads(arrivals, member) {
                return None;
            }
            let turns = quantum.checked_mul(share.into())?;
            let most = turns.checked_add(quantum)?;
            let asked = inside.as_deref().unwrap_or(core::slice::from_ref(&own.takes.storm));
            let wakes = asked.iter().map(|load| in_turns(load, most)).collect();
            let lost = match (member, machine) {
                (Member::Task(_), Some(_)) => loss_in_run(system, member, quantum),
                _ => Duration::ZERO,
            };
            Some(InCycle { member, turns, most, lost, wakes, under_way: None })
        };
        let members: Option<Vec<_>> = ranked.iter().zip(inside).map(of_member).collect();
        let members = members?;
        members.iter().try_fold(quantum, |sum, own| sum.checked_add(own.turns))?;
        let more = 1 + u64::try_from(members.len()).ok()?;
        let of_machine = machine.map_or(Duration::ZERO, CoreInterference::another_turn);
        Some(Self { members, quantum, besides: of_machine.checked_mul(more)? })
    }

    /// The same with what is known of tasks that have one job at a time.
    #[must_use]
    pub(crate) fn one_at_a_time(
        mut self,
        arrivals: &Propagation<'_>,
        supply: &dyn Supply,
        effort: &Effort,
    ) -> Self {
        for _ in 0..ROUNDS {
            let found: Vec<Option<Duration>> = (0..self.members.len())
                .map(|place| self.one_job_of(place, arrivals, supply, effort))
                .collect();
            if self.members.iter().zip(&found).all(|(own, found)| own.under_way == *found) {
                break;
            }
            for (own, found) in self.members.iter_mut().zip(found) {
                own.under_way = found;
            }
        }
        self
    }

    /// What wakes the others of the one at `place`, for [`Cycles::provided`].
    pub(crate) fn wakes_beside(&self, place: usize) -> Vec<Load<'a>> {
        let others = self.others(place).flat_map(|own| &own.wakes);
        others.copied().collect()
    }

    /// What the member at `place` has, of what its supply leaves when others wake.
    ///
    /// # Errors
    /// Its cache is cold throughout a turn, or it is out of range.
    pub(crate) fn provided<'b>(
        &self,
        place: usize,
        left: &'b Residual<'b>,
    ) -> Result<Turns<'b>, NoBound> {
        let own = &self.members[place];
        let in_turn = self.quantum.saturating_sub(own.lost);
        let turns = own.turns.div_floor(self.quantum);
        let work = in_turn.checked_mul(turns).ok_or(NoBound::TooLong)?;
        if work.is_zero() {
            return Err(NoBound::Overload);
        }
        let (mut cycle, mut first) = (Duration::ZERO, self.besides);
        for other in self.others(place) {
            let (each, once) = match other.under_way {
                Some(work) => (Duration::ZERO, work),
                None => (other.turns, self.quantum),
            };
            cycle = cycle.checked_add(each).ok_or(NoBound::TooLong)?;
            first = first.checked_add(once).ok_or(NoBound::TooLong)?;
        }
        let before = cycle.checked_add(first).ok_or(NoBound::TooLong)?;
        Ok(Turns::in_cycles(left, work, cycle, before))
    }

    fn others(&self, place: usize) -> impl Iterator<Item = &InCycle<'a>> {
        let others = self.members.iter().enumerate().filter(move |(other, _)| *other != place);
        others.map(|(_, other)| other)
    }

    /// The work of a job, if the member has at most one at a time.
    fn one_job_of(
        &self,
        place: usize,
        arrivals: &Propagation<'_>,
        supply: &dyn Supply,
        effort: &Effort,
    ) -> Option<Duration> {
        let own = &self.members[place];
        let Member::Task(id) = own.member else { return None };
        let task = arrivals.system.task(id);
        let is_short = task.activation == Activation::Sporadic && task.wcet <= own.most;
        if !is_short || own.under_way.is_some() {
            return own.under_way;
        }
        effort.restart(self.members.len());
        let wakes = self.wakes_beside(place);
        let left = Residual::new(supply, Loads::new(&wakes), effort);
        let provided = self.provided(place, &left).ok()?;
        let jobs = arrivals.jobs[id.0];
        let none = Loads::new(&[]);
        let found = fixed_priority::response_time(&provided, &jobs, Duration::ZERO, none, effort);
        let lost =
            own.lost.checked_mul(task.wcet.div_ceil(self.quantum.saturating_sub(own.lost)))?;
        let job = task.wcet.checked_add(lost)?;
        found.is_ok_and(|response| response.bound <= task.min_interarrival).then_some(job)
    }
}

/// What comes of something that wakes a member: its work, and no more than the turns that it adds.
fn in_turns<'a>(load: &Load<'a>, most: Duration) -> Load<'a> {
    let is_of_task = matches!(load.source, Source::Task(_));
    if is_of_task { Load { cost: load.cost.min(most), ..*load } } else { *load }
}

/// Whether all that wakes a member, or something in it, is a release by the world or an interrupt.
fn wakes_are_loads(arrivals: &Propagation<'_>, member: Member) -> bool {
    match member {
        Member::Task(id) => {
            let activation = arrivals.system.task(id).activation;
            matches!(activation, Activation::Sporadic | Activation::Interrupt(_))
                && is_plain_task(arrivals, id)
        }
        Member::Server(id) => wakes_in(arrivals.system, arrivals, id),
    }
}

fn wakes_in(system: &System, arrivals: &Propagation<'_>, id: SupplyId) -> bool {
    system.supply(id).members.iter().all(|&member| wakes_are_loads(arrivals, member))
}
