//! Tasks that stand on the core itself, among its servers.
//!
//! **Model.** A member without a budget: its thread has a priority of `SCHED_FIFO` for as long as the description is run, at its place
//! among those that are lent ([`levels`](crate::levels)). The kernel wakes it, so that its wake-ups need not be noticed. What it
//! takes from a thread that is lent to is charged to no budget, for charges are processor time.
//!
//! **Assumptions.** 1. Cores by fixed priority: elsewhere such a task has no place that a priority could be. 2. The rule of every less
//! urgent server depends on what it is charged, and not on when: a task that runs before it changes nothing then. So it
//! is polling or deferrable. A periodic server would consume the time of the task with its own, and the level of a sporadic
//! one depends on whether the task is ready, which is not known.
//!
//! **Cost.** A decision sees whether a more urgent task runs; if so, the end of the budget is not waited for, but the end of that
//! task. So a task causes one decision more while it runs, and one when it ends.

use crate::reserved::{Reserved, Unfit};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Member, Scheduler, Selector, ServerKind, SupplyId, TaskId, TimerId,
};
use vorrang_quote::visible;
use vorrang_time::Duration;

/// A task with its thread.
#[derive(Clone, Debug)]
pub struct OnCore {
    /// Its name in the description.
    pub name: String,
    /// How its thread is found.
    pub selector: Selector,
    /// In the description.
    pub priority: u32,
}

/// Those of a core, the most urgent first, and why some are not run.
pub(crate) fn on(system: &System, core: SupplyId, servers: &[Reserved]) -> (Vec<OnCore>, Unfit) {
    let (mut tasks, mut unfit) = (Vec::new(), Unfit::default());
    let supply = system.supply(core);
    for id in those(system, core) {
        let name = &system.task(id).name;
        if supply.scheduler != Scheduler::FixedPriority {
            unfit.missing.push(format!(
                "{name}: it is on the core itself, where a thread has a place by fixed priority only; give it a server"
            ));
            continue;
        }
        match one(system, id) {
            Ok(task) => tasks.push(task),
            Err(why) => unfit.join(why),
        }
    }
    tasks.sort_by_key(|task: &OnCore| std::cmp::Reverse(task.priority));
    for pair in tasks.windows(2) {
        if pair[0].priority == pair[1].priority {
            unfit.wrong.push(equal(&pair[0].name, &pair[1].name));
        }
    }
    unfit.join(beside(&tasks, servers));
    (tasks, unfit)
}

/// The tasks of a core itself.
fn those(system: &System, core: SupplyId) -> impl Iterator<Item = TaskId> {
    system.supply(core).members.iter().filter_map(|member| match *member {
        Member::Task(task) => Some(task),
        Member::Server(_) => None,
    })
}

fn one(system: &System, id: TaskId) -> Result<OnCore, Unfit> {
    let task = system.task(id);
    let name = &task.name;
    let wrong = |why: String| Unfit { missing: Vec::new(), wrong: vec![format!("{name}{why}")] };
    if system.keeps(id) {
        let why =
            "nothing keeps more urgent threads from a job that has begun; leave `preemption` out";
        return Err(Unfit { missing: vec![format!("{name}: {why}")], wrong: Vec::new() });
    }
    if task.polls {
        let why = "it never sleeps, and less urgent threads, those of this machine too, had no time; give it a server";
        return Err(wrong(format!(": {why}")));
    }
    let Some(written) = system.host.threads.get(name) else {
        return Err(wrong(" does not say which thread it is: `thread = \"name:...\"`".to_owned()));
    };
    let selector = Selector::read(written)
        .map_err(|why| wrong(format!(": \"{}\" names no thread: {why}", visible(written))))?;
    Ok(OnCore { name: name.clone(), selector, priority: task.priority.0 })
}

/// Servers that tasks cannot stand beside.
fn beside(tasks: &[OnCore], servers: &[Reserved]) -> Unfit {
    let mut unfit = Unfit::default();
    for one in servers {
        let Some(server) = one.server.server() else { continue };
        let priority = server.priority.0;
        if let Some(task) = tasks.iter().find(|task| task.priority == priority) {
            unfit.wrong.push(equal(&task.name, &one.name));
        }
        let is_by_amount = matches!(server.kind(), ServerKind::Deferrable | ServerKind::Polling);
        if let Some(task) = tasks.iter().find(|task| task.priority > priority && !is_by_amount) {
            unfit.missing.push(format!(
                "{}: below {}, which is on the core itself, servers are \"deferrable\" or \"polling\": when others consume, or \
                 get budget back, depends on when that runs, which is not seen",
                one.name, task.name
            ));
        }
    }
    unfit
}

/// Why a pseudo-VCPU with that priority cannot be beside tasks.
pub(crate) fn is_equal(tasks: &[OnCore], name: &str, priority: u32) -> Option<String> {
    let task = tasks.iter().find(|task| task.priority == priority)?;
    Some(equal(&task.name, name))
}

fn equal(one: &str, other: &str) -> String {
    format!(
        "{one} and {other} have the same priority, and which of them is first is nobody's choice here; state different ones"
    )
}

/// Why the timers of a core cannot be shielded as they are in the model, a sentence each.
///
/// The thread of a server has `SCHED_OTHER`, with or without a loan, and the kernel leaves the timers of such a one to `ktimers`:
/// the module holds none. That of a task on the core has a priority of its own.
pub(crate) fn unshielded(system: &System, core: SupplyId) -> Vec<String> {
    let supply = system.supply(core);
    if supply.scheduler != Scheduler::FixedPriority {
        return vec![format!(
            "{}: timers are shielded by priority, and nothing has one here; leave `timers` out",
            supply.name
        )];
    }
    let of_server = |id: &TimerId| system.task(system.timer(*id).armed_by).on != core;
    let said = |id: TimerId| {
        let timer = system.timer(id);
        format!(
            "{}: {} is in a server, whose thread has no priority of its own: its timers are not held back. Put it on the core \
             itself, leave the timer out, or leave out `timers` of {}",
            timer.name,
            system.task(timer.armed_by).name,
            supply.name
        )
    };
    system.timers_on(core).filter(of_server).map(said).collect()
}

/// What the tasks of a core take of it at most, in thousandths; or why that is not known.
pub(crate) fn thousandths(system: &System, core: SupplyId) -> (u64, Unfit) {
    let (mut sum, mut unfit) = (0, Unfit::default());
    for id in those(system, core).filter(|&id| !system.task(id).polls) {
        let task = system.task(id);
        match apart(system, id) {
            Some(apart) if !apart.is_zero() => {
                sum += task.wcet.as_ns().saturating_mul(1000).div_ceil(apart.as_ns());
            }
            _ => unfit.missing.push(format!(
                "{}: how often it has work is not bounded by time; give it a server",
                task.name
            )),
        }
    }
    (sum, unfit)
}

/// The least time between two of its jobs, on average.
fn apart(system: &System, id: TaskId) -> Option<Duration> {
    let root = system.task(system.root_of(id));
    match root.activation {
        Activation::Sporadic => Some(root.min_interarrival),
        Activation::Interrupt(by) => Some(system.interrupt(system.origin_of(by)).min_interarrival),
        Activation::Timer(by) => Some(system.timer(by).period),
        Activation::Device(_) | Activation::Task(_) | Activation::Join => None,
    }
}
