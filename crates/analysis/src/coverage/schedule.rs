//! How the members of a supply are scheduled: a typed view, which only a supply that is covered has.

use crate::edf::Contender;
use crate::feature::SchedulingFeature;
use vorrang_model::system::{Member, Scheduler, ServerKind, Supply, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// The members of a supply, by what decides among them.
#[derive(Clone, Debug)]
pub(crate) enum Schedule {
    /// Fixed priority: each member takes no more than a load.
    FixedPriority,
    /// Deadlines.
    Edf(Vec<ByDeadline>),
    /// Deadlines first, then fixed priority.
    Linux { by_deadline: Vec<ByDeadline>, by_priority: Vec<Member> },
    /// Turns in a ring.
    Turns,
    /// The table of slots.
    Slots(Vec<SupplyId>),
}

/// A member that is scheduled by deadline.
#[derive(Clone, Debug)]
pub(crate) enum ByDeadline {
    /// A task with its deadline.
    Task(TaskId, Duration),
    /// A server as what it is for the others.
    Server(SupplyId, Contender),
}

impl Schedule {
    /// That of a supply.
    ///
    /// # Errors
    /// What about its scheduler, or the first of its members, is not covered.
    pub(crate) fn of(system: &System, id: SupplyId) -> Result<Self, SchedulingFeature> {
        let supply = system.supply(id);
        let members = supply.members.iter().copied();
        Ok(match supply.scheduler {
            Scheduler::FixedPriority => {
                members.map(|member| by_priority(system, member)).collect::<Result<Vec<_>, _>>()?;
                Self::FixedPriority
            }
            Scheduler::Edf => Self::Edf(
                members.map(|member| by_deadline(system, member)).collect::<Result<_, _>>()?,
            ),
            Scheduler::Linux => {
                let (first, rest): (Vec<_>, Vec<_>) =
                    members.partition(|&member| has_deadline(system, member));
                let first = first.into_iter().map(|member| by_deadline(system, member));
                let rest = rest.into_iter().map(|member| by_priority(system, member));
                Self::Linux {
                    by_deadline: first.collect::<Result<_, _>>()?,
                    by_priority: rest.collect::<Result<_, _>>()?,
                }
            }
            Scheduler::RoundRobin | Scheduler::WeightedRoundRobin => {
                members.map(|member| in_turn(system, member)).collect::<Result<Vec<_>, _>>()?;
                Self::Turns
            }
            Scheduler::Slots => {
                Self::Slots(members.map(|member| slot(system, member)).collect::<Result<_, _>>()?)
            }
            scheduler @ (Scheduler::Stride | Scheduler::Vtrr) => {
                let supply = supply.name.clone();
                return Err(SchedulingFeature::Scheduler { supply, scheduler });
            }
        })
    }
}

impl ByDeadline {
    /// As a member of its supply.
    pub(crate) fn member(&self) -> Member {
        match self {
            Self::Task(id, _) => Member::Task(*id),
            Self::Server(id, _) => Member::Server(*id),
        }
    }
}

/// Why one member of a supply with this scheduler has no bound.
pub(super) fn about_member(
    system: &System,
    scheduler: Scheduler,
    member: Member,
) -> Option<SchedulingFeature> {
    match scheduler {
        Scheduler::Linux if has_deadline(system, member) => by_deadline(system, member).err(),
        Scheduler::FixedPriority | Scheduler::Linux => by_priority(system, member).err(),
        Scheduler::Edf => by_deadline(system, member).err(),
        Scheduler::RoundRobin | Scheduler::WeightedRoundRobin => in_turn(system, member).err(),
        Scheduler::Slots => slot(system, member).err(),
        Scheduler::Stride | Scheduler::Vtrr => None,
    }
}

/// Whether Linux schedules a member by its deadline.
fn has_deadline(system: &System, member: Member) -> bool {
    match member {
        Member::Server(id) => system.supply(id).server_kind() == Some(ServerKind::SchedDeadline),
        Member::Task(_) => false,
    }
}

fn by_priority(system: &System, member: Member) -> Result<Member, SchedulingFeature> {
    let Member::Server(id) = member else { return Ok(member) };
    match system.supply(id).server_kind() {
        Some(
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::Sporadic
            | ServerKind::RefillQueue,
        ) => Ok(member),
        _ => Err(kind_of_server(system, id)),
    }
}

fn by_deadline(system: &System, member: Member) -> Result<ByDeadline, SchedulingFeature> {
    match member {
        Member::Task(id) => {
            let task = system.task(id);
            let none = || SchedulingFeature::NoDeadline { task: task.name.clone() };
            Ok(ByDeadline::Task(id, task.deadline.ok_or_else(none)?))
        }
        Member::Server(id) => {
            let contender = Contender::of_server(system, id);
            let contender = contender.ok_or_else(|| kind_of_server(system, id))?;
            Ok(ByDeadline::Server(id, contender))
        }
    }
}

fn in_turn(system: &System, member: Member) -> Result<Member, SchedulingFeature> {
    match member {
        Member::Server(id) if system.supply(id).server().is_some() => {
            Err(kind_of_server(system, id))
        }
        _ => Ok(member),
    }
}

fn slot(system: &System, member: Member) -> Result<SupplyId, SchedulingFeature> {
    match member {
        Member::Server(id) if system.supply(id).server_kind() == Some(ServerKind::Slot) => Ok(id),
        Member::Server(id) => Err(kind_of_server(system, id)),
        Member::Task(id) => {
            let slots = system.supply(system.on(member)).name.clone();
            Err(SchedulingFeature::TaskOnSlots { task: system.task(id).name.clone(), slots })
        }
    }
}

/// A server of a kind that has no bound under the scheduler of its parent.
pub(crate) fn kind_of_server(system: &System, id: SupplyId) -> SchedulingFeature {
    let Supply { name, .. } = system.supply(id);
    let kind = system.supply(id).server_kind().expect("a core is a member of nothing");
    let server = name.clone();
    SchedulingFeature::ServerKind { server, kind }
}
