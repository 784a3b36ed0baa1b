//! How the time of a measurement is shared among its parts, and the priorities that they use.

use crate::machine::{Unable, clock};

/// The priorities of the sleeping thread, and of the one below it; the kernel's own vital threads have 99.
pub(super) const ABOVE: u32 = 98;
pub(super) const BELOW: u32 = 97;
/// The time for which it keeps the processor at once, before it leaves it to others: less than Linux allows
/// real-time threads.
pub(super) const STRETCH_NS: u64 = 100_000_000;
pub(super) const PAUSE_NS: u64 = 15_000_000;
/// The parts, one after the other.
pub(super) struct Rounds<'a> {
    pub(super) part_ns: u64,
    /// How many parts are done.
    done: u32,
    go_on: &'a mut dyn FnMut(f64) -> bool,
}

/// Parts of which the time consists; ticks have two.
const PARTS: u64 = 6;

impl<'a> Rounds<'a> {
    /// All parts in so much time.
    pub(super) fn of(all_ns: u64, go_on: &'a mut dyn FnMut(f64) -> bool) -> Self {
        Self { part_ns: all_ns / PARTS, done: 0, go_on }
    }

    /// Does something again and again, at least once, for so many parts of the time.
    pub(super) fn part<T>(
        &mut self,
        parts: u32,
        mut once: impl FnMut() -> Result<T, Unable>,
    ) -> Result<Vec<T>, Unable> {
        let begin = clock::now_ns();
        let length = u64::from(parts) * self.part_ns;
        let mut all = Vec::new();
        let wanted = loop {
            all.push(once()?);
            let passed = clock::now_ns() - begin;
            let part = (passed as f64 / length.max(1) as f64).min(1.0) * f64::from(parts);
            let wanted = (self.go_on)((f64::from(self.done) + part) / PARTS as f64);
            if !wanted || passed >= length {
                break wanted;
            }
        };
        self.done += parts;
        // Interrupted, the rest is done once each.
        if !wanted {
            self.part_ns = 0;
        }
        Ok(all)
    }
}
