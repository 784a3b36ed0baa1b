//! A small system as numbers.

use super::state::{MOST_SUPPLIES, MOST_TASKS};
use vorrang_model::system::{
    Activation, Communication, Interrupt, Member, Scheduler, ServerKind, SupplyId, SupplyKind,
    System, TaskId,
};
use vorrang_time::Duration;

/// More urgent than every task.
const ROUTINE: u32 = 1_000_000;

/// A task, or the routine of an interrupt.
#[derive(Clone, Debug)]
pub struct Task {
    /// Larger is more urgent.
    pub priority: u32,
    /// The shortest and the longest execution.
    pub execution: (u8, u8),
    /// The least distance of arrivals.
    pub least: u8,
    /// The longest one.
    pub latest: Option<u8>,
    /// When it arrives first; `None`: at any time.
    pub first: Option<u8>,
    /// From arrival to release at most.
    pub jitter: u8,
    /// By this after its arrival, where that decides what runs.
    pub deadline: Option<u8>,
    /// From its arrival to its writing: logical execution time.
    pub logical: Option<u8>,
    /// It reads what this one wrote; the first of a path reads the world.
    pub reads: Option<usize>,
    /// Its jobs arrive with those of this one: itself, unless another one wakes it.
    pub source: usize,
    /// The one or two of which a job each must be complete before one of its own is released; none: it comes by itself.
    pub after: Vec<usize>,
    /// The ages of its jobs matter.
    pub has_ages: bool,
    /// It has work at every instant, from the beginning on.
    pub polls: bool,
}

/// A supply and its members in the order of declaration.
#[derive(Clone, Debug)]
pub struct Supply {
    /// Its parent.
    pub on: Option<usize>,
    /// Larger is more urgent.
    pub priority: u32,
    /// Members go by deadline, and not by priority.
    pub by_deadline: bool,
    /// Tasks and servers.
    pub members: Vec<Member>,
    /// Budget and period.
    pub budget: Option<(u8, u8)>,
}

/// What is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// A value along a path of tasks.
    Path(Vec<TaskId>),
    /// A job, from its arrival to its end.
    Job(TaskId),
}

/// A system.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By id; behind them the routines of interrupts.
    pub tasks: Vec<Task>,
    /// By id.
    pub supplies: Vec<Supply>,
    /// What is followed.
    pub followed: Followed,
    /// After the first arrivals whose instants are known.
    pub begun: u8,
}

impl Layout {
    /// `None`: the system has something that is not covered. `firsts`: the first arrivals that are known, by task,
    /// besides those of tasks with an offset.
    pub fn new(system: &System, followed: Followed, firsts: &[Option<u8>]) -> Option<Self> {
        let count = system.tasks.len() + routines(system).count();
        let is_small = count <= MOST_TASKS && system.supplies.len() <= MOST_SUPPLIES;
        let is_plain =
            system.timers.is_empty() && system.devices.is_empty() && system.caches.is_empty();
        if !is_small || !is_plain {
            return None;
        }
        let supplies = system.supply_ids().map(|id| supply(system, id));
        let mut supplies: Vec<Supply> = supplies.collect::<Option<_>>()?;
        let tasks = system.task_ids().map(|id| {
            let first = firsts.get(id.0).copied().flatten();
            task(system, id, first)
        });
        let mut tasks: Vec<Task> = tasks.collect::<Option<_>>()?;
        for interrupt in routines(system) {
            add_routine(system, interrupt, &mut tasks, &mut supplies)?;
        }
        descend(&mut tasks);
        if let Followed::Path(path) = &followed {
            if path.iter().any(|id| tasks[tasks[id.0].source].latest.is_none()) {
                return None;
            }
            for pair in path.windows(2) {
                tasks[pair[1].0].reads = Some(pair[0].0);
            }
        }
        let begun = tasks.iter().filter_map(|task| task.first).max().map_or(0, |last| last + 1);
        Some(Self { tasks, supplies, followed, begun })
    }
}

/// The interrupts that come by themselves.
fn routines(system: &System) -> impl Iterator<Item = &Interrupt> {
    system.interrupts.iter().filter(|interrupt| interrupt.is_external())
}

/// A routine is the most urgent task of its core; `None`: two of one core, or by deadline.
fn add_routine(
    system: &System,
    interrupt: &Interrupt,
    tasks: &mut Vec<Task>,
    supplies: &mut [Supply],
) -> Option<()> {
    let core = &mut supplies[interrupt.on.0];
    let is_first = core.members.iter().all(|member| match member {
        Member::Task(TaskId(id)) => *id < system.tasks.len(),
        Member::Server(_) => true,
    });
    let is_plain = interrupt.distances.is_none()
        && interrupt.jitter.is_zero()
        && interrupt.storm.is_none()
        && interrupt.delivery.is_none();
    (is_first && is_plain && !core.by_deadline).then_some(())?;
    let woken = system.task_ids().find(|&id| match system.task(id).activation {
        Activation::Interrupt(by) => {
            let by = system.interrupt(by);
            by.name == interrupt.name
                || by.raised_by.is_some_and(|by| system.interrupt(by).name == interrupt.name)
        }
        _ => false,
    });
    let latest = match woken.and_then(|id| system.task(id).latest_interarrival) {
        Some(latest) => Some(ticks(latest)?),
        None => None,
    };
    let own = tasks.len();
    if let Some(TaskId(id)) = woken {
        tasks[id].after = vec![own];
    }
    core.members.push(Member::Task(TaskId(own)));
    tasks.push(Task {
        priority: ROUTINE,
        execution: (ticks(interrupt.isr)?, ticks(interrupt.isr)?),
        least: ticks(interrupt.min_interarrival)?,
        latest,
        first: None,
        jitter: 0,
        deadline: None,
        logical: None,
        reads: None,
        source: own,
        after: Vec::new(),
        has_ages: false,
        polls: false,
    });
    Some(())
}

/// What descends from what; ages are handed on.
fn descend(tasks: &mut [Task]) {
    for id in 0..tasks.len() {
        let mut source = id;
        while let Some(&first) = tasks[source].after.first() {
            source = first;
        }
        tasks[id].source = source;
    }
    for _ in 0..tasks.len() {
        for id in (0..tasks.len()).filter(|&id| tasks[id].has_ages).collect::<Vec<_>>() {
            for first in tasks[id].after.clone() {
                tasks[first].has_ages = true;
            }
        }
    }
}

fn ticks(time: Duration) -> Option<u8> {
    u8::try_from(time.as_ns()).ok().filter(|&ticks| ticks < 120)
}

fn task(system: &System, id: TaskId, first: Option<u8>) -> Option<Task> {
    let own = system.task(id);
    let by_deadline = system.supply(own.on).scheduler == Scheduler::Edf;
    if own.polls {
        return (!by_deadline).then(|| polling(id, own.priority.0));
    }
    let is_logical = own.communication == Communication::Let;
    let after: Vec<usize> = system.predecessors(id).into_iter().map(|TaskId(by)| by).collect();
    let is_woken = own.activation.is_by_tasks() && after.len() <= 2;
    let is_plain = (is_woken
        || matches!(own.activation, Activation::Sporadic | Activation::Interrupt(_)))
        && own.distances.is_none()
        && own.execution.is_empty()
        && own.blocking.is_zero()
        && (!is_logical || own.jitter.is_zero());
    is_plain.then_some(())?;
    let deadline = || own.deadline.map(ticks);
    let first = match own.offset {
        Some(offset) => Some(ticks(offset)?),
        None => first,
    };
    Some(Task {
        priority: own.priority.0,
        execution: (ticks(own.bcet)?, ticks(own.wcet)?),
        least: ticks(own.min_interarrival)?,
        latest: match own.latest_interarrival {
            Some(latest) => Some(ticks(latest)?),
            None => None,
        },
        first,
        jitter: ticks(own.jitter)?,
        deadline: if by_deadline { Some(deadline()??) } else { None },
        logical: if is_logical { Some(deadline()??) } else { None },
        reads: None,
        source: id.0,
        after,
        has_ages: by_deadline || is_logical,
        polls: false,
    })
}

/// A task that never arrives, and is never complete.
fn polling(id: TaskId, priority: u32) -> Task {
    Task {
        priority,
        execution: (0, 0),
        least: 1,
        latest: None,
        first: None,
        jitter: 0,
        deadline: None,
        logical: None,
        reads: None,
        source: id.0,
        after: Vec::new(),
        has_ages: false,
        polls: true,
    }
}

fn supply(system: &System, id: SupplyId) -> Option<Supply> {
    let own = system.supply(id);
    let (priority, budget) = match own.kind {
        SupplyKind::Core => (0, None),
        SupplyKind::Level(level) => (level.priority.0, None),
        SupplyKind::Server(server) if server.kind() == ServerKind::Deferrable => {
            (server.priority.0, Some((ticks(server.budget)?, ticks(server.period)?)))
        }
        SupplyKind::Server(_) | SupplyKind::Share(_) => return None,
    };
    let is_held_up = match own.on() {
        None => !own.sections.is_zero(),
        Some(_) => !system.blocking(Member::Server(id)).is_zero(),
    };
    let has_servers = own.members.iter().any(|member| matches!(member, Member::Server(_)));
    let is_plain = match own.scheduler {
        Scheduler::FixedPriority | Scheduler::Linux => !has_equals(system, &own.members)?,
        Scheduler::Edf => !has_servers,
        _ => false,
    };
    (is_plain && !is_held_up && own.time_slice.is_none()).then(|| Supply {
        on: own.on().map(|on| on.0),
        priority,
        by_deadline: own.scheduler == Scheduler::Edf,
        members: own.members.clone(),
        budget,
    })
}

/// Whether two members have one priority; `None`: one has none.
fn has_equals(system: &System, members: &[Member]) -> Option<bool> {
    let priorities = members.iter().map(|&member| match member {
        Member::Task(id) => Some(system.task(id).priority),
        Member::Server(id) => match system.supply(id).kind {
            SupplyKind::Server(server) => Some(server.priority),
            SupplyKind::Level(level) => Some(level.priority),
            SupplyKind::Core | SupplyKind::Share(_) => None,
        },
    });
    let mut priorities: Vec<_> = priorities.collect::<Option<_>>()?;
    priorities.sort_unstable();
    Some(priorities.windows(2).any(|pair| pair[0] == pair[1]))
}
