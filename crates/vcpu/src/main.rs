//! The program `vorrang-vcpu`: a virtual machine without an operating system, and a thread that raises its
//! interrupts.
//!
//! `vorrang-vcpu FILE computes|halts TURNS DELAY COUNT PERIOD SPREAD [AFTER]`
//!
//! When there is a file `AFTER`, if one is named, and after the delay it raises so many interrupts, each a period and up to a spread after the one before, and then writes
//! what it saw into the file. It ends when it is killed.

mod machine;

use kvm_ioctls::{VcpuExit, VcpuFd};
use machine::{Machine, Work, counter};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs, io, thread};
use vorrang_sched::Policy;
use vorrang_time::Duration;
use vorrang_vcpu::{THREAD, Told};

/// Who raises interrupts is above all who take them.
const RAISER: u32 = 90;
/// The last interrupt is handled by then.
const REST: u64 = 200_000_000;
/// It looks for the file so often.
const LOOK: u64 = 10_000_000;
/// Of so many readings of both counters the nearest ones count.
const READINGS: u32 = 5;
/// Of more than the guest notes, the first ones are told.
const MOST_RAISED: usize = 100_000;
/// Multiplies to spread instants, and the modulus: every part of the spread comes.
const STEP: u64 = 7919;
const PARTS: u64 = 1000;

struct Wanted {
    file: String,
    work: Work,
    turns: u32,
    delay: Duration,
    count: usize,
    period: Duration,
    spread: Duration,
    after: Option<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(wanted) = read(&arguments) else {
        eprintln!(
            "usage: vorrang-vcpu FILE computes|halts TURNS DELAY COUNT PERIOD SPREAD [AFTER]"
        );
        return ExitCode::from(2);
    };
    match run(&wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(4)
        }
    }
}

fn read(arguments: &[String]) -> Option<Wanted> {
    let [file, work, turns, delay, count, period, spread, after @ ..] = arguments else {
        return None;
    };
    let after = match after {
        [] => None,
        [after] => Some(after.clone()),
        _ => return None,
    };
    let work = match work.as_str() {
        "computes" => Work::Computes,
        "halts" => Work::Halts,
        _ => return None,
    };
    let count = count.parse().ok().filter(|&count| count <= MOST_RAISED)?;
    let (turns, delay) = (turns.parse().ok().filter(|&turns| turns > 0)?, delay.parse().ok()?);
    let (period, spread) = (period.parse().ok()?, spread.parse().ok()?);
    Some(Wanted { file: file.clone(), work, turns, delay, count, period, spread, after })
}

fn run(wanted: &Wanted) -> io::Result<()> {
    let (machine, vcpu) = Machine::new(wanted.work, wanted.turns)?;
    let machine = Arc::new(machine);
    let (offset, uncertain) = offset(&vcpu)?;
    let of_processor = Arc::clone(&machine);
    thread::Builder::new().name(THREAD.to_owned()).spawn(move || {
        let ended = enter(vcpu);
        drop(of_processor);
        eprintln!("error: the guest ended: {ended}");
        std::process::exit(4);
    })?;
    vorrang_sched::set(0, Policy::fifo(RAISER))?;
    while wanted.after.as_ref().is_some_and(|after| !Path::new(after).exists()) {
        sleep_until(now() + LOOK);
    }
    let mut next = now() + wanted.delay.as_ns();
    let mut raised = Vec::with_capacity(wanted.count);
    for index in 0..wanted.count as u64 {
        sleep_until(next);
        raised.push(now());
        machine.raise()?;
        let spread = wanted.spread.as_ns() / PARTS * (index * STEP % PARTS);
        next += wanted.period.as_ns() + spread;
    }
    sleep_until(now() + REST);
    let on_the_host = |at: u64| at.saturating_add_signed(offset);
    let handled = machine.handled();
    let handled =
        handled.into_iter().map(|(begin, end)| (on_the_host(begin), on_the_host(end))).collect();
    let told = Told { raised, handled, uncertain };
    // Complete or not at all, for the reader that waits for it.
    let part = format!("{}.part", wanted.file);
    fs::write(&part, serde_json::to_vec(&told)?)?;
    fs::rename(part, &wanted.file)?;
    loop {
        thread::park();
    }
}

/// Runs the virtual processor until something ends it, and says what.
fn enter(mut vcpu: VcpuFd) -> String {
    loop {
        match vcpu.run() {
            Ok(VcpuExit::Hlt | VcpuExit::Intr) => {}
            Ok(other) => return format!("{other:?}"),
            Err(why) if why.errno() == nix::libc::EINTR => {}
            Err(why) => return why.to_string(),
        }
    }
}

/// From the counter of the guest to the monotonic clock, and how exact that is. A tick is a nanosecond in the lab.
fn offset(vcpu: &VcpuFd) -> io::Result<(i64, u64)> {
    let khz = vcpu.get_tsc_khz()?;
    // As the kernel measured it.
    if khz.abs_diff(1_000_000) > 1_000 {
        return Err(io::Error::other(format!("a tick of the counter is no nanosecond: {khz} kHz")));
    }
    let mut best = (0, u64::MAX);
    for _ in 0..READINGS {
        let before = now();
        let counted = counter(vcpu)?;
        let took = now() - before;
        if took < best.1 {
            let middle = (before + took / 2).cast_signed();
            best = (middle - counted.cast_signed(), took);
        }
    }
    Ok(best)
}

fn now() -> u64 {
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("every Linux has this clock");
    let seconds = u64::try_from(now.tv_sec()).expect("after the boot");
    seconds * 1_000_000_000 + u64::try_from(now.tv_nsec()).expect("after the boot")
}

fn sleep_until(instant: u64) {
    let seconds = i64::try_from(instant / 1_000_000_000).expect("before the end of time");
    let rest = i64::try_from(instant % 1_000_000_000).expect("less than a second");
    let until = TimeSpec::new(seconds, rest);
    let clock = ClockId::CLOCK_MONOTONIC;
    while now() < instant {
        // A signal wakes it early: then it sleeps again.
        let _early = clock_nanosleep(clock, ClockNanosleepFlags::TIMER_ABSTIME, &until);
    }
}
