//! The program `vorrang-device`: the user of a device that QEMU has for tests (`edu`), assigned by VFIO, and a thread that has
//! it raise its interrupts.
//!
//! `vorrang-device FILE COUNT APART AFTER`
//!
//! When there is a file `AFTER` it has so many interrupts raised, so far apart, looks after each one how many were delivered, and
//! waits for the rest. Then it writes what it saw into the file, and goes on: its interrupt ends with it. It is above everything that
//! takes interrupts.

mod assigned;

use assigned::Assigned;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io, thread};
use vorrang_guest::clock::{now_monotonic as now, sleep_until};
use vorrang_guest::delivered::Told;
use vorrang_guest::told;
use vorrang_sched::Policy;
use vorrang_time::Duration;

/// Who raises interrupts is above all who take them.
const RAISER: u32 = 90;
/// It looks for the file so often.
const LOOK: u64 = 10_000_000;
/// The rest is delivered by then: two periods, and more.
const REST: u64 = 100_000_000;
/// What was delivered is told so often.
const TOLD: u64 = 1_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((file, count, apart, after)) = read(&arguments) else {
        eprintln!("usage: vorrang-device FILE COUNT APART AFTER");
        return ExitCode::from(2);
    };
    told::exit(run(file, count, apart, after))
}

fn read(arguments: &[String]) -> Option<(&str, u64, u64, &str)> {
    let [file, count, apart, after] = arguments else { return None };
    let apart: Duration = apart.parse().ok()?;
    Some((file, count.parse().ok()?, apart.as_ns(), after))
}

fn run(file: &str, count: u64, apart: u64, after: &str) -> io::Result<()> {
    let device = Assigned::new()?;
    vorrang_sched::set(0, Policy::fifo(RAISER))?;
    while !Path::new(after).exists() {
        sleep_until(now() + LOOK);
    }
    let before = interrupted()?;
    let first = now().div_ceil(TOLD) * TOLD;
    let mut told =
        Told { raised: count, between: (first, first), interrupted: 0, delivered: Vec::new() };
    let (mut since, mut next) = (0, first + TOLD);
    let end = first + count * apart + REST;
    for at in (first..end).step_by(usize::try_from(apart).map_err(io::Error::other)?) {
        sleep_until(at);
        since += device.delivered()?;
        if now() >= next {
            told.delivered.push((next, since));
            (since, next) = (0, now().div_ceil(TOLD) * TOLD);
        }
        if at < first + count * apart {
            told.between.1 = now();
            device.raise()?;
        }
    }
    told.interrupted = interrupted()? - before;
    told::write(file, serde_json::to_vec(&told)?)?;
    loop {
        thread::park();
    }
}

/// How often its interrupt came to a processor.
fn interrupted() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/interrupts")?;
    let line = text.lines().find(|line| line.contains("vfio-msi"));
    let numbers = line.into_iter().flat_map(|line| line.split_whitespace().skip(1));
    Ok(numbers.map_while(|word| word.parse::<u64>().ok()).sum())
}
