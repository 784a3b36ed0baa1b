//! The durations that are considered for a budget or a period.

use vorrang_model::Allowed;
use vorrang_model::target::Limits;
use vorrang_time::Duration;

/// Durations in increasing order, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ladder {
    Even { from: Duration, step: Duration, count: u64 },
    List(Vec<Duration>),
}

/// Periods considered where nothing is said: the shortest deadline divided by 1, 2, and so on.
const DIVISORS: u64 = 10;

impl Ladder {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Even { count, .. } => *count,
            Self::List(times) => times.len() as u64,
        }
    }

    pub(crate) fn at(&self, index: u64) -> Duration {
        match self {
            Self::Even { from, step, .. } => *from + *step * index,
            Self::List(times) => times[usize::try_from(index).expect("an index of the list")],
        }
    }

    /// The index of the least that is not below `time`; the length if all are.
    pub(crate) fn least(&self, time: Duration) -> u64 {
        match self {
            Self::Even { from, step, count } => {
                time.saturating_sub(*from).div_ceil(*step).min(*count)
            }
            Self::List(times) => times.partition_point(|own| *own < time) as u64,
        }
    }

    /// The one with so many longer ones.
    pub(crate) fn nth_longest(&self, place: u64) -> Duration {
        self.at(self.len() - 1 - place)
    }

    /// How many are not above `time`.
    pub(crate) fn within(&self, time: Duration) -> u64 {
        let least = self.least(time);
        let is_there = least < self.len() && self.at(least) == time;
        least + u64::from(is_there)
    }

    /// All of them, the longest first.
    pub(crate) fn downwards(&self) -> impl Iterator<Item = Duration> + '_ {
        (0..self.len()).rev().map(|index| self.at(index))
    }

    fn even(from: Duration, to: Duration, step: Duration) -> Self {
        if from > to {
            return Self::List(Vec::new());
        }
        Self::Even { from, step, count: to.saturating_sub(from).div_floor(step) + 1 }
    }

    /// The budgets that fit into `most`, in a period; of any, none below `least`, unless all are.
    pub(crate) fn of_budget(
        allowed: &Allowed,
        period: Duration,
        most: Duration,
        least: Duration,
    ) -> Self {
        match allowed {
            Allowed::Grid { from, to, step } => Self::even(*from, (*to).min(most), *step),
            Allowed::Times(times) => {
                Self::List(times.iter().copied().filter(|time| *time <= most).collect())
            }
            _ => {
                let step = fineness(period);
                let first = step * least.div_ceil(step).max(1);
                Self::even(if first <= most { first } else { step }, most, step)
            }
        }
    }

    /// The periods of a server whose guest has this shortest deadline; of any, those that are taken.
    pub(crate) fn of_period(allowed: &Allowed, shortest: Duration, limits: Option<Limits>) -> Self {
        match allowed {
            Allowed::Grid { from, to, step } => Self::even(*from, *to, *step),
            Allowed::Times(times) => Self::List(times.clone()),
            _ => {
                let taken = |time: Duration| match limits {
                    Some(limits) => time.min(limits.longest_period).max(limits.shortest_period),
                    None => time,
                };
                let whole = taken(shortest);
                let part = |divisor: u64| {
                    let time = whole.as_ns() / divisor;
                    let step = fineness(whole).as_ns();
                    taken(Duration::from_ns((time / step * step).max(1)))
                };
                let mut times: Vec<Duration> = (1..=DIVISORS).rev().map(part).collect();
                times.dedup();
                Self::List(times)
            }
        }
    }
}

/// Whole microseconds, or the largest power of ten that a thousandth of the period holds.
fn fineness(period: Duration) -> Duration {
    let thousandth = (period.as_ns() / 1_000).clamp(1, 1_000);
    Duration::from_ns(10_u64.pow(thousandth.ilog10()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Duration {
        Duration::from_us(us)
    }

    #[test]
    fn a_grid_holds_its_ends_and_nothing_beyond() {
        let grid = Allowed::Grid { from: us(100), to: us(350), step: us(100) };
        let ladder = Ladder::of_period(&grid, us(1), None);
        assert_eq!(ladder.downwards().collect::<Vec<_>>(), [us(300), us(200), us(100)]);
        assert_eq!(Ladder::of_budget(&grid, us(250), us(250), us(0)).len(), 2);
        assert_eq!(Ladder::of_budget(&grid, us(50), us(50), us(0)).len(), 0);
        assert_eq!(
            [us(1), us(100), us(101), us(300), us(301)].map(|t| ladder.least(t)),
            [0, 0, 1, 2, 3]
        );
    }

    #[test]
    fn open_budgets_are_whole_microseconds_or_finer_in_short_periods() {
        let of = |period| Ladder::of_budget(&Allowed::Any, period, period, us(0));
        assert_eq!(of(us(10_000)), Ladder::Even { from: us(1), step: us(1), count: 10_000 });
        let hundred = Duration::from_ns(100);
        assert_eq!(of(us(500)), Ladder::Even { from: hundred, step: hundred, count: 5_000 });
        assert_eq!(of(Duration::from_ns(3)).len(), 3);
    }

    #[test]
    fn open_periods_divide_the_shortest_deadline() {
        let ladder = Ladder::of_period(&Allowed::Any, us(20_000), None);
        assert_eq!((ladder.len(), ladder.at(9), ladder.at(8)), (10, us(20_000), us(10_000)));
        assert_eq!(ladder.at(7), us(6_666));
        assert_eq!(Ladder::of_period(&Allowed::Any, Duration::from_ns(3), None).len(), 2);
    }
    #[test]
    fn any_period_and_budget_is_one_that_a_kernel_takes() {
        let limits = vorrang_model::target::LINUX.limits;
        let of = |shortest| Ladder::of_period(&Allowed::Any, shortest, Some(limits));
        let all = |shortest| of(shortest).downwards().collect::<Vec<_>>();
        assert_eq!(all(us(350)), [350_000, 175_000, 116_600, 100_000].map(Duration::from_ns));
        assert_eq!(of(us(100_000_000)).at(9), us(1 << 22));
        assert_eq!(all(Duration::from_ns(3)), [us(100)]);
        let least = |period, least| Ladder::of_budget(&Allowed::Any, period, period, least).at(0);
        assert_eq!(least(us(10_000), limits.least_budget), us(2));
        assert_eq!(least(us(500), limits.least_budget), Duration::from_ns(1_100));
        // Where nothing is left, the system is for no machine.
        assert_eq!(least(Duration::from_ns(3), limits.least_budget), Duration::from_ns(1));
    }
}
