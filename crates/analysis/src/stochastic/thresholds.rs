//! Deadline-miss probability of a job that is in time as long as no job of its busy window executes for
//! longer than a threshold.
//!
//! **Model.** Jobs of several tasks may delay one job. With a threshold for each task that job is in
//! time unless one of them exceeds its own. At most `n` jobs of a task are among them, each of which
//! exceeds the threshold `c` with the probability `P(C > c)`; so the job is late with the probability `sum n P(C > c)`
//! at most, whatever these jobs have to do with each other (Boole's inequality). [`Thresholds::least`] finds the
//! thresholds with the least such sum.
//!
//! **Assumptions.** 1. Which jobs are among the `n` does not depend on how long jobs execute. 2. Every one of
//! them exceeds a time no more often than its distribution says.
//!
//! **Cost.** One question for each choice of thresholds that has a lesser sum, at most [`MOST`] of them; where that is
//! not enough, as many as there are times, for a choice that may not be the best.
//!
//! Theory: docs/theory/thresholds.md.

use super::Probability;
use core::cmp::Reverse;
use std::collections::BinaryHeap;
use vorrang_time::Duration;

/// Choices that are looked at before a choice that may not be the best is taken.
const MOST: usize = 1_000;

/// Jobs of one task that may delay the one in question, or are that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jobs {
    /// How many they are at most.
    count: u64,
    /// From the longest time down: what exceeds it, in units of 2^-60 and not cut off at one, for all
    /// of them together.
    exceeded: Vec<(Duration, u128)>,
}

impl Jobs {
    /// `count` jobs that take each time with its weight.
    ///
    /// # Panics
    /// If no time has a weight.
    pub fn new(count: u64, times: &[(Duration, u32)]) -> Self {
        let mut times: Vec<_> = times.iter().filter(|&&(_, weight)| weight > 0).collect();
        times.sort_unstable();
        let total: u64 = times.iter().map(|&&(_, weight)| u64::from(weight)).sum();
        let mut longer = 0;
        let mut exceeded: Vec<(Duration, u128)> = Vec::with_capacity(times.len());
        for &&(time, weight) in times.iter().rev() {
            let one = Probability::ratio_ceil(longer, total);
            if exceeded.last().is_none_or(|&(known, _)| known != time) {
                exceeded.push((time, u128::from(count) * u128::from(one.0)));
            }
            longer += u64::from(weight);
        }
        assert!(!exceeded.is_empty(), "a job takes some time");
        Self { count, exceeded }
    }

    /// How many they are at most.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// A threshold for each task, and how often one of them is exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// In the order of the tasks.
    pub times: Vec<Duration>,
    /// At least the probability that some job exceeds its threshold.
    pub exceeded: Probability,
}

/// By task, which of its times is the threshold, 0 for the longest.
type Choice = Vec<usize>;

impl Thresholds {
    /// Those that are exceeded least often among all for which `is_in_time`; `None`: for the
    /// shortest times it is not either. Assumption: with shorter times it is in time, too.
    pub fn least(jobs: &[Jobs], mut is_in_time: impl FnMut(&[Duration]) -> bool) -> Option<Self> {
        let mut answers = |choice: &Choice| is_in_time(&times(jobs, choice));
        let shortest: Choice = jobs.iter().map(|of| of.exceeded.len() - 1).collect();
        if !answers(&shortest) {
            return None;
        }
        let mut heap = BinaryHeap::from([Reverse((0, vec![0; jobs.len()]))]);
        for _ in 0..MOST {
            let Some(Reverse((_, choice))) = heap.pop() else { break };
            if answers(&choice) {
                return Some(Self::of(jobs, &choice));
            }
            // The last task whose threshold is lowered already, or a later one: so each choice comes once.
            let from = choice.iter().rposition(|&lowered| lowered > 0).unwrap_or(0);
            for task in (from..jobs.len()).filter(|&task| choice[task] < shortest[task]) {
                let mut lower = choice.clone();
                lower[task] += 1;
                heap.push(Reverse((sum(jobs, &lower), lower)));
            }
        }
        Some(Self::of(jobs, &raised(jobs, shortest, answers)))
    }

    fn of(jobs: &[Jobs], choice: &Choice) -> Self {
        let exceeded = Probability::at_most_one(sum(jobs, choice));
        Self { times: times(jobs, choice), exceeded }
    }
}

fn times(jobs: &[Jobs], choice: &Choice) -> Vec<Duration> {
    jobs.iter().zip(choice).map(|(of, &place)| of.exceeded[place].0).collect()
}

fn sum(jobs: &[Jobs], choice: &Choice) -> u128 {
    jobs.iter().zip(choice).map(|(of, &place)| of.exceeded[place].1).sum()
}

/// From the shortest times on, the threshold that saves most is raised as long as that helps.
fn raised(jobs: &[Jobs], mut choice: Choice, mut answers: impl FnMut(&Choice) -> bool) -> Choice {
    let mut open: Vec<usize> = (0..jobs.len()).collect();
    loop {
        let saved = |&task: &usize| {
            let place = choice[task];
            let of = &jobs[task].exceeded;
            (place > 0).then(|| (of[place].1 - of[place - 1].1, Reverse(task)))
        };
        let Some((_, Reverse(task))) = open.iter().filter_map(saved).max() else { return choice };
        choice[task] -= 1;
        if !answers(&choice) {
            choice[task] += 1;
            open.retain(|&other| other != task);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn us(us: u64) -> Duration {
        Duration::from_us(us)
    }

    #[test]
    fn the_sum_counts_every_job_that_exceeds_its_threshold() {
        let seldom = Jobs::new(3, &[(us(1), 9), (us(5), 1)]);
        let often = Jobs::new(2, &[(us(1), 1), (us(5), 1)]);
        let found = Thresholds::least(&[often, seldom], |times| times[0] + times[1] <= us(6));
        let found = found.expect("the shortest are in time");
        // 3 x 1/10 is less than 2 x 1/2.
        assert_eq!(found.times, [us(5), us(1)]);
        assert!(found.exceeded.is_at_most(300_000_000_001));
        assert!(!found.exceeded.is_at_most(299_999_999_999));
    }

    #[test]
    fn what_is_late_with_the_shortest_times_has_no_thresholds() {
        let jobs = [Jobs::new(1, &[(us(2), 1), (us(3), 1)])];
        assert_eq!(Thresholds::least(&jobs, |times| times[0] < us(2)), None);
    }

    #[test]
    fn equal_times_are_one() {
        let jobs = Jobs::new(1, &[(us(2), 1), (us(2), 1), (us(3), 2)]);
        let lower = Thresholds::least(&[jobs], |times| times[0] < us(3)).expect("2 us");
        assert_eq!(lower.times, [us(2)]);
        assert!(lower.exceeded.is_at_most(500_000_000_000));
    }

    /// Tasks with more choices than are tried.
    #[test]
    fn many_tasks_have_thresholds_that_keep_it() {
        let times: Vec<(Duration, u32)> = (1..=4).map(|n| (us(n), 1)).collect();
        let jobs = vec![Jobs::new(1, &times); 12];
        let total = |times: &[Duration]| times.iter().map(|time| time.as_ns()).sum::<u64>();
        let found = Thresholds::least(&jobs, |times| total(times) <= 30_000).expect("12 us do");
        assert!(total(&found.times) > 26_000, "{found:?}");
    }

    /// Every choice of thresholds, one after the other.
    fn least_of_all(jobs: &[Jobs], is_in_time: &impl Fn(&[Duration]) -> bool) -> Option<u128> {
        let mut choices: Vec<Choice> = vec![Vec::new()];
        for of in jobs {
            let longer = |choice: &Choice| {
                let choice = choice.clone();
                (0..of.exceeded.len()).map(move |place| [&choice[..], &[place]].concat())
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        let fits = choices.iter().filter(|choice| is_in_time(&times(jobs, choice)));
        fits.map(|choice| sum(jobs, choice)).min()
    }

    proptest! {
        #[test]
        fn no_choice_is_exceeded_less_often(
            drawn in proptest::collection::vec(
                (1..6_u64, proptest::collection::vec((1..20_u64, 0..9_u32), 1..4)), 1..5,
            ),
            allowed in 1..70_u64,
        ) {
            let jobs: Vec<Jobs> = drawn.iter().map(|(count, times)| {
                let times: Vec<_> = times.iter().map(|&(time, weight)| (us(time), weight + 1)).collect();
                Jobs::new(*count, &times)
            }).collect();
            let in_time = |times: &[Duration]| {
                times.iter().map(|time| time.as_ns()).sum::<u64>() <= allowed * 1_000
            };
            let found = Thresholds::least(&jobs, in_time);
            let least = least_of_all(&jobs, &in_time).map(Probability::at_most_one);
            prop_assert_eq!(found.map(|found| found.exceeded), least);
        }
    }
}
