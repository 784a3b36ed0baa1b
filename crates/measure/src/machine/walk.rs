//! Traversal of a working set in blocks of accesses, with a timestamp after each.

use super::counter::{self, Counter};
use super::memory::Line;
use super::place;
use crate::curve::Run;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;

/// The order in which lines are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// From the first to the last.
    Ascending,
    /// From the last to the first.
    Descending,
    /// Along the ring: each line names the next, so no access can begin before the previous one is done.
    Chase,
}

/// The kind of access to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// One word of it is read.
    Read,
    /// One word of it is written.
    Write,
    /// One word of it is read, changed and written.
    Modify,
}

/// Passes of a run that have timestamps: one cold, one that may still recover, one sustained.
const PASSES: usize = 3;

/// Most blocks in a pass: enough to see a curve.
const BLOCKS: usize = 64;

/// The fewest lines of a block: with fewer, timestamps would dominate the measurement.
const LEAST_LINES: usize = 4;

/// How often the sustained rate is timed. The fastest counts, since interruptions only slow down.
const PLAIN_PARTS: usize = 4;

/// Accesses of each part at least: microseconds even at one a cycle, so that timestamps do not show.
const PLAIN_ACCESSES: usize = 16_384;

/// Blocks of a pass over so many lines.
pub fn blocks_per_pass(lines: usize) -> usize {
    (lines / LEAST_LINES).clamp(1, BLOCKS)
}

/// One run over the lines, from the present state of the caches.
pub fn run(lines: &[Line], order: Order, access: Access, counter: &Counter) -> Run {
    let walk = walker(order, access);
    let blocks = blocks_per_pass(lines.len());
    let length = lines.len() / blocks;
    let mut stamps = [0; PASSES * BLOCKS + 1];
    let mut at = 0;
    let stamps = &mut stamps[..=PASSES * blocks];
    let before = place::preemptions();
    stamps[0] = counter::now();
    for stamp in &mut stamps[1..] {
        at = walk(lines, at, length);
        *stamp = counter::now();
    }
    let blocks_ns = stamps.windows(2).map(|pair| counter.ns(pair[1] - pair[0])).collect();
    let accesses = PLAIN_ACCESSES.max(lines.len() / PLAIN_PARTS);
    let mut fastest = u64::MAX;
    for _ in 0..PLAIN_PARTS {
        let from = counter::now();
        at = walk(lines, at, accesses);
        fastest = fastest.min(counter::now() - from);
    }
    black_box(at);
    let preempted = place::preemptions() != before;
    Run {
        blocks_ns,
        sustained_block_ns: counter.ns(fastest) * length as f64 / accesses as f64,
        preempted,
    }
}

/// Goes once over the lines; nothing if there are none.
pub fn pass(lines: &[Line], order: Order, access: Access) {
    if !lines.is_empty() {
        black_box(walker(order, access)(lines, 0, lines.len()));
    }
}

/// Goes on from a line for so many accesses; where it is then.
type Walker = fn(&[Line], usize, usize) -> usize;

fn walker(order: Order, access: Access) -> Walker {
    match (order, access) {
        (Order::Ascending, Access::Read) => walk::<0, 0>,
        (Order::Ascending, Access::Write) => walk::<0, 1>,
        (Order::Ascending, Access::Modify) => walk::<0, 2>,
        (Order::Descending, Access::Read) => walk::<1, 0>,
        (Order::Descending, Access::Write) => walk::<1, 1>,
        (Order::Descending, Access::Modify) => walk::<1, 2>,
        (Order::Chase, Access::Read) => walk::<2, 0>,
        (Order::Chase, Access::Write) => walk::<2, 1>,
        (Order::Chase, Access::Modify) => walk::<2, 2>,
    }
}

/// The same loop for every order and access, each compiled by itself.
#[inline(never)]
fn walk<const ORDER: u8, const ACCESS: u8>(lines: &[Line], mut at: usize, count: usize) -> usize {
    let mut sum = 0_u64;
    for _ in 0..count {
        let line = &lines[at];
        match ACCESS {
            0 => sum = sum.wrapping_add(line.word.load(Relaxed)),
            1 => line.word.store(at as u64, Relaxed),
            _ => line.word.store(line.word.load(Relaxed).wrapping_add(1), Relaxed),
        }
        at = match ORDER {
            0 if at + 1 == lines.len() => 0,
            0 => at + 1,
            1 if at == 0 => lines.len() - 1,
            1 => at - 1,
            _ => line.next.load(Relaxed),
        };
    }
    black_box(sum);
    at
}
