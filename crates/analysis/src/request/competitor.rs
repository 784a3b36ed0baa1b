//! The competitors on a supply under fixed priorities, with their priorities.

use crate::demand::Load;
use crate::request::Requests;
use crate::request::reserved::Reserved;
use core::cmp::Reverse;
use vorrang_model::system::{InterruptId, Member, Priority, Scheduler, System, TaskId};
use vorrang_time::Duration;

/// A member of a supply, or what an interrupt of one of them is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Competitor {
    Member(Member),
    PseudoVcpu(Reserved),
}

/// How urgent a timer is, or what the core runs; the greater the more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// That of a member of the core.
    Of(Priority),
    /// That of a pseudo-VCPU without a priority.
    AbovePriorities(Unstated),
    /// That of what goes by deadline.
    Most,
    /// That of a pseudo-VCPU with a priority beside what goes by deadline only.
    BeforeDeadlines(Priority),
    /// That of one without.
    BeforeAll(Unstated),
}

/// The order of pseudo-VCPUs that state no priority: the shorter period first, then the first declared.
type Unstated = Reverse<(Duration, InterruptId)>;

impl Urgency {
    /// That of a member of a core that goes by priority.
    pub(crate) fn of_member(system: &System, member: Member) -> Self {
        match member {
            Member::Task(id) => Self::Of(system.task(id).priority),
            Member::Server(id) => match system.supply(id) {
                own if own.is_of_linux() => Self::Most,
                own => Self::Of(own.priority()),
            },
        }
    }

    /// A pseudo-VCPU without a priority is more urgent than every priority.
    pub(crate) fn of_pseudo_vcpu(system: &System, own: Reserved) -> Self {
        let stands_on = system.supply(own.vcpu).on().map(|on| system.supply(on).scheduler);
        let unstated = Reverse((own.by.period, own.interrupt));
        match (own.by.priority, stands_on == Some(Scheduler::Edf)) {
            (Some(priority), false) => Self::Of(priority),
            (None, false) => Self::AbovePriorities(unstated),
            (Some(priority), true) => Self::BeforeDeadlines(priority),
            (None, true) => Self::BeforeAll(unstated),
        }
    }

    /// That of a task's timers: of the member of the core through which the task runs.
    pub(crate) fn of_timers(system: &System, task: TaskId) -> Self {
        let (mut member, mut supply) = (Member::Task(task), system.task(task).on);
        while let Some(on) = system.supply(supply).on() {
            (member, supply) = (Member::Server(supply), on);
        }
        Self::of_member(system, member)
    }
}

/// One that is scheduled by priority, with what it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<'a> {
    pub(crate) who: Competitor,
    /// Larger is more urgent.
    pub(crate) rank: u64,
    pub(crate) takes: Requests<'a>,
}

/// How many from this place on have the same rank, the one there included.
pub(crate) fn equals(ranked: &[Ranked<'_>], place: usize) -> usize {
    ranked[place..].iter().take_while(|other| other.rank == ranked[place].rank).count()
}

/// The first place of those with the rank of the one at this place.
pub(crate) fn begin(ranked: &[Ranked<'_>], place: usize) -> usize {
    ranked[..place]
        .iter()
        .rposition(|other| other.rank != ranked[place].rank)
        .map_or(0, |at| at + 1)
}

/// What all of them take at their worst, after `loads`.
pub(crate) fn with_ranked<'a>(mut loads: Vec<Load<'a>>, ranked: &[Ranked<'a>]) -> Vec<Load<'a>> {
    loads.extend(ranked.iter().map(|own| own.takes.storm));
    loads
}
