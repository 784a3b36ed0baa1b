//! Supply against demand: what a bound is read off, to be drawn.
//!
//! **Model.** A job at its worst completes when its supply has surely provided all that comes before its end,
//! its own work included. Both grow with the window since its level became busy:
//!
//! ```text
//!   time ^                    supply
//!        |          ___------/
//!        |    _____|__demand/____
//!        |___|             /:
//!        |            ____/ :
//!        |___________/      : the first point at which the supply is not below the demand
//!        +------------------+------> window
//! ```
//!
//! **Assumptions.** None of their own: [`curves`] walks the system as [`bounds`](crate::bounds()) does and keeps what was
//! compared there. What belongs to a bound that was improved on later is dropped.
//!
//! **Cost.** Some hundred evaluations of a supply for each requirement. A curve is exact at its corners; what
//! lies between two of them is closer than can be drawn.
//!
//! **Does not cover** bounds that are not read off one window: packets out of a ring, thresholds, routines
//! that a pseudo-VCPU helps. These have no curves.
//!
//! Theory: docs/theory/supply.md.

use crate::ground::NoBound;
use crate::supply::Supply;
use vorrang_model::system::RequirementKind;
use vorrang_time::Duration;

/// The supply of a requirement and the demand on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curves {
    /// By the length of a window: the least time that the supply provides in it; lines between corners.
    pub supply: Vec<(Duration, Duration)>,
    /// By the length of a window: all that has to be provided for the job to be complete; each value holds
    /// up to the next.
    pub demand: Vec<(Duration, Duration)>,
    /// The window that decides, and what is provided and demanded in it.
    pub decides: (Duration, Duration),
    /// The response time that follows.
    pub bound: Duration,
}

/// Curves that are wanted, and those that were kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub(crate) wanted: Vec<RequirementKind>,
    pub(crate) made: Vec<(RequirementKind, Curves)>,
}

impl Kept {
    /// The same wanted, and nothing made yet.
    pub(crate) fn afresh(&self) -> Self {
        Self { wanted: self.wanted.clone(), made: Vec::new() }
    }

    /// Keeps curves if they are requested.
    pub(crate) fn keep(&mut self, of: RequirementKind, make: impl FnOnce() -> Option<Curves>) {
        if self.wanted.contains(&of) {
            self.made.extend(make().map(|curves| (of, curves)));
        }
    }

    /// Those from which this bound was read off; the last of several.
    pub(crate) fn of(&self, kind: RequirementKind, bound: Duration) -> Option<&Curves> {
        let made = self.made.iter().rev();
        made.filter(|(of, _)| *of == kind)
            .map(|(_, curves)| curves)
            .find(|curves| curves.bound == bound)
    }
}

/// Evaluations of each curve at most.
const EVALUATIONS: usize = 250;

/// Corners closer than one part in so many of the picture cannot be seen.
const PARTS: u64 = 400;

impl Curves {
    /// What was compared to find `bound`: in a window of `decides.0` the supply provides `decides.1`.
    pub(crate) fn sampled<S: Supply + ?Sized>(
        supply: &S,
        demand: &dyn Fn(Duration) -> Result<Duration, NoBound>,
        decides: (Duration, Duration),
        bound: Duration,
    ) -> Option<Self> {
        let end = decides.0 + Duration::from_ns(decides.0.as_ns() / 4);
        let supply = supplied(supply, decides, end);
        let demand = demanded(demand, decides.0, end);
        // A picture may be too much work; half of one says nothing.
        let is_whole = supply.last().is_some_and(|(at, _)| *at > decides.0);
        is_whole.then_some(Self { supply, demand, decides, bound })
    }

    /// Of a server that provides a budget by the end of each period since it began, and each of them up to
    /// `late` late; the last of the work at another time, if that is known.
    pub(crate) fn in_whole_budgets(
        (budget, period, late): (Duration, Duration, Duration),
        (work, budgets, delivered): (Duration, u64, Option<Duration>),
        bound: Duration,
    ) -> Self {
        let by = |count: u64| period * count + late;
        let decides = delivered.unwrap_or(by(budgets));
        let end = by(budgets + 1);
        let mut supply = vec![(Duration::ZERO, Duration::ZERO)];
        let shown = budgets.saturating_add(1).min(EVALUATIONS as u64);
        let first = (budgets + 1).saturating_sub(shown);
        for count in first..=budgets {
            let provided = budget * count;
            let comes = by(count + 1);
            let known = delivered.filter(|&delivered| delivered < comes && count < budgets);
            let (comes, most) = match known {
                Some(delivered) => (delivered, work),
                None => (comes, provided + budget),
            };
            supply.extend([(comes, provided.min(most)), (comes, most)]);
            if known.is_some() {
                // No more is known to come until all budgets have.
                supply.push((end, work));
                break;
            }
        }
        Self {
            supply,
            demand: vec![(Duration::ZERO, work), (end, work)],
            decides: (decides, work),
            bound,
        }
    }
}

/// Corners of a supply, by bisection where it is no line.
fn supplied<S: Supply + ?Sized>(
    supply: &S,
    (window, work): (Duration, Duration),
    end: Duration,
) -> Vec<(Duration, Duration)> {
    let most = work + Duration::from_ns(work.as_ns() / 2).max(Duration::RESOLUTION);
    let mut points = vec![(Duration::ZERO, Duration::ZERO)];
    let mut open = vec![(most, 0), (work, 0)];
    let mut previous = (Duration::ZERO, Duration::ZERO);
    let mut left = EVALUATIONS;
    let seen = Duration::from_ns(end.as_ns() / PARTS).max(Duration::RESOLUTION);
    while let Some((to, depth)) = open.pop() {
        let Ok(at) = supply.time_for(to) else { break };
        debug_assert!(to != work || at <= window, "the window that decides is long enough");
        let middle = previous.1 + Duration::from_ns((to - previous.1).as_ns() / 2);
        let straight = previous.0 + Duration::from_ns((at - previous.0).as_ns() / 2);
        let bends = || supply.time_for(middle).is_ok_and(|at| apart(at, straight) > seen);
        // The first steps are taken in any case: a staircase may pass through the middle of a line.
        if left > 1 && middle > previous.1 && (depth < 5 || (depth < 24 && bends())) {
            left -= 1;
            open.push((to, depth + 1));
            open.push((middle, depth + 1));
            continue;
        }
        points.push((at, to));
        previous = (at, to);
        if at > end {
            break;
        }
    }
    points
}

fn apart(one: Duration, other: Duration) -> Duration {
    one.max(other) - one.min(other)
}

/// The steps of a demand up to the end of the picture, by bisection to what can be seen; exact at the window
/// that decides.
fn demanded(
    demand: &dyn Fn(Duration) -> Result<Duration, NoBound>,
    window: Duration,
    end: Duration,
) -> Vec<(Duration, Duration)> {
    let Ok(first) = demand(Duration::RESOLUTION) else { return Vec::new() };
    let mut points = vec![(Duration::ZERO, first)];
    let (mut at, mut value) = (Duration::RESOLUTION, first);
    let least = Duration::from_ns(end.as_ns() / PARTS / 100).max(Duration::RESOLUTION);
    let part = Duration::from_ns(end.as_ns() / 128).max(Duration::RESOLUTION);
    let mut left = EVALUATIONS * 16;
    while at < end {
        let stop = if at < window { window } else { end };
        let next = (at + part).min(stop);
        let Ok(mut high) = demand(next) else { break };
        if high == value {
            at = next;
            continue;
        }
        // The first step in between, from which on it is not `value` any more.
        let (mut low_at, mut high_at) = (at, next);
        while high_at - low_at > least && left > 0 {
            left -= 1;
            let middle = low_at + Duration::from_ns((high_at - low_at).as_ns() / 2);
            match demand(middle) {
                Ok(same) if same == value => low_at = middle,
                Ok(other) => (high_at, high) = (middle, other),
                Err(_) => return points,
            }
        }
        points.push((low_at, high));
        (at, value) = (high_at, high);
    }
    points.push((end, value));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Source;
    use crate::supply::PeriodicResource;

    fn us(us: u64) -> Duration {
        Duration::from_us(us)
    }

    #[test]
    fn a_supply_has_its_corners_and_the_point_that_decides() {
        // 2 in every 5 by the end: nothing for 6, then 2, nothing for 3, then 2, …
        let supply = PeriodicResource::new(Source::Unnamed, us(2), us(5), us(5));
        let demand = |_: Duration| Ok(us(5));
        let window = supply.time_for(us(5)).unwrap();
        let curves = Curves::sampled(&supply, &demand, (window, us(5)), window).unwrap();
        for &(at, work) in &curves.supply {
            assert_eq!(supply.time_for(work).unwrap(), at);
        }
        // Within one part in 400 of the picture on both sides of each flat piece.
        for (flat_from, flat_to, work) in [(us(0), us(6), us(0)), (us(8), us(11), us(2))] {
            let near = |of: Duration, other: Duration| apart(of, other) <= us(1);
            let before = curves.supply.iter().rfind(|(_, of)| *of <= work).unwrap();
            let behind = curves.supply.iter().find(|(_, of)| *of > work).unwrap();
            assert!(near(before.0, flat_from) && near(behind.0, flat_to), "{before:?} {behind:?}");
        }
    }

    #[test]
    fn a_demand_has_all_its_steps() {
        let demand = |window: Duration| Ok(us(1) + us(2) * window.div_ceil(us(10)));
        let demand = demanded(&demand, us(40), us(50));
        let expected = [(0, 3), (10, 5), (20, 7), (30, 9), (40, 11), (50, 11)]
            .map(|(at, of)| (us(at), us(of)));
        assert_eq!(demand, expected);
    }

    #[test]
    fn whole_budgets_come_at_the_ends_of_periods() {
        let curves = Curves::in_whole_budgets((us(2), us(5), us(1)), (us(3), 2, None), us(11));
        assert_eq!(curves.decides, (us(11), us(3)));
        assert!(
            curves.supply.contains(&(us(11), us(4))) && curves.supply.contains(&(us(6), us(2)))
        );
    }
}
