//! The longest non-preemptible section of the kernel: with preemption or interrupts off.
//!
//! **Model.** A thread above all others sleeps, and below it a thread without competitors makes system calls
//! one after the other. A section that is in progress when the timer is due delays the wake-up by its rest:
//!
//! ```text
//!            due   timer                 runs
//!   ──────────┼──────┼──────────────┼────┼──
//!     section ═══════╪══════════════╡
//!              irqs off   preemption off
//! ```
//!
//! So the longest wake-up, less the shortest, is no less than the rest of the longest section that a timer
//! met.
//!
//! **Assumptions.** 1. No wake-up takes less than the shortest that was seen. 2. Ticks and other interrupts that came
//! meanwhile are in the number: it errs upwards. 3. The system calls of the thread below represent those of
//! other programs: pages are mapped and unmapped, threads begin and end, data passes through a pipe, a file
//! is written, many sleepers are woken at once. Other sections are met only if another program causes them
//! meanwhile.
//!
//! **Cost.** A wake-up every third of a millisecond, [`STRETCH_NS`] at a time.

use super::rounds::{ABOVE, Rounds, STRETCH_NS};
use crate::machine::policy::{self, Fifo};
use crate::machine::{Unable, clock};
use crate::statistics::Sorted;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;

/// From one wake-up to the next, no divisor of a period of ticks.
const WAKE_NS: u64 = 331_000;
/// The memory that is mapped, touched and unmapped at once.
const PAGES: usize = 1 << 20;
const PAGE: usize = 1 << 12;
/// The threads that sleep until all are woken.
const SLEEPERS: usize = 8;

/// The excess of each wake-up over the shortest.
pub(super) fn sections(rounds: &mut Rounds<'_>) -> Result<super::Part, Unable> {
    let stretches = rounds.part(1, || {
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let asks = scope.spawn(|| {
                policy::behind_all_others();
                ask(|| over.load(Ordering::Relaxed))
            });
            let woken = woken();
            over.store(true, Ordering::Relaxed);
            let asked = asks.join().expect("it does not panic");
            woken.map(|woken| (woken, asked))
        })
    })?;
    let mut delays = Vec::new();
    for (woken, asked) in stretches {
        if let Err(why) = asked {
            return Ok(Err(format!("the kernel refused a system call meanwhile: {why}")));
        }
        delays.extend(woken);
    }
    Ok(beyond_the_shortest(&delays).ok_or_else(|| "no thread was seen to wake".to_owned()))
}

fn beyond_the_shortest(delays: &[u64]) -> Option<Sorted> {
    let least = delays.iter().min()?;
    Sorted::of(delays.iter().map(|delay| (delay - least) as f64))
}

/// How much later than asked for this thread ran, for a stretch.
fn woken() -> Result<Vec<u64>, Unable> {
    let _fifo = Fifo::at(ABOVE)?;
    let begin = clock::now_ns();
    let mut delays = Vec::new();
    let mut due = begin + WAKE_NS;
    while due < begin + STRETCH_NS {
        clock::sleep_until(due);
        let now = clock::now_ns();
        delays.push(now - due);
        // One that is later than the next is due is one delay, not several.
        due = now.max(due) + WAKE_NS;
    }
    Ok(delays)
}

/// Makes system calls one after the other, at least once.
fn ask(is_over: impl Fn() -> bool) -> io::Result<()> {
    let (mut reader, mut writer) = io::pipe()?;
    let mut data = vec![1; PAGE];
    loop {
        touch()?;
        thread::Builder::new().spawn(|| ())?.join().expect("it does nothing");
        writer.write_all(&data)?;
        reader.read_exact(&mut data)?;
        let held: File =
            rustix::fs::memfd_create("vorrang", rustix::fs::MemfdFlags::CLOEXEC)?.into();
        (&held).write_all(&data)?;
        wake_all()?;
        if is_over() {
            return Ok(());
        }
    }
}

/// Maps and unmaps pages.
fn touch() -> io::Result<()> {
    let mut pages = Vec::new();
    pages.try_reserve_exact(PAGES).map_err(io::Error::other)?;
    pages.resize(PAGES, 0_u8);
    for at in (0..PAGES).step_by(PAGE) {
        pages[at] = 1;
    }
    std::hint::black_box(&pages);
    Ok(())
}

/// Many threads sleep, and all are woken.
fn wake_all() -> io::Result<()> {
    let (is_open, door) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        let mut refused = Ok(());
        for _ in 0..SLEEPERS {
            let spawned = thread::Builder::new().spawn_scoped(scope, || {
                let closed = is_open.lock().expect("no panic while locked");
                drop(door.wait_while(closed, |open| !*open));
            });
            refused = refused.and(spawned.map(|_| ()));
        }
        *is_open.lock().expect("no panic while locked") = true;
        door.notify_all();
        refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_wake_up_takes_is_no_section() {
        let found = beyond_the_shortest(&[2_100, 41_000, 2_000]).expect("there are some");
        assert_eq!((found.quantile(0.0), found.quantile(1.0)), (0.0, 39_000.0));
        assert!(beyond_the_shortest(&[]).is_none());
    }

    #[test]
    fn the_kernel_does_what_it_is_asked_for() {
        ask(|| true).expect("nothing of it needs a permission");
    }
}
