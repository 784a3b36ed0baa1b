//! The steps of a plan.

use crate::machine::{self, Ports};
use crate::program::program;
use crate::spin::Spin;
use crate::state::State;
use crate::timers::Running;
use crate::{account, exercise, fault, interrupts, load, play, policy, state, trace};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use vorrang_guest::{Accounted, LoadedTask, Plan, Policy, Record, Step};

/// Does the steps in their order, and tells what was seen or refused.
pub(crate) fn perform(plan: &Plan, ports: &mut Ports) {
    let mut kept = Kept::default();
    for step in &plan.steps {
        for record in one(step, ports, &mut kept) {
            ports.tell(&record);
        }
    }
}

/// What one step leaves for others.
#[derive(Default)]
struct Kept {
    remembered: State,
    interrupts: Vec<OwnedFd>,
    timers: Option<Running>,
}

fn one(step: &Step, ports: &mut Ports, kept: &mut Kept) -> Vec<Record> {
    match step {
        Step::Write { path, text } => done(&format!("write {path}"), fs::write(path, text)),
        Step::MakeFolder { path } => done(&format!("make {path}"), fs::create_dir(path)),
        Step::Read { path } => text(path),
        Step::LoadModule { path, parameters } => {
            done(&format!("load {path}"), machine::load_module(Path::new(path), parameters))
        }
        Step::UnloadModule { name } => {
            done(&format!("unload {name}"), machine::unload_module(name))
        }
        Step::Run { command } => run(command),
        Step::MeasureWork { cpu } => {
            told("measure what work takes", Spin::beside_others(*cpu).map(Spin::told))
        }
        Step::StartInterrupts { cpu, every } => {
            let started = interrupts::start(*cpu, *every);
            let kept = started.map(|started| kept.interrupts.push(started));
            done("interrupt a processor", kept)
        }
        Step::EndInterrupts => {
            kept.interrupts.clear();
            Vec::new()
        }
        Step::StartTrace { events } => done("start the trace", trace::start(events)),
        Step::EndTrace => done("send the trace", trace::end(&mut ports.trace)),
        Step::SetPolicy { thread, policy } => {
            done(&format!("set the policy of {thread}"), set_policy(thread, *policy))
        }
        Step::Load { tasks } => load::run(tasks, 0),
        Step::Meanwhile { tasks, steps } => meanwhile(tasks, None, steps, ports, kept),
        Step::MeanwhileOf { tasks, told, steps } => {
            meanwhile(tasks, Some(told), steps, ports, kept)
        }
        Step::StartTimers { .. } | Step::EndTimers | Step::Exercise { .. } => {
            of_timers(step, &mut kept.timers)
        }
        Step::Play { scene } => play::play(scene),
        Step::Script { threads, until } => load::perform_script(threads, *until),
        Step::Start { command } => start(&mut program(command)),
        Step::StartLoad { tasks, until } => {
            let tasks = serde_json::to_string(tasks).expect("tasks have no maps");
            start(Command::new("/init").args(["load", &tasks, &until.to_string()]))
        }
        Step::Account { threads, files } => vec![account::look(threads, files)],
        Step::SetThread { name, cpu, policy } => {
            let set = |thread: &Accounted| {
                policy::place(thread.thread, *cpu)
                    .and_then(|()| policy::set(thread.thread, *policy))
            };
            let found = account::named(name);
            let none = io::Error::other("there is no such thread");
            let first = found.first().ok_or(none).and_then(set);
            let all = first.and_then(|()| found.iter().skip(1).try_for_each(set));
            done(&format!("give {name} a policy"), all)
        }
        Step::Sleep { time } => {
            std::thread::sleep(Duration::from_nanos(*time));
            Vec::new()
        }
        Step::Await { path, text, limit } => {
            done(&format!("wait for {text} in {path}"), wait_for(path, text, *limit))
        }
        Step::RememberState => {
            kept.remembered = State::now();
            Vec::new()
        }
        Step::CompareState => {
            vec![Record::Differences { lines: kept.remembered.differences(&State::now()) }]
        }
        Step::Faults { before, change, restore, fault, stride } => {
            let programs = fault::Programs { before, change, restore };
            programs.everywhere(*fault, *stride, &kept.remembered, ports);
            Vec::new()
        }
    }
}

/// The text of a file.
fn text(path: &str) -> Vec<Record> {
    match fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            vec![Record::Text { path: path.to_owned(), text }]
        }
        Err(why) => done(&format!("read {path}"), Err(why)),
    }
}

/// Runs tasks, and does steps meanwhile: what the steps saw, and what the tasks did, or those of them that are told.
fn meanwhile(
    tasks: &[LoadedTask],
    told: Option<&Vec<String>>,
    steps: &[Step],
    ports: &mut Ports,
    kept: &mut Kept,
) -> Vec<Record> {
    std::thread::scope(|scope| {
        let jobs = scope.spawn(|| load::run(tasks, 0));
        let mut seen = Vec::new();
        for step in steps {
            seen.extend(one(step, ports, kept));
        }
        let jobs = jobs.join().expect("a load does not panic");
        seen.extend(match told {
            Some(told) => load::summed_up(jobs, told),
            None => jobs,
        });
        seen
    })
}

/// Waits until a file holds a text.
fn wait_for(path: &str, text: &str, limit: u64) -> io::Result<()> {
    const LOOK: Duration = Duration::from_millis(50);
    let mut left = Duration::from_nanos(limit);
    while !fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)) {
        left = left.checked_sub(LOOK).ok_or(io::ErrorKind::TimedOut)?;
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// Nothing, or why not.
fn done(what: &str, result: io::Result<()>) -> Vec<Record> {
    let refused = |why: io::Error| Record::Refused {
        what: what.to_owned(),
        errno: why.raw_os_error().unwrap_or(0),
        why: why.to_string(),
    };
    result.err().map(refused).into_iter().collect()
}

/// The steps with many timers.
fn of_timers(step: &Step, running: &mut Option<Running>) -> Vec<Record> {
    match step {
        Step::StartTimers { timers } => *running = Some(Running::start(*timers)),
        Step::EndTimers => {
            let times = running.take().map_or(Ok(0), Running::end);
            return told("let many timers expire", times.map(|times| Record::Expired { times }));
        }
        Step::Exercise { exercise } => return told("exercise timers", exercise::run(exercise)),
        _ => {}
    }
    Vec::new()
}

/// What was seen, or why not.
fn told(what: &str, result: io::Result<Record>) -> Vec<Record> {
    result.map_or_else(|why| done(what, Err(why)), |record| vec![record])
}

fn start(program: &mut Command) -> Vec<Record> {
    let what = format!("start {}", program.get_program().display());
    let started = program.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    done(&what, started.map(drop))
}

fn run(command: &[String]) -> Vec<Record> {
    match program(command).output() {
        Ok(output) => vec![Record::Ran {
            command: command.to_vec(),
            exit: output
                .status
                .code()
                .or(output.status.signal().map(|signal| 128 + signal))
                .unwrap_or(-1),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }],
        Err(why) => done(&format!("run {}", command.join(" ")), Err(why)),
    }
}

/// Sets the policy of the first process whose name begins so: a thread of the kernel is one.
fn set_policy(name: &str, policy: Policy) -> io::Result<()> {
    let named = |process: &i32| {
        fs::read_to_string(format!("/proc/{process}/comm")).is_ok_and(|own| own.starts_with(name))
    };
    let process = state::numbers(Path::new("/proc")).into_iter().find(named);
    policy::set(process.ok_or(io::ErrorKind::NotFound)?, policy)
}
