//! The periodic model of releases, with the least jitter there is.
//!
//! **Model.** Release i of a thread lies in a window. A period T explains all of them with the jitter
//!
//! ```text
//!     J(T) = max (end of window i − i·T) − min (beginning of window i − i·T)
//! ```
//!
//! which is convex in T. Only the corners of the upper hull of the ends and of the lower hull of the beginnings count, and
//! those are kept while releases come. So the least jitter is exact, and that of any period can be asked for at the end.
//!
//! **Assumption.** Every period has a release: one that is left out looks like a large jitter.
//!
//! **Not covered.** More than [`CORNERS`] corners, as clocks that drift evenly faster and faster make: there is no model.

use crate::distances::Window;

/// Corners of a hull, at most.
const CORNERS: usize = 8192;
/// A rounder period is taken where its jitter is at most a quarter more than the least,
const QUARTER: i128 = 4;
/// or more by at most a ten-thousandth of the period.
const OF_PERIOD: i128 = 10_000;

/// A periodic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The period.
    pub period: u64,
    /// Where the first period begins.
    pub offset: i128,
    /// The longest time from the beginning of a period to its release.
    pub jitter: u64,
}

impl Fit {
    /// When periods begin, in the first of them from the zero of the clock on.
    pub fn phase(&self) -> u64 {
        let begin = self.offset.rem_euclid(i128::from(self.period));
        u64::try_from(begin).unwrap_or_default()
    }
}

/// Releases so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Periodic {
    count: u64,
    /// The first instant; all others count from it.
    origin: u64,
    ends: Hull,
    beginnings: Hull,
}

impl Periodic {
    /// The next release.
    pub fn add(&mut self, window: Window) {
        if self.count == 0 {
            self.origin = window.from;
        }
        let place = i128::from(self.count);
        let from_origin = |at: u64| i128::from(at) - i128::from(self.origin);
        let (from, to) = (from_origin(window.from), from_origin(window.to));
        // The lower hull is the upper one of what is mirrored.
        self.beginnings.add((place, -from));
        self.ends.add((place, to));
        self.count += 1;
    }

    /// The releases so far.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The jitter that a period has; `None`: too few releases, or too many corners.
    pub fn jitter(&self, period: u64) -> Option<u64> {
        let is_known = self.count >= 2 && !self.ends.is_full && !self.beginnings.is_full;
        is_known.then(|| u64::try_from(self.jitter_of(period.into())).ok())?
    }

    /// The period with the least jitter, or a rounder one with hardly more; `None`: too few releases.
    pub fn fit(&self) -> Option<Fit> {
        self.jitter(1)?;
        let longest = self.ends.corners.last()?.1.max(1);
        let least = turn(1, longest, |period| self.jitter_of(period) <= self.jitter_of(period + 1));
        let jitter = self.jitter_of(least);
        let limit = jitter + (jitter / QUARTER).max(least / OF_PERIOD);
        let is_within = |period| self.jitter_of(period) <= limit;
        // The jitter falls before the least one, and rises behind it.
        let first = turn(1, least, is_within);
        let end = turn(least, longest + 1, |period| !is_within(period));
        let period = roundest(first, (end - 1).max(least), least, |period| self.jitter_of(period));
        let jitter = u64::try_from(self.jitter_of(period)).ok()?;
        let offset = i128::from(self.origin) - self.beginnings.highest(-period);
        Some(Fit { period: u64::try_from(period).ok()?, offset, jitter })
    }

    fn jitter_of(&self, period: i128) -> i128 {
        self.ends.highest(period) + self.beginnings.highest(-period)
    }
}

/// The first number from one to another at which something holds, which then holds from there on; the last one if it
/// holds nowhere before.
fn turn(mut from: i128, mut to: i128, holds: impl Fn(i128) -> bool) -> i128 {
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    from
}

/// The number with most zeroes at its end, and of those one that costs least; cost rises away from the best one.
fn roundest(first: i128, last: i128, best: i128, cost: impl Fn(i128) -> i128) -> i128 {
    let mut power = 1;
    while (first + power * 10 - 1) / (power * 10) * (power * 10) <= last {
        power *= 10;
    }
    let below = best / power * power;
    let candidates = [below, below + power];
    let near = candidates.into_iter().filter(|one| (first..=last).contains(one));
    near.min_by_key(|one| cost(*one)).unwrap_or(best)
}

type Point = (i128, i128);

/// The corners above points that come from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Hull {
    corners: Vec<Point>,
    is_full: bool,
}

impl Hull {
    fn add(&mut self, point: Point) {
        if self.is_full {
            return;
        }
        while let [.., before, last] = self.corners[..]
            && !is_above(before, last, point)
        {
            self.corners.pop();
        }
        self.corners.push(point);
        if self.corners.len() > CORNERS {
            self.is_full = true;
            self.corners = Vec::new();
        }
    }

    /// The most that a point is above the line of a slope.
    fn highest(&self, slope: i128) -> i128 {
        let above = |point: &Point| point.1 - slope * point.0;
        // Along the hull it rises, then falls.
        let (mut top, mut end) = (0, self.corners.len());
        while top + 1 < end {
            let middle = top + (end - top) / 2;
            if above(&self.corners[middle - 1]) < above(&self.corners[middle]) {
                top = middle;
            } else {
                end = middle;
            }
        }
        self.corners.get(top).map_or(0, above)
    }
}

/// Whether the middle one of three points from left to right is above the line of the others.
fn is_above(first: Point, middle: Point, last: Point) -> bool {
    (middle.1 - first.1) * (last.0 - first.0) > (last.1 - first.1) * (middle.0 - first.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fitted(windows: &[Window]) -> Periodic {
        let mut periodic = Periodic::default();
        for window in windows {
            periodic.add(*window);
        }
        periodic
    }

    #[test]
    fn exact_periods_are_found_with_their_jitter() {
        let late = [0, 700, 300, 0, 900, 10, 20, 0, 500, 0];
        let windows: Vec<Window> = (0..)
            .zip(late)
            .map(|(place, late)| Window::exact(5_000 + place * 10_000 + late))
            .collect();
        let fit = fitted(&windows).fit().expect("a model");
        assert_eq!((fit.period, fit.offset, fit.jitter), (10_000, 5_000, 900));
        assert_eq!(Fit { offset: 45_000, ..fit }.phase(), 5_000);
        assert_eq!(Fit { offset: -3_000, ..fit }.phase(), 7_000);
        assert_eq!(fitted(&windows[..1]).fit(), None);
    }

    proptest! {
        /// Every period is tried.
        #[test]
        fn no_period_has_less_jitter(gaps in proptest::collection::vec((1_u64..40, 0_u64..9), 2..30)) {
            let mut at = 7;
            let windows: Vec<Window> = gaps.into_iter().map(|(gap, width)| {
                at += gap;
                Window { from: at, to: at + width }
            }).collect();
            let jitter = |period: u64| {
                let late = |at: u64, place: u64| i128::from(at) - i128::from(place * period);
                let of = |at: fn(&Window) -> u64| windows.iter().zip(0_u64..).map(move |(own, place)| late(at(own), place));
                let highest = of(|own| own.to).max().expect("a release");
                u64::try_from(highest - of(|own| own.from).min().expect("a release")).expect("not negative")
            };
            let periodic = fitted(&windows);
            let all: Vec<u64> = (1..60).map(jitter).collect();
            for (period, expected) in (1..).zip(&all) {
                prop_assert_eq!(periodic.jitter(period), Some(*expected));
            }
            let fit = periodic.fit().expect("a model");
            let least = *all.iter().min().expect("a period");
            prop_assert_eq!(fit.jitter, jitter(fit.period));
            prop_assert!(fit.jitter <= least * 5 / 4, "{:?} and {}", fit, least);
            // Conservative: each window lies within its period and the jitter.
            for (place, window) in (0_i128..).zip(&windows) {
                let begin = fit.offset + place * i128::from(fit.period);
                prop_assert!(i128::from(window.from) >= begin);
                prop_assert!(i128::from(window.to) <= begin + i128::from(fit.jitter));
            }
        }
    }
}
