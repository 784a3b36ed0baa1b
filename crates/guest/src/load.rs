//! Tasks that do jobs side by side.
//!
//! All threads are created, pinned and given their policy before the common instant, which lies
//! at least [`LEAD`] in the future, and [`AFTER_TICK`] after a tick. What a job does is counted in instructions ([`Spin`]): a load that computes until
//! it has been charged its time would not see what interrupts take from it.

use crate::gate::Gate;
use crate::policy;
use crate::spin::Spin;
use nix::sched::sched_yield;
use nix::sys::prctl::set_timerslack;
use nix::time::ClockId;
use nix::unistd::gettid;
use std::fs;
use std::io;
use std::sync::Arc;
use std::thread;
use vorrang_guest::clock::{now, sleep_until};
use vorrang_guest::told;
use vorrang_guest::{
    AFTER_TICK, DONE, Job, LoadedTask, Policy, Record, ScriptedJob, ScriptedThread, TICK, Work,
};

/// From the creation of the first thread to the common instant: enough for a hundred threads.
const LEAD: u64 = 50_000_000;

/// The serial port of the kernel's messages.
const CONSOLE: &str = "/dev/ttyS0";

/// Jobs whose times find room from the beginning, so that noting them costs nothing.
const FORESEEN: u32 = 65_536;

/// Runs the tasks, which do the same again and again; a record for each, in their order.
pub(crate) fn run(tasks: &[LoadedTask], until: u64) -> Vec<Record> {
    let threads = tasks.iter().map(|task| {
        let jobs = (0..u64::from(task.jobs)).map({
            let LoadedTask { offset, period, work, .. } = *task;
            move |number| ScriptedJob { release: offset + number * period, work }
        });
        let room = task.jobs.min(FORESEEN) as usize;
        let jobs = Script { jobs: Box::new(jobs), room, until, waits: None, opens: Vec::new() };
        (task.name.clone(), task.cpu, task.policy, jobs)
    });
    side_by_side(threads)
}

/// Of these records those of the tasks that are told, and what is no job; the others as one.
pub(crate) fn summed_up(records: Vec<Record>, told: &[String]) -> Vec<Record> {
    let (mut tasks, mut jobs, mut early, mut latest) = (0, 0, 0, 0);
    let mut kept = Vec::new();
    for record in records {
        match record {
            Record::Jobs { task, jobs: of_task, .. } if !told.contains(&task) => {
                tasks += 1;
                for Job { release, start, .. } in of_task {
                    jobs += 1;
                    early += u64::from(start < release);
                    latest = latest.max(start.saturating_sub(release));
                }
            }
            other => kept.push(other),
        }
    }
    kept.push(Record::Others { tasks, jobs, early, latest });
    kept
}

/// The same as a process of its own, which writes the records to a file, one a line.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn run_apart(tasks: &[LoadedTask], until: u64) -> io::Result<()> {
    let line = |record| serde_json::to_string(record).expect("records have no maps") + "\n";
    let lines: String = run(tasks, until).iter().map(line).collect();
    told::write(DONE, lines)
}

/// Runs the threads of a script; a record for each, in their order.
pub(crate) fn perform_script(threads: &[ScriptedThread], until: u64) -> Vec<Record> {
    let gate = |thread: &ScriptedThread| {
        (!thread.after.is_empty()).then(|| Arc::new(Gate::behind(thread.after.len())))
    };
    let gates: Vec<Option<Arc<Gate>>> = threads.iter().map(gate).collect();
    let of = |name: &String| {
        let behind = threads.iter().zip(&gates).filter_map(|(other, gate)| {
            let place = other.after.iter().position(|before| before == name)?;
            Some((Arc::clone(gate.as_ref()?), place))
        });
        behind.collect()
    };
    side_by_side(threads.iter().zip(&gates).map(|(thread, gate)| {
        let ScriptedThread { name, cpu, policy, jobs, .. } = thread.clone();
        let (room, opens) = (jobs.len(), of(&name));
        let jobs = Box::new(jobs.into_iter());
        (name, cpu, policy, Script { jobs, room, until, waits: gate.clone(), opens })
    }))
}

/// What a thread does.
struct Script {
    jobs: Box<dyn Iterator<Item = ScriptedJob> + Send>,
    /// For so many.
    room: usize,
    /// When it ends, after the common instant.
    until: u64,
    /// What its jobs wait for, if others wake them.
    waits: Option<Arc<Gate>>,
    /// The gates that its jobs open, and which of the predecessors there it is.
    opens: Vec<(Arc<Gate>, usize)>,
}

impl Script {
    /// So many of its jobs are complete.
    fn opened(opens: &[(Arc<Gate>, usize)], jobs: u64) {
        for (gate, place) in opens {
            gate.done(*place, jobs);
        }
    }
}

fn side_by_side(
    threads: impl Iterator<Item = (String, Option<usize>, Policy, Script)>,
) -> Vec<Record> {
    let spin = Spin::measured();
    let origin = (now(ClockId::CLOCK_MONOTONIC) + LEAD).next_multiple_of(TICK) + AFTER_TICK;
    let start = |(name, cpu, policy, jobs): (String, Option<usize>, Policy, Script)| {
        let own = name.clone();
        thread::Builder::new()
            .name(name.clone())
            .spawn(move || match prepare(cpu, policy) {
                Ok(()) => perform(own, jobs, spin, origin),
                Err(why) => {
                    // What waits for it is not to wait for ever.
                    Script::opened(&jobs.opens, u64::MAX);
                    refusal(&own, &why)
                }
            })
            .map_err(|why| refusal(&name, &why))
    };
    let threads: Vec<_> = threads.map(start).collect();
    let end = |thread: Result<thread::JoinHandle<Record>, Record>| match thread {
        Ok(thread) => thread.join().expect("a task does not panic"),
        Err(refused) => refused,
    };
    threads.into_iter().map(end).collect()
}

fn perform(task: String, script: Script, spin: Spin, origin: u64) -> Record {
    let charged = || now(ClockId::CLOCK_THREAD_CPUTIME_ID);
    let mut jobs = Vec::with_capacity(script.room);
    // Before the first one, which is not to take longer for it.
    let begun = charged();
    for (ScriptedJob { release, work }, number) in script.jobs.zip(1..) {
        let release = origin + release;
        match &script.waits {
            Some(gate) => gate.pass(number),
            None => sleep_until(release),
        }
        let start = now(ClockId::CLOCK_MONOTONIC);
        match work {
            Work::Compute(time) | Work::ComputeThenYield(time) => spin.run(time),
            Work::ComputeByTurns(time) => spin.run_by_turns(time),
            Work::Send(bytes) => send(bytes),
        }
        jobs.push(Job { release, start, finish: now(ClockId::CLOCK_MONOTONIC) });
        Script::opened(&script.opens, number);
        if matches!(work, Work::ComputeThenYield(_)) {
            // It has no way to fail on Linux.
            sched_yield().expect("Linux yields");
        }
    }
    let charged = charged() - begun;
    sleep_until(origin + script.until);
    Record::Jobs { task, thread: gettid().as_raw(), jobs, charged }
}

/// Pins the calling thread and sets its policy.
fn prepare(cpu: Option<usize>, policy: Policy) -> io::Result<()> {
    // Threads without a real-time policy would be woken up to 50 us late.
    set_timerslack(1)?;
    // A thread of SCHED_DEADLINE cannot be moved any more; any other might starve where it is to be.
    if policy.is_reserved() {
        policy::place(0, cpu)?;
        return policy::set(0, policy);
    }
    policy::set(0, policy)?;
    policy::place(0, cpu)
}

fn send(bytes: usize) {
    // A console that takes nothing has no interrupts, which is seen.
    let _lost = fs::write(CONSOLE, vec![b' '; bytes]);
}

fn refusal(task: &str, why: &io::Error) -> Record {
    Record::Refused {
        what: format!("task {task}"),
        errno: why.raw_os_error().unwrap_or(0),
        why: why.to_string(),
    }
}
