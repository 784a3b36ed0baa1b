//! The program `vorrang-vcpu`: a virtual machine without an operating system, and a thread that raises its
//! interrupts.
//!
//! `vorrang-vcpu FILE computes|halts TURNS DELAY COUNT PERIOD SPREAD [AFTER [held|both]]`
//!
//! When there is a file `AFTER`, if one is named, and after the delay it raises so many interrupts, and then writes what it saw
//! into the file; of more interrupts than the guest notes, none is told. The nth is up to a spread after the nth multiple of period
//! and spread together, by the clock: at the same instant in each process with the same numbers. It ends when it is killed. What
//! raises them is above everything, or, `held`, has the policy that it was started with; `both`: one with each vector, at once.
//!
//! `vorrang-vcpu frames FILE DELAY COUNT PERIOD SENDER VHOST GUEST WORK DRIVER CONTROL`
//!
//! Or a thread sends it so many frames, one a period, by a tap device and the kernel's vhost. There are the priorities of that
//! thread, of vhost and of the virtual processor, each with its processor if it has one (`60@1`), and the work of that thread,
//! of the guest's driver and of what is behind it for each frame. It ends when it has written what it saw.

mod backend;
mod code;
mod counters;
mod driver;
mod frames;
mod machine;
mod processor;

use code::{Inside, MOST, Work};
use counters::Counters;
use machine::Machine;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, io, thread};
use vorrang_guest::clock::{now_monotonic as now, sleep_until};
use vorrang_guest::raised::{FRAME, Interrupt, Told, VECTORS};
use vorrang_guest::told;
use vorrang_sched::Policy;
use vorrang_time::Duration;

/// Who raises interrupts is above all who take them.
const RAISER: u32 = 90;
/// What looks at the guest is above that, too.
const WATCHER: u32 = 95;
/// The last interrupt is handled by then.
const REST: u64 = 200_000_000;
/// It looks for the file so often.
const LOOK: u64 = 10_000_000;
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
    held: bool,
    vectors: &'static [u8],
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["frames", rest @ ..] => frames::Wanted::read(rest).map(|wanted| frames::run(&wanted)),
        _ => read(&arguments).map(|wanted| run(&wanted)),
    };
    let Some(done) = done else {
        eprintln!(
            "usage: vorrang-vcpu FILE computes|halts TURNS DELAY COUNT PERIOD SPREAD [AFTER [held|both]]\n\
             or: vorrang-vcpu {}",
            frames::USAGE
        );
        return ExitCode::from(2);
    };
    told::exit(done)
}

fn read(arguments: &[String]) -> Option<Wanted> {
    let [file, work, turns, delay, count, period, spread, after @ ..] = arguments else {
        return None;
    };
    let (after, how) = match after {
        [] => (None, ""),
        [after] => (Some(after.clone()), ""),
        [after, how] => (Some(after.clone()), how.as_str()),
        _ => return None,
    };
    let (held, vectors) = match how {
        "" => (false, &VECTORS[..1]),
        "held" => (true, &VECTORS[..1]),
        "both" => (false, &VECTORS[..]),
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
    let file = file.clone();
    Some(Wanted { file, work, turns, delay, count, period, spread, after, held, vectors })
}

fn run(wanted: &Wanted) -> io::Result<()> {
    let (machine, vcpu) = Machine::new(&Inside::of(wanted.work, wanted.turns))?;
    let machine = Arc::new(machine);
    let counters = Counters::of(&vcpu)?;
    processor::start(&machine, vcpu)?;
    let Seen { raised, done } = raise(&machine, wanted)?;
    sleep_until(now() + REST);
    let drift = counters.drift();
    let of_vector = |(of, raised): (usize, Vec<u64>)| {
        if wanted.count > MOST {
            return Interrupt::default();
        }
        Interrupt { raised, handled: drift.on_the_host(&machine.handled(of)) }
    };
    let interrupts = raised.into_iter().enumerate().map(of_vector).collect();
    let all = Told { interrupts, uncertain: counters.uncertain, done };
    told::write(&wanted.file, serde_json::to_vec(&all)?)?;
    loop {
        thread::park();
    }
}

/// What was seen from outside.
struct Seen {
    /// By vector.
    raised: Vec<Vec<u64>>,
    done: Vec<(u64, u32)>,
}

/// Raises the interrupts, and looks meanwhile at what the guest has done: when they were raised, and its turns.
fn raise(machine: &Machine, wanted: &Wanted) -> io::Result<Seen> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // Before the thread that raises is parked: it would have what that has.
        let watcher = thread::Builder::new().name("watcher".to_owned());
        let watcher = watcher.spawn_scoped(scope, || watch(machine, wanted, &is_over))?;
        if !wanted.held {
            vorrang_sched::set(0, Policy::fifo(RAISER))?;
        }
        await_file(wanted);
        let apart = wanted.period.as_ns() + wanted.spread.as_ns();
        let first = (now() + wanted.delay.as_ns()).div_ceil(apart);
        let mut raised = vec![Vec::with_capacity(wanted.count); wanted.vectors.len()];
        for index in first..first + wanted.count as u64 {
            sleep_until(index * apart + wanted.spread.as_ns() / PARTS * (index * STEP % PARTS));
            for (&vector, raised) in wanted.vectors.iter().zip(&mut raised) {
                raised.push(now());
                machine.raise(vector)?;
            }
        }
        is_over.store(true, Ordering::Release);
        let done = watcher.join().map_err(|_| io::Error::other("a thread has panicked"))?;
        Ok(Seen { raised, done: done? })
    })
}

fn await_file(wanted: &Wanted) {
    while wanted.after.as_ref().is_some_and(|after| !Path::new(after).exists()) {
        sleep_until(now() + LOOK);
    }
}

/// What the guest had done at the beginning of each frame, until all interrupts are raised.
fn watch(machine: &Machine, wanted: &Wanted, is_over: &AtomicBool) -> io::Result<Vec<(u64, u32)>> {
    vorrang_sched::set(0, Policy::fifo(WATCHER))?;
    await_file(wanted);
    let (mut done, mut next) = (Vec::new(), now());
    while !is_over.load(Ordering::Acquire) {
        sleep_until(next);
        done.push((now(), machine.done()));
        next += FRAME;
    }
    Ok(done)
}
