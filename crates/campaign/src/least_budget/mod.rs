//! The least budget of a periodic resource for a guest, its period given: by the breakpoints of the demand,
//! without trying budgets.
//!
//! **Model.** A resource of budget Θ in every Π provides `w` within `t` if
//! `w + (Π − Θ)(1 + ceil(w / Θ)) <= t` (`supply/periodic_resource.rs`, with Δ = Π). With m budgets used,
//! which needs `Θ >= w / m`, that is `Θ >= Π − (t − w) / (m + 1)`. So the least that is enough is
//!
//! ```text
//!   least(t, w)  =  min over m of  max( ceil(w / m), Π − floor((t − w) / (m + 1)) )
//!                                       falls with m   grows with m
//! ```
//!
//! The two meet at an m with `m (Π m + Π − t) = w`. At `m = t/Π − 1` the left side is 0, at `m = t/Π` it is
//! `m Π`, no less than `w` as far as a resource of the whole period, Θ = Π, is enough. So they meet
//! above `t/Π − 1` and no later than `t/Π`, and one of the three whole m around it is the best.
//!
//! A guest whose demand in `t` is `w(t)` needs, by deadline, `least(t, w(t))` at *every* t, so the
//! largest of them ([`edf`](edf())); by priority each task needs it at *some* t up to its deadline, so the largest of the
//! least ([`fixed_priority`](fixed_priority())). Both find them with few t.
//!
//! **Assumptions.** 1. Budgets are multiples of a step. 2. Tasks are sporadic, without jitter and blocking,
//! their deadlines at most their periods. 3. The supply is the worst that a periodic resource may give.
//!
//! **Does not cover** servers whose supply is known better, as one that nothing on its core may delay:
//! `vorrang design` finds less for them.
//!
//! Reference: Shin, Lee 2003 (the resource and both criteria).
//!
//! Theory: docs/theory/periodic-resource.md.

mod edf;
mod fixed_priority;

pub use edf::{Terms, edf};
pub use fixed_priority::fixed_priority;

use vorrang_time::{Divisor, Duration};

/// The period of a resource, and the budgets that it may have: multiples of a step.
#[derive(Clone, Copy, Debug)]
struct Resource {
    period: Duration,
    /// For divisions by it.
    periods: Divisor,
    step: Duration,
}

impl Resource {
    fn new(period: Duration, step: Duration) -> Self {
        Self { period, periods: Divisor::new(period), step }
    }

    /// The least budget that is no less than this; `None`: there is none.
    fn rounded(&self, budget: Duration) -> Option<Duration> {
        let rounded = if self.step == Duration::RESOLUTION {
            budget
        } else {
            self.step.checked_mul(budget.div_ceil(self.step))?
        };
        (rounded <= self.period).then_some(rounded)
    }

    /// The least budget with which `work` is provided within `time`; `None`: none is enough.
    fn least(&self, time: Duration, work: Duration) -> Option<Duration> {
        if work > time {
            return None;
        }
        let left = time - work;
        let (whole, _) = self.periods.parts_of(time);
        let falls = |budgets: u64| Duration::from_ns(work.as_ns().div_ceil(budgets));
        let grows = |budgets: u64| {
            let late = Duration::from_ns(left.as_ns() / (budgets + 1));
            self.period.saturating_sub(late)
        };
        // Up to the first m at which the right side is no less than the left one each is less than before; from there
        // on none is.
        let mut least: Option<Duration> = None;
        for budgets in whole.saturating_sub(1).max(1)..=whole + 1 {
            let (share, late) = (falls(budgets), grows(budgets));
            let with = share.max(late);
            least = Some(least.map_or(with, |least| least.min(with)));
            if late >= share {
                break;
            }
        }
        least.and_then(|least| self.rounded(least))
    }

    /// How long `work` may take with a budget, in a resource of that.
    fn time_for(&self, budget: Duration, work: Duration) -> Option<Duration> {
        let gap = self.period - budget;
        gap.checked_mul(work.div_ceil(budget) + 1)?.checked_add(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use vorrang_analysis::Effort;
    use vorrang_analysis::Source;
    use vorrang_analysis::edf::{Contender, Work, meets_all_deadlines};
    use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, all_within_limits};
    use vorrang_analysis::supply::{PeriodicResource, Supply};

    fn ns(number: u64) -> Duration {
        Duration::from_ns(number)
    }

    /// The first budget that will do, tried one by one.
    fn tried(
        period: Duration,
        step: Duration,
        is_enough: impl Fn(&PeriodicResource) -> bool,
    ) -> Option<Duration> {
        let resource = |budget| PeriodicResource::new(Source::Unnamed, budget, period, period);
        let mut budgets = (1..=period.div_floor(step)).map(|steps| step * steps);
        budgets.find(|&budget| is_enough(&resource(budget)))
    }

    #[test]
    fn by_hand() {
        let of = |period, time, work| Resource::new(ns(period), ns(1)).least(ns(time), ns(work));
        // 2 in 10 within 20: one budget, 8 late at most twice; 2 + 2 · 8 <= 20, and 1 would have to come twice.
        assert_eq!(of(10, 18, 2), Some(ns(2)));
        assert_eq!(of(10, 17, 2), Some(ns(3)));
        assert_eq!(of(10, 7, 7), Some(ns(10)));
        assert_eq!(of(10, 7, 8), None);
        // An example: a third within 10 needs 6.67 of 10.
        assert_eq!(of(10_000, 10_000, 3_334), Some(ns(6_667)));
    }

    /// All small ones.
    #[test]
    fn the_least_budget_is_the_first_that_is_enough() {
        for period in 1..=12 {
            for time in 0..=60 {
                for work in 1..=60 {
                    let least = Resource::new(ns(period), ns(1)).least(ns(time), ns(work));
                    let first = tried(ns(period), ns(1), |resource| {
                        resource.time_for(ns(work)).is_ok_and(|longest| longest <= ns(time))
                    });
                    assert_eq!(least, first, "{work} within {time} of {period}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8_000))]

        /// Tasks of a few nanoseconds, where the budget of one is often just enough for another.
        #[test]
        fn tiny_guests_by_priority_get_the_first_budget_that_is_enough(
            raw in proptest::collection::vec((1_u64..4, 2_u64..20, 0_u64..6), 2..5), period in 1_u64..9,
        ) {
            let task = |&(wcet, period, less): &(u64, u64, u64)| SporadicTask {
                wcet: ns(wcet), period: ns(period), limit: ns(period.saturating_sub(less).max(1)),
            };
            let tasks: Vec<SporadicTask> = raw.iter().map(task).collect();
            let first = tried(ns(period), ns(1), |resource| {
                all_within_limits(resource, &tasks, &mut Scratch::default())
            });
            let found = fixed_priority(ns(period), ns(1), &tasks, &mut Scratch::default());
            prop_assert_eq!(found, first);
        }
    }

    proptest! {
        #[test]
        fn guests_get_the_first_budget_that_is_enough(
            raw in proptest::collection::vec((1_u64..12, 8_u64..60, 0_u64..30), 1..6),
            (period, step) in (1_u64..24, 1_u64..5),
        ) {
            let tasks: Vec<SporadicTask> = raw.iter().map(|&(wcet, period, less)| SporadicTask {
                wcet: ns(wcet), period: ns(period), limit: ns(period.saturating_sub(less).max(1)),
            }).collect();
            let (period, step) = (ns(period), ns(step));
            let by_priority = tried(period, step, |resource| {
                all_within_limits(resource, &tasks, &mut Scratch::default())
            });
            prop_assert_eq!(fixed_priority(period, step, &tasks, &mut Scratch::default()), by_priority);
            let members: Vec<Contender> = tasks.iter().map(|task| Contender {
                of: Source::Unnamed,
                cost: task.wcet,
                period: task.period,
                distances: None,
        work: Work::Jobs { deadline: task.limit, jitter: ns(0), blocking: ns(0) },
            }).collect();
            let by_deadline = tried(period, step, |resource| {
                let bare = resource.time_for(ns(1)) == Ok(ns(1));
                meets_all_deadlines(resource, bare, &members, &Effort::default()) == Ok(true)
            });
            if let Ok(found) = edf(period, step, &tasks, &mut Terms::default()) {
                prop_assert_eq!(found, by_deadline);
            }
        }
    }
}
