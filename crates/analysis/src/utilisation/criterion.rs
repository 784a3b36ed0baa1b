//! Utilisation bounds for rate-monotonic tasks, on a core and on a server.
//!
//! **Model.** n independent sporadic tasks (C, T) with deadlines at their periods, shorter periods
//! first, on a core or on Θ in every Π (`s` = Θ/Π). Each criterion is sufficient:
//!
//! | criterion | says |
//! |---|---|
//! | Liu, Layland 1973 | `(1 + U/n)^n <= 2` |
//! | hyperbolic, Bini et al. 2003 | `prod(1 + U_i) <= 2` |
//! | Kaiser, Zöbel 2009, eq. 1 | `(1 + U/n)^n <= 2 / (2 − s)` |
//! | the same as a product | `prod(1 + U_i) <= 2 / (2 − s)` |
//! | Saewong et al. 2002 | `(1 + U/n)^n <= (3 − s) / (3 − 2 s)` |
//! | Shin, Lee 2003 | `(1 + U/(s n))^n <= (2 k + 2 (1 − s)) / (k + 2 (1 − s))` |
//!
//! **Assumptions.** 1. Kaiser, Zöbel: Θ lies at the same place of every Π, and no task has a period
//! below Π. The gap is then one more task with the shortest period, and the criterion is the
//! hyperbolic bound for n + 1 tasks. 2. Saewong and Shin, Lee: Θ comes somewhere in each Π
//! (periodic resource), and no period is below `2Π − Θ`, respectively `(k + 1)Π − Θ` is below the
//! shortest for some `k >= 1`, the largest being taken.
//!
//! Products are compared exactly; where U is needed by itself it is rounded up by less than 2^-44.
//!
//! **Cost.** The number of tasks; its square where a product is within 2^-58 of its limit for each task.
//!
//! Saewong's and Shin and Lee's bounds are taken from the literature and tried against the exact
//! analysis on random sets (`tests.rs`); they decide no requirement.
//!
//! Theory: docs/theory/utilisation.md.

use super::natural::Natural;
use super::rounded;
use vorrang_time::Duration;

/// A sporadic task with its deadline at its period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateMonotonicTask {
    /// Longest execution time.
    pub wcet: Duration,
    /// Least inter-arrival time.
    pub period: Duration,
}

/// Θ in every Π.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its budget Θ.
    pub budget: Duration,
    /// Its period Π.
    pub period: Duration,
}

/// A criterion by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Criterion {
    /// By the sum of the utilisations, on a core.
    LiuLayland,
    /// By their product, on a core.
    Hyperbolic,
    /// By the sum, on a share at a fixed place.
    KaiserZoebel,
    /// By the product, on a share at a fixed place.
    KaiserZoebelProduct,
    /// By the sum, on a share that moves.
    Saewong,
    /// By the sum, on a share that moves; long periods help.
    ShinLee,
}

impl Criterion {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::LiuLayland,
        Self::Hyperbolic,
        Self::KaiserZoebel,
        Self::KaiserZoebelProduct,
        Self::Saewong,
        Self::ShinLee,
    ];

    /// Who published it, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LiuLayland => "utilisation bound (Liu, Layland 1973)",
            Self::Hyperbolic => "hyperbolic bound (Bini, Buttazzo, Buttazzo 2003)",
            Self::KaiserZoebel => "proxy process (Kaiser, Zöbel 2009)",
            Self::KaiserZoebelProduct => "proxy process, product form (after Kaiser, Zöbel 2009)",
            Self::Saewong => "utilisation bound on a server (Saewong et al. 2002)",
            Self::ShinLee => "utilisation bound on a periodic resource (Shin, Lee 2003)",
        }
    }

    /// The shortest period that it allows, in multiples of a nanosecond; zero on a core.
    pub fn least_period(self, share: Share) -> u128 {
        let (budget, period) = of(share);
        match self {
            Self::LiuLayland | Self::Hyperbolic => 0,
            Self::KaiserZoebel | Self::KaiserZoebelProduct => period,
            Self::Saewong => 2 * period - budget,
            Self::ShinLee => 2 * period - budget + 1,
        }
    }

    /// Whether the tasks meet their deadlines by this criterion on that share: a core is all of it.
    ///
    /// # Panics
    /// Unless all periods are above zero and `0 < budget <= period`.
    pub fn holds(self, tasks: &[RateMonotonicTask], share: Share) -> bool {
        let (budget, period) = of(share);
        assert!(0 < budget && budget <= period, "a share is a part");
        let shortest = tasks.iter().map(|task| u128::from(task.period.as_ns())).min();
        let Some(shortest) = shortest else { return true };
        if shortest < self.least_period(share) {
            return false;
        }
        let gap = period - budget;
        match self {
            Self::LiuLayland => power(tasks, (1, 1), (2, 1)),
            Self::Hyperbolic => product(tasks, (2, 1)),
            Self::KaiserZoebel => power(tasks, (1, 1), (2 * period, period + gap)),
            Self::KaiserZoebelProduct => product(tasks, (2 * period, period + gap)),
            Self::Saewong => power(tasks, (1, 1), (2 * period + gap, period + 2 * gap)),
            Self::ShinLee => {
                let gaps = (shortest + budget - 1) / period - 1;
                let limit = (2 * gaps * period + 2 * gap, gaps * period + 2 * gap);
                power(tasks, (period, budget), limit)
            }
        }
    }

    /// The least budget of a server with that period for which the criterion holds: eq. 2 of Kaiser
    /// and Zöbel for theirs. `None` if not even the whole period is enough.
    pub fn least_budget(self, tasks: &[RateMonotonicTask], period: Duration) -> Option<Duration> {
        let holds =
            |budget: u64| self.holds(tasks, Share { budget: Duration::from_ns(budget), period });
        let (mut low, mut high) = (1, period.as_ns());
        if high == 0 || !holds(high) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            (low, high) = if holds(middle) { (low, middle) } else { (middle + 1, high) };
        }
        Some(Duration::from_ns(low))
    }
}

fn of(share: Share) -> (u128, u128) {
    (share.budget.as_ns().into(), share.period.as_ns().into())
}

/// `prod(1 + U_i) <= limit`.
fn product(tasks: &[RateMonotonicTask], (above, below): (u128, u128)) -> bool {
    let period = |task: &RateMonotonicTask| u128::from(task.period.as_ns());
    let sum = |task: &RateMonotonicTask| period(task) + u128::from(task.wcet.as_ns());
    let factors = tasks.iter().map(|task| (sum(task), period(task)));
    rounded::is_at_most(factors, (above, below)).unwrap_or_else(|| {
        let product = |of: &dyn Fn(&_) -> u128| Natural::product(tasks.iter().map(of));
        product(&sum).times(below) <= product(&period).times(above)
    })
}

/// Places after the point of a sum of utilisations.
const PLACES: u32 = 48;

/// (1 + factor U / n)^n <= limit.
fn power(tasks: &[RateMonotonicTask], factor: (u128, u128), (above, below): (u128, u128)) -> bool {
    let of_one = |task: &RateMonotonicTask| {
        (u128::from(task.wcet.as_ns()) << PLACES).div_ceil(task.period.as_ns().into())
    };
    let sum: u128 = tasks.iter().map(of_one).sum();
    if sum >= 2 << PLACES {
        return false;
    }
    let sum = (sum * factor.0).div_ceil(factor.1);
    let whole = (tasks.len() as u128) << PLACES;
    let factor = (whole + sum, whole);
    rounded::is_power_at_most(factor, tasks.len(), (above, below)).unwrap_or_else(|| {
        let all = |value: u128| Natural::product(tasks.iter().map(|_| value));
        all(factor.0).times(below) <= all(factor.1).times(above)
    })
}
