//! A small system as numbers: the tree of one core, its tasks and its routines.

use vorrang_model::system::{
    InterruptTime, Level, Member, Scheduler, ServerKind, SupplyId, System, TaskId, Window,
};

use super::state::{MOST_REFILLS, MOST_SERVERS, MOST_WORK};
use super::work::{Origin, Work, add_interrupt, name, of_task, ticks};

/// A server.
#[derive(Clone, Debug)]
pub struct Server {
    /// Its kind.
    pub kind: ServerKind,
    /// Its parent supply.
    pub on: usize,
    /// Its budget Q.
    pub budget: u8,
    /// Its period T.
    pub period: u8,
    /// Its deadline D.
    pub deadline: u8,
    /// Of a slot or a table: a bit for each tick of its period, from the lowest on, that is its own.
    pub open: u128,
    /// Larger is more urgent.
    pub priority: u32,
    /// The longest time by which its runtimes end late.
    pub overrun: u8,
    /// Routines that interrupt it are charged to it.
    pub pays: bool,
}

/// A member of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// By index of [`Layout::work`].
    Work(usize),
    /// By index of [`Layout::supplies`].
    Server(usize),
}

/// A supply and its members in the order of declaration.
#[derive(Clone, Debug)]
pub struct Supply {
    /// Who is chosen.
    pub scheduler: Scheduler,
    /// Its members.
    pub members: Vec<Part>,
    /// Two of them have the same priority, so that it matters who became ready first.
    pub has_equals: bool,
}

/// One core.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Tasks and routines.
    pub work: Vec<Work>,
    /// By [`SupplyId`]; the first is the core.
    pub supplies: Vec<Supply>,
    /// By [`SupplyId`], less one.
    pub servers: Vec<Server>,
    /// The response of this one is looked for.
    pub target: usize,
    /// What less urgent work holds up for so long: the target or a server around it.
    pub blocked: Option<(Part, u8)>,
}

impl Layout {
    /// The system with the named task or interrupt as target; `None` if it has more or other things than the
    /// explorer covers.
    pub fn new(system: &System, target: &str) -> Option<Self> {
        if system.cores().count() != 1
            || system.supplies.len() > MOST_SERVERS + 1
            || !system.timers.is_empty()
            || !system.devices.is_empty()
        {
            return None;
        }
        let mut work = Vec::new();
        for id in system.task_ids() {
            work.push(of_task(system, id)?);
        }
        for id in system.interrupt_ids() {
            add_interrupt(system, id, &mut work)?;
        }
        let servers: Option<Vec<Server>> =
            system.supply_ids().skip(1).map(|id| of_server(system, id)).collect();
        let supplies = system.supply_ids().map(|id| of_supply(system, id)).collect();
        let target = work.iter().rposition(|work| name(system, work.of) == target)?;
        let blocked = match all_blocked(system)?[..] {
            [] => None,
            [(part, length)] if is_around(system, part, &work[target]) => Some((part, length)),
            _ => return None,
        };
        let mut layout = Self { work, supplies, servers: servers?, target, blocked };
        layout.keep_ages();
        (layout.work.len() <= MOST_WORK).then_some(layout)
    }

    /// Ages are kept of the target, of what starts it, and where deadlines are compared.
    fn keep_ages(&mut self) {
        let target = self.target;
        for (id, work) in self.work.iter_mut().enumerate() {
            work.has_ages = id == target || work.starts == Some(target) || work.deadline.is_some();
        }
    }

    /// The server of a supply.
    pub fn server(&self, supply: usize) -> &Server {
        &self.servers[supply - 1]
    }

    /// The priority of a member.
    pub fn priority(&self, part: Part) -> u32 {
        match part {
            Part::Work(id) => self.work[id].priority,
            Part::Server(id) => self.server(id).priority,
        }
    }
}

fn of_server(system: &System, id: SupplyId) -> Option<Server> {
    use ServerKind::{
        CbsHard, CbsSoft, Deferrable, Periodic, Polling, SchedDeadline, Slot, Sporadic, Table,
    };
    if let Some(level) = system.supply(id).level() {
        return Some(of_level(level));
    }
    let server = system.supply(id).server()?;
    let covered =
        [Periodic, Polling, Deferrable, Sporadic, CbsHard, CbsSoft, SchedDeadline, Slot, Table];
    let is_plain = covered.contains(&server.kind())
        && (server.relative_deadline() == server.period || server.kind() == SchedDeadline)
        && !server.reclaims()
        && (server.kind() != Sporadic || server.budget.as_ns() <= MOST_REFILLS as u64);
    // What is in a periodic server is started with it.
    let mut on_path = core::iter::successors(Some(server.on), |&on| system.supply(on).on());
    let is_inside =
        on_path.any(|on| system.supply(on).server().is_some_and(|outer| outer.kind() == Periodic));
    (is_plain && !is_inside).then_some(())?;
    Some(Server {
        kind: server.kind(),
        on: server.on.0,
        budget: ticks(server.budget)?,
        period: ticks(server.period)?,
        deadline: ticks(server.relative_deadline())?,
        open: open(&system.supply(id).places())?,
        priority: server.priority.0,
        overrun: if server.kind() == SchedDeadline {
            ticks(system.supply(server.on).overrun)?
        } else {
            0
        },
        pays: server.kind() == SchedDeadline
            && system.supply(server.on).is_core()
            && system.supply(server.on).interrupt_time == InterruptTime::Charged
            && !system.interrupts.is_empty(),
    })
}

/// The ticks of windows, a bit each.
fn open(windows: &[Window]) -> Option<u128> {
    windows.iter().try_fold(0, |all, own| {
        let begin = ticks(own.offset)?;
        let end = begin.checked_add(ticks(own.length)?)?;
        (begin..end).try_fold(all, |all, tick| Some(all | 1_u128.checked_shl(tick.into())?))
    })
}

/// It has no budget, and nothing in it ends.
fn of_level(level: &Level) -> Server {
    Server {
        kind: ServerKind::Level,
        on: level.on.0,
        budget: 0,
        period: 0,
        deadline: 0,
        open: 0,
        priority: level.priority.0,
        overrun: 0,
        pays: false,
    }
}

/// Those that may be held up, and for how long.
fn all_blocked(system: &System) -> Option<Vec<(Part, u8)>> {
    let tasks = system.task_ids().map(|id| (Member::Task(id), Part::Work(id.0)));
    let servers = system.supply_ids().skip(1).map(|id| (Member::Server(id), Part::Server(id.0)));
    let all = tasks.chain(servers).map(|(member, part)| (part, system.blocking(member)));
    let some = all.filter(|(_, length)| !length.is_zero());
    some.map(|(part, length)| Some((part, ticks(length)?))).collect()
}

/// Whether it is the target, or a server around it.
fn is_around(system: &System, part: Part, target: &Work) -> bool {
    match part {
        Part::Work(id) => target.of == Origin::Task(TaskId(id)),
        Part::Server(id) => {
            let own = Some(SupplyId(target.on));
            core::iter::successors(own, |&on| system.supply(on).on()).any(|on| on.0 == id)
        }
    }
}

fn of_supply(system: &System, id: SupplyId) -> Supply {
    let supply = system.supply(id);
    let part = |member: &Member| match *member {
        Member::Task(id) => Part::Work(id.0),
        Member::Server(id) => Part::Server(id.0),
    };
    let by_priority = matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    let priority = |member: &Member| match *member {
        Member::Task(id) => Some(system.task(id).priority),
        Member::Server(id) => {
            let server = system.supply(id);
            let has_one = server.server_kind() != Some(ServerKind::SchedDeadline);
            has_one.then(|| server.priority())
        }
    };
    let mut priorities: Vec<_> = supply.members.iter().filter_map(priority).collect();
    let all = priorities.len();
    priorities.sort_unstable();
    priorities.dedup();
    Supply {
        scheduler: supply.scheduler,
        members: supply.members.iter().map(part).collect(),
        has_equals: by_priority && priorities.len() < all,
    }
}
