//! Table: intervals of every period, whether or not the guest has work; a slot is a table of one.
//!
//! ```text
//!  [0, 2) and [5, 6) of every 8
//!  [####]········[#]·····[####]········[#]    # the table's alone
//!  0    2        5 6     8    10       13
//! ```
//!
//! **Invariant.** `due` is the next end if a window is open and the next start if none is. Windows that touch are one.

use alloc::vec::Vec;

use super::{Server, Violation, assert_invariant, require};
use vorrang_time::{Duration, Instant};

/// State of a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Starts and ends within the period, by their starts; none touches the next one.
    windows: Vec<(Duration, Duration)>,
    period: Duration,
    /// One that is all of the period never ends.
    is_whole: bool,
    open: bool,
    due: Instant,
    /// The window that is open or comes next, and when its period began.
    next: usize,
    began: Instant,
}

impl Table {
    /// The windows, as starts and lengths within every `period`, by their starts.
    ///
    /// # Panics
    /// There is none, one is empty or leaves the period, or two overlap.
    pub fn new(windows: &[(Duration, Duration)], period: Duration) -> Self {
        let mut joined: Vec<(Duration, Duration)> = Vec::new();
        for &(start, length) in windows {
            assert!(!length.is_zero() && start + length <= period, "a window is in its period");
            match joined.last_mut() {
                Some((_, end)) if *end == start => *end += length,
                last => {
                    assert!(last.is_none_or(|(_, end)| *end < start), "windows do not overlap");
                    joined.push((start, start + length));
                }
            }
        }
        let &(first, end) = joined.first().expect("a table has a window");
        let is_whole = first.is_zero() && end == period;
        // One that starts at the very start of the history is opened there like any other.
        let (due, next, began) = (Instant::ZERO + first, 0, Instant::ZERO);
        Self { windows: joined, period, is_whole, open: false, due, next, began }
    }

    /// One window of this length that begins at `offset` and every `period` before and after; it may go on in the next period.
    ///
    /// # Panics
    /// It is empty or longer than the period.
    pub fn slot(length: Duration, period: Duration, offset: Duration) -> Self {
        let start = offset.modulo(period);
        let before_end = period - start;
        if length == period || length <= before_end {
            let start = if length == period { Duration::ZERO } else { start };
            return Self::new(&[(start, length)], period);
        }
        let rest = length - before_end;
        let mut around = Self::new(&[(Duration::ZERO, rest), (start, before_end)], period);
        // It has begun before the history.
        (around.open, around.due) = (true, Instant::ZERO + rest);
        around
    }

    /// Whether the last window goes on in the next period.
    fn touches_around(&self) -> bool {
        let last = self.windows[self.windows.len() - 1];
        self.windows[0].0.is_zero() && last.1 == self.period
    }

    fn step(&mut self) {
        self.next += 1;
        if self.next == self.windows.len() {
            (self.next, self.began) = (0, self.began + self.period);
        }
    }
}

impl Server for Table {
    /// Unlimited inside a window: its end is a matter of the clock, not of consumption.
    #[inline]
    fn budget(&self) -> Duration {
        if self.open { Duration::MAX } else { Duration::ZERO }
    }

    #[inline]
    fn consume(&mut self, _now: Instant, _amount: Duration) {}

    #[inline]
    fn due(&self) -> Instant {
        self.due
    }

    fn replenish(&mut self, _now: Instant) {
        assert_invariant(self);
        if self.is_whole {
            self.open = true;
            self.due += self.period;
            return;
        }
        if self.open {
            let around = self.next + 1 == self.windows.len() && self.touches_around();
            self.step();
            self.open = around;
        } else {
            self.open = true;
        }
        let (start, end) = self.windows[self.next];
        self.due = self.began + if self.open { end } else { start };
        assert_invariant(self);
    }

    fn idles(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), Violation> {
        let ends = self.windows.last().is_some_and(|(_, end)| *end <= self.period);
        require(ends && self.next < self.windows.len(), "a window leaves its period")
    }
}
