//! The reference task sets: ten implicit-deadline tasks, utilisation uniform in [0.5, 0.95] cut
//! up by `UUniFast`, periods log-uniform from 1 ms to 1 s in whole microseconds.

use crate::random::Random;
use vorrang_analysis::fixed_priority::SporadicTask;
use vorrang_time::Duration;

/// Tasks in a set.
pub const TASKS: usize = 10;

/// Utilisations are drawn in billionths.
const WHOLE: u64 = 1_000_000_000;

/// The set with this number, in rate-monotonic order (of equal periods the first drawn first).
pub fn set(seed: u64, number: u64) -> Vec<SporadicTask> {
    let mut random = Random::new(seed, number);
    let utilisation = random.between(WHOLE / 2, WHOLE / 100 * 95);
    let mut set: Vec<SporadicTask> = random
        .shares(utilisation, TASKS)
        .into_iter()
        .map(|share| task(&mut random, share))
        .collect();
    set.sort_by_key(|task| task.period);
    set
}

/// The set with this number, with deadlines from a quarter of the period to the period.
pub fn constrained(seed: u64, number: u64) -> Vec<SporadicTask> {
    let mut random = Random::new(seed ^ 3, number);
    let mut set = set(seed, number);
    for task in &mut set {
        let period = task.period.as_ns();
        task.limit = Duration::from_ns(random.between(period / 4, period));
    }
    set
}

fn task(random: &mut Random, share: u64) -> SporadicTask {
    let period = Duration::from_us(random.log_uniform(1_000, 1_000_000));
    // At most 10^9 * 10^9: within the range.
    let wcet = Duration::from_ns((share * period.as_ns() / WHOLE).max(1));
    SporadicTask { wcet, period, limit: period }
}

/// Five tasks of a VM and the periodic supply that it gets: (budget, period) of the supply, and
/// the tasks in rate-monotonic order. About half of them meet their deadlines.
pub fn vm(seed: u64, number: u64) -> ((Duration, Duration), Vec<SporadicTask>) {
    let mut random = Random::new(seed, number);
    let period = Duration::from_us(random.log_uniform(1_000, 10_000));
    let share = random.between(WHOLE / 10 * 3, WHOLE / 10 * 8);
    let budget = Duration::from_ns(share * period.as_ns() / WHOLE);
    let asked = share / 100 * random.between(75, 105);
    let mut tasks: Vec<SporadicTask> = random
        .shares(asked, 5)
        .into_iter()
        .map(|share| {
            let period = Duration::from_us(random.log_uniform(10_000, 200_000));
            let wcet = Duration::from_ns((share * period.as_ns() / WHOLE).max(1));
            SporadicTask { wcet, period, limit: period }
        })
        .collect();
    tasks.sort_by_key(|task| task.period);
    ((budget, period), tasks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_analysis::Source;
    use vorrang_analysis::fixed_priority::{Scratch, all_within_limits};
    use vorrang_analysis::supply::PeriodicResource;

    #[test]
    fn sets_are_what_is_published() {
        for number in 0..1_000 {
            let set = set(1, number);
            assert_eq!(set.len(), TASKS);
            assert!(set.is_sorted_by_key(|task| task.period));
            let used: u64 = set.iter().map(|t| t.wcet.as_ns() * WHOLE / t.period.as_ns()).sum();
            // Shares are rounded to a nanosecond of a period of a millisecond or more.
            assert!((WHOLE / 2 - 20_000..=WHOLE / 100 * 95 + 20_000).contains(&used), "{used}");
            assert!(set.iter().all(|task| task.period.as_ns().is_multiple_of(1_000)));
        }
    }

    #[test]
    fn about_half_of_the_vms_meet_their_deadlines() {
        let meets = |number: &u64| {
            let ((budget, period), tasks) = vm(1, *number);
            let supply = PeriodicResource::new(Source::Unnamed, budget, period, period);
            all_within_limits(&supply, &tasks, &mut Scratch::default())
        };
        let count = (0..2_000).filter(meets).count();
        assert!((600..1_400).contains(&count), "{count}");
    }
}
