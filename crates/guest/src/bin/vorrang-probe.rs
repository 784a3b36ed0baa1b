//! The program `vorrang-probe`: threads that compute, or do jobs, and one that reads what they have done.
//!
//! `vorrang-probe FILE PERIOD READINGS NAME=always|WORK/PERIOD…`
//! `vorrang-probe before-all PROGRAM…` becomes that program, before everything else on its processor.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, io, thread};
use vorrang_guest::clock::{now_monotonic as now, sleep_until};
use vorrang_guest::counted::{Told, Worked};
use vorrang_guest::{told, work};
use vorrang_sched::Policy;
use vorrang_time::Duration;

/// Turns of a unit of work: somewhat less than a microsecond under counted time.
const TURNS: u64 = 8;
/// Units of one measurement, and measurements, of which the shortest counts.
const UNITS: u64 = 1000;
const MEASUREMENTS: u32 = 5;
/// The reader of the counters is above all that is counted.
const READER: u32 = 95;

/// A thread.
struct Counted {
    name: String,
    pattern: Pattern,
    units: AtomicU64,
    jobs: Mutex<Vec<(u64, u64)>>,
}

/// What it does.
#[derive(Clone, Copy)]
enum Pattern {
    Always,
    /// So much work at every multiple of a period.
    Jobs(Duration, Duration),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let ["before-all", program, rest @ ..] =
        arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice()
    {
        return told::exit(Err(before_all(program, rest)));
    }
    let Some((file, period, readings, threads)) = read(&arguments) else {
        eprintln!("usage: vorrang-probe FILE PERIOD READINGS NAME=always|WORK/PERIOD...");
        return ExitCode::from(2);
    };
    told::exit(run(file, period, readings, threads))
}

/// Becomes another program, which nothing preempts; or why not.
fn before_all(program: &str, arguments: &[&str]) -> io::Error {
    match vorrang_sched::set(0, Policy::fifo(99)) {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(why) => why,
    }
}

fn read(arguments: &[String]) -> Option<(&str, u64, usize, Vec<Counted>)> {
    let [file, period, readings, threads @ ..] = arguments else { return None };
    let thread = |text: &String| {
        let (name, does) = text.split_once('=')?;
        let pattern = match does.split_once('/') {
            Some((work, period)) => Pattern::Jobs(work.parse().ok()?, period.parse().ok()?),
            None if does == "always" => Pattern::Always,
            None => return None,
        };
        let (units, jobs) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        Some(Counted { name: name.to_owned(), pattern, units, jobs })
    };
    let threads = threads.iter().map(thread).collect::<Option<_>>()?;
    let period: Duration = period.parse().ok()?;
    Some((file, period.as_ns(), readings.parse().ok()?, threads))
}

fn run(file: &str, period: u64, readings: usize, threads: Vec<Counted>) -> io::Result<()> {
    let before = vorrang_sched::get(0)?;
    vorrang_sched::set(0, Policy::fifo(READER))?;
    let takes = (0..MEASUREMENTS).map(|_| measured()).min().unwrap_or_default().max(1);
    let threads: &'static [Counted] = threads.leak();
    // They begin as everything does; who starts them is above them.
    vorrang_sched::set(0, before)?;
    for counted in threads {
        let work = move || perform(counted, takes);
        thread::Builder::new().name(counted.name.clone()).spawn(work)?;
    }
    vorrang_sched::set(0, Policy::fifo(READER))?;
    let begin = (now() + period).next_multiple_of(period);
    let mut read = Vec::with_capacity(readings);
    let mut units = vec![Vec::with_capacity(readings); threads.len()];
    for reading in 0..readings as u64 {
        let at = begin + reading * period;
        sleep_until(at);
        for (of_thread, counted) in units.iter_mut().zip(threads) {
            of_thread.push(counted.units.load(Ordering::Relaxed));
        }
        read.push((at, now()));
    }
    let worked = threads.iter().zip(units).map(|(counted, units)| Worked {
        name: counted.name.clone(),
        units,
        jobs: counted.jobs.lock().expect("no panic while locked").clone(),
    });
    let all = Told { thousand_units_take: takes, threads: worked.collect(), read };
    told::write(file, serde_json::to_vec(&all)?)
}

fn perform(counted: &Counted, takes: u64) {
    match counted.pattern {
        Pattern::Always => loop {
            unit(&counted.units);
        },
        Pattern::Jobs(work, period) => {
            let (units, period) = (work.as_ns() * UNITS / takes, period.as_ns());
            let mut release = (now() + period).next_multiple_of(period);
            loop {
                sleep_until(release);
                (0..units).for_each(|_| unit(&counted.units));
                let mut jobs = counted.jobs.lock().expect("no panic while locked");
                jobs.push((release, now()));
                release += period;
            }
        }
    }
}

/// Not inlined: one loop for what is measured and for what is counted.
#[inline(never)]
fn unit(counter: &AtomicU64) {
    work::turns(TURNS);
    counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

fn measured() -> u64 {
    let (begin, counter) = (now(), AtomicU64::new(0));
    (0..UNITS).for_each(|_| unit(&counter));
    now() - begin
}
