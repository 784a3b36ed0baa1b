//! The path from the core down to a task, and the more urgent members along it.

use vorrang_model::system::{
    Member, Priority, Scheduler, Server, ServerKind, Supply, SupplyId, System, TaskId, Window,
};
use vorrang_time::Duration;

/// The supplies on the path from the core to a task.
///
/// ```text
///   supplies  core ── vcpu.a ── server.b        outermost first
///   members      vcpu.a    server.b    task.x   the one of each supply that leads to the task
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) supplies: Vec<SupplyId>,
    pub(crate) members: Vec<Member>,
}

impl Path {
    pub(crate) fn to(system: &System, task: TaskId) -> Self {
        let mut supplies = vec![system.task(task).on];
        let mut members = vec![Member::Task(task)];
        while let Some(on) = system.supply(supplies[supplies.len() - 1]).on() {
            members.push(Member::Server(supplies[supplies.len() - 1]));
            supplies.push(on);
        }
        supplies.reverse();
        members.reverse();
        Self { supplies, members }
    }

    /// The number of servers between the core and the task.
    pub(crate) fn depth(&self) -> usize {
        self.supplies.len() - 1
    }

    /// The other members of the supply at `level` (0: the core) that can run before the path's.
    pub(crate) fn ahead<'a>(
        &self,
        system: &'a System,
        level: usize,
    ) -> impl Iterator<Item = Member> + use<'a> {
        self.others(system, level, true)
    }

    /// The other members of the supply at `level`, less urgent than the path's.
    pub(crate) fn behind<'a>(
        &self,
        system: &'a System,
        level: usize,
    ) -> impl Iterator<Item = Member> + use<'a> {
        self.others(system, level, false)
    }

    /// The other members that come first if they become ready a little earlier: those of the same
    /// priority that are declared later, and all where members take turns.
    pub(crate) fn tied<'a>(
        &self,
        system: &'a System,
        level: usize,
    ) -> impl Iterator<Item = Member> + use<'a> {
        let supply = system.supply(self.supplies[level]);
        let own = self.members[level];
        let place = supply.members.iter().position(|&other| other == own);
        let is_tied = move |later: bool, other: Member| match supply.scheduler {
            Scheduler::FixedPriority => later && priority(system, other) == priority(system, own),
            Scheduler::Linux => {
                let by_priority = !has_deadline(system, other) && !has_deadline(system, own);
                later && by_priority && priority(system, other) == priority(system, own)
            }
            Scheduler::Edf | Scheduler::Slots => false,
            _ => true,
        };
        let members = supply.members.iter().copied().enumerate();
        let others = members.filter(move |&(_, other)| other != own);
        others
            .filter_map(move |(index, other)| is_tied(Some(index) > place, other).then_some(other))
    }

    fn others<'a>(
        &self,
        system: &'a System,
        level: usize,
        ahead: bool,
    ) -> impl Iterator<Item = Member> + use<'a> {
        let supply = system.supply(self.supplies[level]);
        let own = self.members[level];
        supply.members.iter().copied().filter(move |&other| {
            other != own && is_ahead(system, supply.scheduler, other, own) == ahead
        })
    }
}

/// Whether `other` is at least as urgent as `own`: by priority, or by the relative deadline, which
/// decides among simultaneous jobs.
fn is_ahead(system: &System, scheduler: Scheduler, other: Member, own: Member) -> bool {
    match scheduler {
        Scheduler::FixedPriority => {
            !priority(system, own).is_more_urgent_than(priority(system, other))
        }
        Scheduler::Linux => match (has_deadline(system, other), has_deadline(system, own)) {
            (true, true) => relative_deadline(system, other) <= relative_deadline(system, own),
            (false, false) => !priority(system, own).is_more_urgent_than(priority(system, other)),
            (first, _) => first,
        },
        // Every other member may have a turn first.
        Scheduler::Vtrr
        | Scheduler::Stride
        | Scheduler::RoundRobin
        | Scheduler::WeightedRoundRobin => true,
        Scheduler::Edf => relative_deadline(system, other) <= relative_deadline(system, own),
        Scheduler::Slots => false,
    }
}

/// Whether it comes before all priorities on a Linux core.
pub(crate) fn has_deadline(system: &System, member: Member) -> bool {
    match member {
        Member::Task(_) => false,
        Member::Server(id) => system.supply(id).is_of_linux(),
    }
}

fn priority(system: &System, member: Member) -> Priority {
    match member {
        Member::Task(id) => system.task(id).priority,
        Member::Server(id) => system.supply(id).priority(),
    }
}

/// The relative deadline of a member under EDF.
pub(crate) fn relative_deadline(system: &System, member: Member) -> Duration {
    match member {
        Member::Task(id) => system.task(id).deadline.unwrap_or(Duration::MAX),
        Member::Server(id) => {
            system.supply(id).server().map_or(Duration::MAX, Server::relative_deadline)
        }
    }
}

/// Budget and period of a server; a share has neither, and gets its time at any instant: one nanosecond each.
pub(crate) fn reserved(system: &System, id: SupplyId) -> (Duration, Duration) {
    let server = system.supply(id).server();
    server.map_or((Duration::RESOLUTION, Duration::RESOLUTION), |own| (own.budget, own.period))
}

/// Whether the supply is a slot or a table, whose places in time are fixed.
pub(crate) fn has_place(system: &System, supply: SupplyId) -> bool {
    system.supply(supply).server_kind().is_some_and(ServerKind::has_place)
}

/// Where the slot starts in its period, or the window of a table after which the longest time without one is.
pub(crate) fn place(supply: &Supply) -> Option<(Duration, Duration)> {
    let server = supply.server()?;
    let windows = supply.places();
    let followed = windows.iter().zip(windows.iter().cycle().skip(1));
    let gap = |(own, next): &(&Window, &Window)| {
        let from =
            next.offset + if next.offset > own.offset { Duration::ZERO } else { server.period };
        from - own.offset - own.length
    };
    let (own, _) = followed.max_by_key(gap)?;
    Some((own.offset, server.period))
}
