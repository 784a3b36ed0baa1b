//! A workload of rt-app: threads that load a machine as a description says.
//!
//! **Model.** A periodic task of a Linux core is a thread with one phase: it runs for its execution time, then waits for a
//! timer of its period. A `sched-deadline` server with one such task inside is a thread of `SCHED_DEADLINE`. An execution
//! time is rounded down to microseconds and a period up, so that the load is one of the description.
//!
//! **Source.** doc/tutorial.txt of rt-app.
//!
//! **Does not cover** what rt-app has not: it is listed in `left-out`, with the reason.

use crate::plan::{Unfit, cpu_of};
use serde_json::{Map, Value, json};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Member, Preemption, Scheduler, Server, ServerRule, SupplyId, Task,
};
use vorrang_time::Duration;

/// Priorities of `SCHED_FIFO`.
const PRIORITIES: std::ops::RangeInclusive<u32> = 1..=99;
/// Seconds that it runs, unless that is changed.
const FOR: u32 = 10;

/// The workload.
///
/// # Errors
/// Nothing of the system is a thread of rt-app, or a core does not say which processor it is.
pub(super) fn workload(system: &System) -> Result<String, Unfit> {
    let (mut tasks, mut left_out, mut wrong) = (Map::new(), Map::new(), Vec::new());
    for core in system.cores() {
        let is_linux = system.supply(core).scheduler == Scheduler::Linux;
        let cpu = if is_linux { cpu_of(system, core, &mut wrong) } else { None };
        for member in system.described_members(core) {
            let label = system.member_name(member);
            let thread = match (is_linux, member) {
                (false, _) => Err("its core is none of Linux"),
                (true, Member::Task(id)) => of_task(system.task(id), cpu),
                (true, Member::Server(id)) => of_server(system, id),
            };
            match thread {
                Ok(thread) => tasks.insert(plain(label).to_owned(), thread),
                Err(why) => left_out.insert(label.to_owned(), why.into()),
            };
        }
    }
    let interrupts = system.interrupt_ids().map(|id| &system.interrupt(id).name);
    let timers = system.timer_ids().map(|id| &system.timer(id).name);
    for name in interrupts.chain(timers) {
        left_out.insert(name.clone(), "it is no thread".into());
    }
    if tasks.is_empty() && wrong.is_empty() {
        wrong.push("it has no periodic thread of Linux, which is all that rt-app has".to_owned());
    }
    Unfit { missing: Vec::new(), wrong }.unless_empty()?;
    let whole = json!({
        "global": { "duration": FOR, "calibration": "CPU0" },
        "tasks": tasks,
        "left-out": left_out,
    });
    Ok(format!("{whole:#}\n"))
}

/// `motor` of `task.motor`.
fn plain(label: &str) -> &str {
    label.split_once('.').map_or(label, |(_, name)| name)
}

fn of_task(task: &Task, cpu: Option<u32>) -> Result<Value, &'static str> {
    let mut thread = work(task)?;
    if !PRIORITIES.contains(&task.priority.0) {
        return Err("its priority is none of SCHED_FIFO");
    }
    thread["policy"] = "SCHED_FIFO".into();
    thread["priority"] = task.priority.0.into();
    thread["cpus"] = json!(cpu.into_iter().collect::<Vec<u32>>());
    Ok(thread)
}

fn of_server(system: &System, id: SupplyId) -> Result<Value, &'static str> {
    let Some(Server { budget, period, rule, .. }) = system.supply(id).server() else {
        return Err("it has no budget");
    };
    let &ServerRule::SchedDeadline { deadline, reclaims } = rule else {
        return Err("it is none of SCHED_DEADLINE");
    };
    let [Member::Task(task)] = system.supply(id).members[..] else {
        return Err("a thread of rt-app does one thing, and it has none or several inside");
    };
    let mut thread = work(system.task(task))?;
    thread["policy"] = "SCHED_DEADLINE".into();
    for (key, time) in [
        ("dl-runtime", *budget),
        ("dl-deadline", deadline.unwrap_or(*period)),
        ("dl-period", *period),
    ] {
        if !time.modulo(MICROSECOND).is_zero() {
            return Err("its budget, deadline or period is no number of microseconds");
        }
        thread[key] = time.div_floor(MICROSECOND).into();
    }
    if reclaims {
        thread["dl-reclaim"] = true.into();
    }
    Ok(thread)
}

const MICROSECOND: Duration = Duration::from_us(1);

/// What a thread does in each period.
fn work(task: &Task) -> Result<Value, &'static str> {
    if task.activation != Activation::Sporadic || task.distances.is_some() || task.polls {
        return Err("it is not periodic");
    }
    if task.preemption != Preemption::Full || !task.wakes.is_empty() {
        return Err("it is not preempted, or wakes others");
    }
    let run = task.wcet.div_floor(MICROSECOND);
    if run == 0 {
        return Err("it takes less than a microsecond");
    }
    let period = task.min_interarrival.div_ceil(MICROSECOND);
    Ok(json!({
        "loop": -1,
        "run": run,
        "timer": { "ref": "unique", "period": period, "mode": "absolute" },
    }))
}
