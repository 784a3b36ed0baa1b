//! The least distances of releases, exactly, while they come.
//!
//! **Model.** A release lies in a window of time. The distance of n of them is at least the beginning of the last window
//! minus the end of the first. The least of those is kept for each n up to [`MOST`], and for those of [`FAR`] beyond.
//!
//! **Cost.** [`MOST`] steps for a release, without a branch in them, one for each of [`FAR`], and constant memory: an instant for
//! each of the releases that the last of [`FAR`] looks back.

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

/// How many releases further it is looked besides: what a burst is like that goes on for longer.
pub const FAR: [usize; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];
/// So many ends of windows are kept for that: a power of two.
const KEPT: usize = FAR[FAR.len() - 1];

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
    /// Ends of the last windows, each at the place of its number, in rounds.
    rounds: Vec<u64>,
    count: usize,
    /// As many releases further as [`FAR`] says.
    far: Vec<u64>,
}

impl Distances {
    /// The next release.
    pub fn add(&mut self, window: Window) {
        self.look_back(window);
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

    fn look_back(&mut self, window: Window) {
        for (place, steps) in FAR.into_iter().enumerate() {
            let Some(before) = self.count.checked_sub(steps) else { break };
            let distance = window.from.saturating_sub(self.rounds[before % KEPT]);
            match self.far.get_mut(place) {
                Some(least) => *least = distance.min(*least),
                None => self.far.push(distance),
            }
        }
        match self.rounds.get_mut(self.count % KEPT) {
            Some(end) => *end = window.to,
            None => self.rounds.push(window.to),
        }
        self.count += 1;
    }

    /// How many releases further, and for how long at least, beyond [`Self::least`].
    pub fn far(&self) -> impl Iterator<Item = (usize, u64)> {
        FAR.into_iter().zip(self.far.iter().copied())
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

    /// More releases than are kept.
    #[test]
    fn rounds_go_on() {
        let mut distances = Distances::default();
        for at in 0..20_000_u64 {
            // A burst of 5000, much later than the first ones.
            let at = if at < 12_000 {
                100 * at
            } else {
                1_200_000 + (at - 12_000).min(5_000) * 3 + (at - 12_000).saturating_sub(5_000) * 100
            };
            distances.add(Window::exact(at));
        }
        assert_eq!(distances.far().last(), Some((4096, 3 * 4096)));
        assert_eq!(distances.rounds.len(), KEPT);
    }

    proptest! {
        #[test]
        fn distances_are_those_of_all_pairs(gaps in proptest::collection::vec((0_u64..50, 0_u64..9), 0..1300)) {
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
            let far: Vec<(usize, u64)> = FAR.into_iter().filter(|steps| *steps < windows.len()).map(|steps| {
                let pairs = windows.iter().zip(&windows[steps..]);
                (steps, pairs.map(|(one, next)| next.from.saturating_sub(one.to)).min().expect("a pair"))
            }).collect();
            prop_assert_eq!(distances.far().collect::<Vec<_>>(), far);
        }
    }
}
