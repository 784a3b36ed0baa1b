//! Work: turns of a loop, which are instructions and not time.
//!
//! **Model.** One turn of a loop takes the same time whenever it is not interrupted; what it takes is measured
//! when the program begins, or once more while another processor has work of its own ([`Spin::beside_others`]),
//! and told. So a job is as much work whatever the kernel charges its thread: the time of interrupts makes it later,
//! not smaller.
//! **Assumption.** That holds under counted time; on the host's clock it is an estimate.

use crate::policy;
use nix::time::ClockId;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use vorrang_guest::clock::now;
use vorrang_guest::work;
use vorrang_guest::{Policy, Record};

/// Turns of one measurement: 1.3 ms, with one reading of the clock, a ten-thousandth. The costs of kernels that are shipped are
/// those beside which work was measured in that way: another length makes jobs of a second 0.1 ms longer or shorter.
const TURNS: u64 = 12_750;
/// Of so many measurements the shortest is taken: an interrupt makes others longer.
const MEASUREMENTS: u32 = 5;
/// Turns of about a microsecond.
const A_MICROSECOND: u64 = 10;
/// Beside other processors their average counts, and so many more of them are taken.
const MORE: u64 = 100;
/// The priority of who measures: nothing of a plan is above it.
const URGENT: Policy = Policy::Fifo(98);

/// What was measured last; 0: nothing yet.
static TAKES: AtomicU64 = AtomicU64::new(0);

/// A loop, and what it takes.
#[derive(Clone, Copy)]
pub(crate) struct Spin {
    /// Nanoseconds of [`TURNS`].
    takes: u64,
}

impl Spin {
    /// The loop on this machine, measured when it is first asked for.
    pub(crate) fn measured() -> Self {
        let takes = TAKES.load(Ordering::Relaxed);
        if takes > 0 {
            return Self { takes };
        }
        let shortest = (0..MEASUREMENTS).map(|_| once()).min();
        Self::kept(shortest.unwrap_or_default())
    }

    /// Measures it once more on a processor, while what the others do goes on: under counted time processors take
    /// turns, and each is the slower the more the others do.
    pub(crate) fn beside_others(cpu: usize) -> io::Result<Self> {
        let average = thread::spawn(move || {
            policy::set(0, URGENT)?;
            policy::place(0, Some(cpu))?;
            Ok((0..MORE).map(|_| once()).sum::<u64>() / MORE)
        });
        average.join().expect("a measurement does not panic").map(Self::kept)
    }

    fn kept(takes: u64) -> Self {
        let takes = takes.max(1);
        TAKES.store(takes, Ordering::Relaxed);
        Self { takes }
    }

    /// Does the work that takes this long if nothing interrupts it.
    pub(crate) fn run(self, time: u64) {
        work::turns(time * TURNS / self.takes);
    }

    /// The same; the emulator ends a processor's turn with an instruction for loops that wait (`pause`), and that is done
    /// after every microsecond.
    pub(crate) fn run_by_turns(self, time: u64) {
        let turns = time * TURNS / self.takes;
        for _ in 0..turns / A_MICROSECOND {
            work::turns(A_MICROSECOND);
            std::hint::spin_loop();
        }
    }

    /// What was measured.
    pub(crate) fn told(self) -> Record {
        Record::Loop { turns: TURNS, takes: self.takes }
    }
}

/// What [`TURNS`] take now.
fn once() -> u64 {
    let begin = now(ClockId::CLOCK_MONOTONIC);
    work::turns(TURNS);
    now(ClockId::CLOCK_MONOTONIC) - begin
}
