//! How the members of a supply are scheduled: a typed view, which only a supply that is covered has.

use crate::edf::Contender;
use crate::feature::SchedulingFeature;
use crate::server_kind::{Sheet, Takes};
use vorrang_model::system::{Member, Scheduler, Server, ServerKind, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// The members of a supply, by what decides among them.
#[derive(Clone, Debug)]
pub(crate) enum Schedule<'s> {
    /// Fixed priority: each member takes no more than a load.
    FixedPriority,
    /// By deadline: every member.
    Edf(Vec<ByDeadline<'s>>),
    /// Deadlines first, then fixed priority.
    Linux { by_deadline: Vec<ByDeadline<'s>>, by_priority: Vec<Member> },
    /// Turns in a ring.
    Turns,
    /// Turns in an order of which nothing is known.
    AnyOrder,
    /// The table of slots.
    Slots(Vec<ServerMember<'s>>),
}

/// A supply that is a server: what has a budget, which cores and shares have not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerMember<'s> {
    pub(crate) id: SupplyId,
    pub(crate) server: &'s Server,
}

/// A member that is scheduled by deadline.
#[derive(Clone, Debug)]
pub(crate) enum ByDeadline<'s> {
    /// A task with its deadline.
    Task(TaskId, Duration),
    /// A server as what it is for the others.
    Server(ServerMember<'s>, Contender<'static>),
}

impl<'s> Schedule<'s> {
    /// That of a supply.
    ///
    /// # Errors
    /// What about its scheduler, or the first of its members, is not covered.
    pub(crate) fn of(system: &'s System, id: SupplyId) -> Result<Self, SchedulingFeature> {
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
            Scheduler::Stride | Scheduler::Vtrr => {
                members.map(|member| in_turn(system, member)).collect::<Result<Vec<_>, _>>()?;
                Self::AnyOrder
            }
        })
    }
}

impl<'s> ServerMember<'s> {
    /// A member of a supply as a server.
    ///
    /// # Errors
    /// It has no budget: it is a share or a level, for a core is a member of nothing.
    pub(crate) fn of(system: &'s System, id: SupplyId) -> Result<Self, SchedulingFeature> {
        let supply = system.supply(id);
        let kind = supply.server_kind().unwrap_or(ServerKind::Share);
        let unreserved = || SchedulingFeature::ServerKind { server: supply.name.clone(), kind };
        Ok(Self { id, server: supply.server().ok_or_else(unreserved)? })
    }

    /// As one of a kind that has no bound under the scheduler of its parent.
    fn not_covered(self, system: &System) -> SchedulingFeature {
        let server = system.supply(self.id).name.clone();
        SchedulingFeature::ServerKind { server, kind: self.server.kind() }
    }
}

impl ByDeadline<'_> {
    /// As a member of its supply.
    pub(crate) fn member(&self) -> Member {
        match self {
            Self::Task(id, _) => Member::Task(*id),
            Self::Server(own, _) => Member::Server(own.id),
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
        Scheduler::RoundRobin
        | Scheduler::WeightedRoundRobin
        | Scheduler::Stride
        | Scheduler::Vtrr => in_turn(system, member).err(),
        Scheduler::Slots => slot(system, member).err(),
    }
}

/// Whether Linux schedules a member by its deadline.
fn has_deadline(system: &System, member: Member) -> bool {
    match member {
        Member::Server(id) => system.supply(id).is_of_linux(),
        Member::Task(_) => false,
    }
}

fn by_priority(system: &System, member: Member) -> Result<Member, SchedulingFeature> {
    let Member::Server(id) = member else { return Ok(member) };
    if system.supply(id).level().is_some() {
        return Ok(member);
    }
    let own = ServerMember::of(system, id)?;
    match Sheet::of_server(own.server).takes {
        Some(Takes::Budgets | Takes::BackToBack) => Ok(member),
        Some(Takes::BeforePriorities) | None => Err(own.not_covered(system)),
    }
}

fn by_deadline(system: &System, member: Member) -> Result<ByDeadline<'_>, SchedulingFeature> {
    match member {
        Member::Task(id) => {
            let task = system.task(id);
            let none = || SchedulingFeature::NoDeadline { task: task.name.clone() };
            Ok(ByDeadline::Task(id, task.deadline.ok_or_else(none)?))
        }
        Member::Server(id) => {
            let own = ServerMember::of(system, id)?;
            let contender = Contender::of_server(id, own.server);
            Ok(ByDeadline::Server(own, contender.ok_or_else(|| own.not_covered(system))?))
        }
    }
}

fn in_turn(system: &System, member: Member) -> Result<Member, SchedulingFeature> {
    match member {
        Member::Server(id) => match ServerMember::of(system, id) {
            Ok(own) => Err(own.not_covered(system)),
            Err(_) => Ok(member),
        },
        Member::Task(_) => Ok(member),
    }
}

fn slot(system: &System, member: Member) -> Result<ServerMember<'_>, SchedulingFeature> {
    match member {
        Member::Server(id) => match ServerMember::of(system, id)? {
            own if own.server.kind().has_place() => Ok(own),
            own => Err(own.not_covered(system)),
        },
        Member::Task(id) => {
            let slots = system.supply(system.on(member)).name.clone();
            Err(SchedulingFeature::TaskOnSlots { task: system.task(id).name.clone(), slots })
        }
    }
}

/// A member of a kind that has no bound under the scheduler of its parent.
pub(crate) fn kind_of_server(system: &System, id: SupplyId) -> SchedulingFeature {
    match ServerMember::of(system, id) {
        Ok(own) => own.not_covered(system),
        Err(share) => share,
    }
}
