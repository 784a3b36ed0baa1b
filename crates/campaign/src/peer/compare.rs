//! Our response times against the crate's, on the reference sets and on harder ones.

use super::{edf_response, entry_point, fixed_priority_response, servers, task as peer_task};
use crate::random::Random;
use crate::requirements::state_requirements;
use crate::sets;
use rayon::prelude::*;
use vorrang_analysis::bounds;
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, response_times};
use vorrang_analysis::supply::Dedicated;
use vorrang_model::system::{
    Member, Priority, Scheduler, Supply, SupplyId, SupplyKind, System, Task, TaskId,
};
use vorrang_time::Duration;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The reference sets, our fast pass over a set against the crate's entry point.
    FixedPrioritySets,
    /// The reference sets through [`bounds`].
    FixedPriorityBounds,
    /// Any priorities, jitter, blocking: busy windows with many jobs.
    FixedPriorityGeneral,
    /// The reference sets under EDF.
    EdfSets,
    /// EDF with constrained and arbitrary deadlines.
    EdfGeneral,
    /// Deferrable servers in one history: the simulator, and our bound where it is below.
    Servers,
}

impl Subject {
    /// All subjects.
    pub const ALL: [Self; 6] = [
        Self::FixedPrioritySets,
        Self::FixedPriorityBounds,
        Self::FixedPriorityGeneral,
        Self::EdfSets,
        Self::EdfGeneral,
        Self::Servers,
    ];

    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::FixedPrioritySets => "fixed priority, reference sets, in one pass",
            Self::FixedPriorityBounds => "fixed priority, reference sets",
            Self::FixedPriorityGeneral => "fixed priority with jitter and blocking, any order",
            Self::EdfSets => "edf, reference sets",
            Self::EdfGeneral => "edf, any deadlines",
            Self::Servers => "deferrable servers, one history (rta-for-fps-lib)",
        }
    }

    /// Our response times and the crate's, for one set.
    fn pairs(self, seed: u64, number: u64) -> Vec<Pair> {
        match self {
            Self::FixedPrioritySets => one_pass(&sets::set(seed, number)),
            Self::FixedPriorityBounds => {
                fixed_priority(&flat(Scheduler::FixedPriority, seed, number))
            }
            Self::FixedPriorityGeneral => fixed_priority(&general(seed, number)),
            Self::EdfSets => edf(&flat(Scheduler::Edf, seed, number)),
            Self::EdfGeneral => edf(&any_deadlines(seed, number)),
            Self::Servers => servers::pairs(seed, number),
        }
    }
}

/// The two results for one task; `None`: no bound within the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Our response time.
    pub ours: Option<Duration>,
    /// The crate's.
    pub peer: Option<Duration>,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Tasks compared.
    pub tasks: u64,
    /// Tasks for which both have a response time, and it is the same.
    pub equal: u64,
    /// Tasks for which neither has one.
    pub neither: u64,
    /// The rest: the number of the set, the task, what the two say.
    pub different: Vec<(u64, usize, Pair)>,
}

/// Compares the first `count` sets of a subject.
pub fn compare(subject: Subject, seed: u64, count: u64) -> Comparison {
    let one = |number: u64| {
        let mut found = Comparison::default();
        for (task, pair) in subject.pairs(seed, number).into_iter().enumerate() {
            found.tasks += 1;
            match pair {
                Pair { ours: None, peer: None } => found.neither += 1,
                Pair { ours, peer } if ours == peer => found.equal += 1,
                _ => found.different.push((number, task, pair)),
            }
        }
        found
    };
    // Collected in the order of the numbers: the same whatever the number of threads.
    let parts: Vec<Comparison> = (0..count).into_par_iter().map(one).collect();
    parts.into_iter().fold(Comparison::default(), |mut all, part| {
        all.tasks += part.tasks;
        all.equal += part.equal;
        all.neither += part.neither;
        all.different.extend(part.different);
        all
    })
}

fn one_pass(set: &[SporadicTask]) -> Vec<Pair> {
    let peers: Vec<_> = set.iter().map(peer_task).collect();
    let mut responses = Vec::new();
    response_times(&Dedicated, set, &mut Scratch::default(), &mut responses);
    let pair = |(index, ours): (usize, &Option<Duration>)| Pair {
        ours: *ours,
        peer: entry_point(&peers, index),
    };
    responses.iter().enumerate().map(pair).collect()
}

fn fixed_priority(system: &System) -> Vec<Pair> {
    let bounds = bounds(system);
    let pair = |(id, task): (usize, &Task)| {
        let more_urgent = system.tasks.iter();
        let more_urgent =
            more_urgent.filter(|other| other.priority.is_more_urgent_than(task.priority));
        let peer = fixed_priority_response(task, &more_urgent.collect::<Vec<_>>());
        Pair { ours: bounds.task(TaskId(id)).bound(), peer }
    };
    system.tasks.iter().enumerate().map(pair).collect()
}

fn edf(system: &System) -> Vec<Pair> {
    let bounds = bounds(system);
    let tasks: Vec<&Task> = system.tasks.iter().collect();
    let pair = |index| Pair {
        ours: bounds.task(TaskId(index)).bound(),
        peer: edf_response(&tasks, index),
    };
    (0..tasks.len()).map(pair).collect()
}

/// A reference set on one core, the first task most urgent.
fn flat(scheduler: Scheduler, seed: u64, number: u64) -> System {
    let set = sets::set(seed, number);
    let count = u32::try_from(set.len()).expect("ten tasks");
    let task = |(rank, task): (u32, &SporadicTask)| Task {
        name: format!("task.t{rank}"),
        on: SupplyId(0),
        wcet: task.wcet,
        min_interarrival: task.period,
        deadline: Some(task.period),
        jitter: Duration::ZERO,
        blocking: Duration::ZERO,
        priority: Priority(if scheduler == Scheduler::Edf { 0 } else { count - rank }),
        ..Task::default()
    };
    let tasks: Vec<Task> = (0..count).zip(&set).map(task).collect();
    let members = (0..tasks.len()).map(TaskId).map(Member::Task).collect();
    let core = Supply {
        name: "core.0".to_owned(),
        kind: SupplyKind::Core,
        scheduler,
        members,
        ..Supply::default()
    };
    let mut system = System { supplies: vec![core], tasks, ..System::default() };
    state_requirements(&mut system);
    system
}

/// A reference set with priorities in any order, with jitter and blocking.
fn general(seed: u64, number: u64) -> System {
    let mut system = flat(Scheduler::FixedPriority, seed, number);
    let mut random = Random::new(seed ^ 1, number);
    for index in (1..system.tasks.len()).rev() {
        let other = random.index(index + 1);
        let (low, high) = system.tasks.split_at_mut(index);
        if other < index {
            std::mem::swap(&mut low[other].priority, &mut high[0].priority);
        }
    }
    for task in &mut system.tasks {
        let period = task.min_interarrival.as_ns();
        let longest = random.weighted(&[(5, 0), (4, period / 2), (1, 3 * period)]);
        task.jitter = Duration::from_ns(random.between(0, longest));
        let longest = random.weighted(&[(5, 0), (5, period / 10)]);
        task.blocking = Duration::from_ns(random.between(0, longest));
    }
    system
}

/// A reference set under EDF with deadlines from half the period to three periods.
fn any_deadlines(seed: u64, number: u64) -> System {
    let mut system = flat(Scheduler::Edf, seed, number);
    let mut random = Random::new(seed ^ 2, number);
    for task in &mut system.tasks {
        let period = task.min_interarrival.as_ns();
        task.deadline = Some(Duration::from_ns(random.between(period / 2, 3 * period)));
    }
    system
}
