//! Memory that is accessed line by line.
//!
//! **Model.** A line of a cache is 64 bytes. Each line of a working set holds the place of another
//! line, so that all of them make one ring in random order, and a word to read and write.
//!
//! **Assumptions.** 1. Lines have 64 bytes; where they have more, neighbours are touched twice. 2. All
//! of it has been written to, so that it is memory and not the page of zeros.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bytes of a line.
pub const LINE_BYTES: usize = 64;

/// One line. Atomics, so that no access is optimised away; relaxed, so that they cost what plain
/// accesses do.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Line {
    /// The next line of the ring.
    pub next: AtomicUsize,
    /// The word that is read and written.
    pub word: AtomicU64,
}

/// The lines that hold so many bytes, linked to one ring in an order that the seed decides.
pub fn ring(bytes: usize, seed: u64) -> Vec<Line> {
    let lines: Vec<Line> = (0..bytes / LINE_BYTES).map(|_| Line::default()).collect();
    // Sattolo's shuffle: a permutation of one cycle.
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    for last in (1..order.len()).rev() {
        let other = random.next_u64() % last as u64;
        order.swap(last, usize::try_from(other).expect("below an index"));
    }
    for (line, next) in lines.iter().zip(order) {
        line.next.store(next, Ordering::Relaxed);
    }
    lines
}

/// Memory that displaces everything else from the caches.
#[derive(Debug)]
pub struct Flood {
    written: Vec<Line>,
    read: Vec<Line>,
}

impl Flood {
    /// Two of so many bytes.
    pub fn of(bytes: usize) -> Self {
        let lines = || {
            let fresh = (0..bytes / LINE_BYTES).map(|_| Line::default()).collect::<Vec<_>>();
            write(&fresh);
            fresh
        };
        Self { written: lines(), read: lines() }
    }

    /// Leaves the caches full of lines that must be written back before they can be replaced.
    pub fn with_dirty_lines(&self) {
        write(&self.written);
    }

    /// Leaves them full of clean lines. Lines that are written back on the way were written before.
    pub fn with_clean_lines(&self) {
        let sum = self.read.iter().map(|line| line.word.load(Ordering::Relaxed)).max();
        std::hint::black_box(sum);
    }
}

fn write(lines: &[Line]) {
    for line in lines {
        let value = std::hint::black_box(1);
        line.word.store(value, Ordering::Relaxed);
    }
}

/// While it lives no memory of this process is paged out, and none is fetched at its first use.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub struct Locked(());

#[cfg(target_os = "linux")]
impl Locked {
    /// # Errors
    /// This user may not lock so much.
    pub fn hold() -> Result<Self, super::Unable> {
        use rustix::mm::{MlockAllFlags, mlockall};
        let locked = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE);
        locked.map_err(|why| super::Unable(format!("Locking memory is refused: {why}")))?;
        Ok(Self(()))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Locked {
    fn drop(&mut self) {
        // What was locked can be unlocked.
        let _ = rustix::mm::munlockall();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_visits_every_line_once() {
        for lines in [1, 2, 3, 32, 1000] {
            let ring = ring(lines * LINE_BYTES, 7);
            let mut seen = vec![false; lines];
            let mut at = 0;
            for _ in 0..lines {
                assert!(!std::mem::replace(&mut seen[at], true));
                at = ring[at].next.load(Ordering::Relaxed);
            }
            assert_eq!(at, 0);
        }
        assert_eq!(size_of::<Line>(), LINE_BYTES);
    }
}
