//! The least distances of releases, exactly, while they come.
//!
//! **Model.** A release lies in a window of time. The distance of n of them is at least the beginning of the last window
//! minus the end of the first. The least of those is kept for each n up to [`MOST`].
//!
//! **Cost.** [`MOST`] steps for a release, without a branch in them, and constant memory.

/// The window in which something was released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Not before.
    pub from: u64,
    /// Not after.
    pub to: u64,
}

impl Window {
    /// A release that is known exactly.
    pub const fn exact(at: u64) -> Self {
        Self { from: at, to: at }
    }
}

/// Releases whose distance is looked at, at most.
pub const MOST: usize = 32;

/// Room for ends: some adds before those that are kept are moved.
const ROOM: usize = 4 * MOST;

/// The least distances so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    /// Ends of the last windows, the newest first, from `begin` on.
    ends: Vec<u64>,
    begin: usize,
    /// From a release to the next, to the one after that, and so on.
    least: Vec<u64>,
}

impl Distances {
    /// The next release.
    pub fn add(&mut self, window: Window) {
        let known = &self.ends[self.begin..];
        for (least, end) in self.least.iter_mut().zip(known) {
            *least = window.from.saturating_sub(*end).min(*least);
        }
        if let Some(end) = known.get(self.least.len()) {
            self.least.push(window.from.saturating_sub(*end));
        }
        if self.begin == 0 {
            let kept = self.ends.len().min(MOST - 2);
            self.ends.resize(ROOM, 0);
            self.ends.copy_within(..kept, ROOM - kept);
            self.begin = ROOM - kept;
        }
        self.begin -= 1;
        self.ends[self.begin] = window.to;
        self.ends.truncate(self.begin + MOST - 1);
    }

    /// From a release to the next one at least, to the one after that, and so on; empty: there were no two.
    pub fn least(&self) -> &[u64] {
        &self.least
    }

    /// The least distance of two: that of the sporadic model.
    pub fn sporadic(&self) -> Option<u64> {
        self.least.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distances_are_those_of_all_pairs(gaps in proptest::collection::vec((0_u64..50, 0_u64..9), 0..400)) {
            let mut at = 0;
            let windows: Vec<Window> = gaps.into_iter().map(|(gap, width)| {
                at += gap;
                Window { from: at, to: at + width }
            }).collect();
            let mut distances = Distances::default();
            for window in &windows {
                distances.add(*window);
            }
            let expected: Vec<u64> = (1..MOST.min(windows.len().max(1))).map(|steps| {
                let pairs = windows.iter().zip(&windows[steps..]);
                pairs.map(|(one, next)| next.from.saturating_sub(one.to)).min().expect("a pair")
            }).collect();
            prop_assert_eq!(distances.least(), expected);
        }
    }
}
