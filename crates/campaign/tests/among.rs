//! The exact deadline-miss probability of one job among others: every combination of execution times of small
//! systems, step by step, against the bound by thresholds.

use std::fmt::Write;
use vorrang_analysis::Effort;
use vorrang_analysis::Source;
use vorrang_analysis::demand::{Load, Loads};
use vorrang_analysis::fixed_priority::response_time;
use vorrang_analysis::stochastic::{Jobs, Probability, Thresholds};
use vorrang_analysis::supply::Dedicated;
use vorrang_campaign::random::Random;
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// A task that takes the shorter or the longer time, the more urgent one first.
#[derive(Clone, Copy, Debug)]
struct Own {
    period: u64,
    offset: u64,
    times: [u64; 2],
    weights: [u64; 2],
}

/// Jobs of a history, of both tasks: every combination of their times is tried.
const JOBS: usize = 10;

fn draw(random: &mut Random) -> [Own; 2] {
    [(2, 4), (5, 12)].map(|(least, most)| {
        let period = random.between(least, most);
        let longest = random.between(1, period - 1);
        Own {
            period,
            offset: random.below(period),
            times: [random.between(1, longest), longest],
            weights: [random.between(1, 4), 1],
        }
    })
}

/// The claim for each limit, from 1 on, in units of 10^-12.
fn claimed(own: &[Own; 2]) -> Vec<Option<u64>> {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (place, Own { period, times: [short, long], weights, .. }) in own.iter().enumerate() {
        let [often, seldom] = weights;
        let execution = if short == long {
            format!("\"{long}ns\" = 1")
        } else {
            format!("\"{short}ns\" = {often}, \"{long}ns\" = {seldom}")
        };
        let lines = format!(
            "[task.t{place}]\non = \"core.0\"\npriority = {}\nperiod = \"{period}ns\"\nexecution = {{ {execution} }}\n",
            2 - place
        );
        text.push_str(&lines);
    }
    for limit in 1..=2 * own[1].period {
        let of = "of = \"task.t1\"";
        writeln!(
            text,
            "[require.r{limit}]\n{of}\nhandled-within = \"{limit}ns\"\nprobability = \"50%\""
        )
        .expect("a string takes it");
    }
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    let bounds = vorrang_analysis::bounds(&system);
    let asked = system.requirements.iter().filter(|required| required.probability.is_some());
    let mut asked: Vec<_> = asked.collect();
    asked.sort_unstable_by_key(|required| required.limit);
    let chance = |required: &&_| bounds.chance(&system, required).bound();
    asked.iter().map(|own| chance(own).map(Probability::per_trillion_ceil)).collect()
}

/// The arrivals of a history in order of time, with the task of each.
fn arrivals(own: &[Own; 2]) -> Vec<(u64, usize)> {
    let of = |place: usize| {
        let Own { period, offset, .. } = own[place];
        (0..JOBS as u64).map(move |job| (offset + job * period, place))
    };
    let mut all: Vec<(u64, usize)> = of(0).chain(of(1)).collect();
    all.sort_unstable();
    all.truncate(JOBS);
    all
}

/// The response of each job of the less urgent task, in order; the last ones may lack interference.
fn responses(jobs: &[(u64, usize)], times: impl Fn(usize) -> u64) -> Vec<u64> {
    let mut left: Vec<u64> = (0..jobs.len()).map(times).collect();
    let mut found = Vec::new();
    let mut now = 0;
    while left.iter().any(|&left| left > 0) {
        let ready = (0..jobs.len()).filter(|&job| left[job] > 0 && jobs[job].0 <= now);
        if let Some(job) = ready.min_by_key(|&job| (jobs[job].1, job)) {
            left[job] -= 1;
            if left[job] == 0 && jobs[job].1 == 1 {
                found.push(now + 1 - jobs[job].0);
            }
        }
        now += 1;
    }
    found
}

/// How often each job of the less urgent task takes longer than each limit, as weights of a whole.
fn late(own: &[Own; 2], limits: usize) -> (Vec<Vec<u64>>, u64) {
    let jobs = arrivals(own);
    let count = jobs.iter().filter(|job| job.1 == 1).count();
    let mut late = vec![vec![0; limits]; count];
    let mut whole = 0;
    for combination in 0..1_usize << jobs.len() {
        let is_long = |job: usize| combination >> job & 1;
        let weight: u64 = jobs
            .iter()
            .enumerate()
            .map(|(job, &(_, task))| own[task].weights[is_long(job)])
            .product();
        whole += weight;
        let found = responses(&jobs, |job| own[jobs[job].1].times[is_long(job)]);
        for (late, response) in late.iter_mut().zip(found) {
            let beyond = usize::try_from(response - 1).expect("small").min(limits);
            late[..beyond].iter_mut().for_each(|late| *late += weight);
        }
    }
    (late, whole)
}

/// Claims for one system: of each limit from 1 on, in units of 10^-12.
type Claims = Vec<Option<u64>>;

/// The first violation of the claims of drawn systems, and the number of claims below one.
fn first_exceeded(claims: impl Fn(&[Own; 2]) -> Claims, systems: u64) -> (Option<String>, u64) {
    let mut bounded = 0;
    for index in 0..systems {
        let own = draw(&mut Random::new(17, index));
        let claims = claims(&own);
        let (late, whole) = late(&own, claims.len());
        for (limit, claim) in claims.iter().enumerate() {
            let Some(claim) = claim.filter(|&claim| claim < 1_000_000_000_000) else { continue };
            bounded += 1;
            for (job, late) in late.iter().enumerate() {
                let share = u128::from(late[limit]) * 1_000_000_000_000;
                if share > u128::from(claim) * u128::from(whole) {
                    let limit = limit + 1;
                    let text = format!("system {index}, limit {limit}, job {job}: {own:?}");
                    return (Some(text), bounded);
                }
            }
        }
    }
    (None, bounded)
}

#[test]
fn no_job_is_late_more_probably_than_the_bound_says() {
    let (exceeded, bounded) = first_exceeded(claimed, 400);
    assert_eq!(exceeded, None);
    assert!(bounded > 1_000, "{bounded} limits with a bound below one");
}

/// The theorem once more, from its parts, with other numbers of jobs: `count` of a busy window, a limit and a period.
fn summed(own: &[Own; 2], count: impl Fn(u64, u64, u64) -> u64) -> Claims {
    let load = |own: &Own, time: u64| {
        Load::new(
            Source::Unnamed,
            Duration::from_ns(time),
            Duration::from_ns(own.period),
            Duration::ZERO,
        )
    };
    let response = |times: [u64; 2]| {
        let above = [load(&own[0], times[0])];
        let (below, effort) = (load(&own[1], times[1]), Effort::default());
        response_time(&Dedicated, &below, Duration::ZERO, Loads::new(&above), &effort)
    };
    let claim = |limit: u64| {
        let busy = response([own[0].times[1], own[1].times[1]]).ok()?.busy?.as_ns();
        let jobs = [(&own[0], limit), (&own[1], 1)].map(|(own, until)| {
            let times = [0, 1].map(|at| {
                let weight = u32::try_from(own.weights[at]).expect("small");
                (Duration::from_ns(own.times[at]), weight)
            });
            Jobs::new(count(busy, until, own.period), &times)
        });
        let found = Thresholds::least(&jobs, |times| {
            response([times[0].as_ns(), times[1].as_ns()])
                .is_ok_and(|response| response.bound.as_ns() <= limit)
        });
        Some(found.map_or(1_000_000_000_000, |found| found.exceeded.per_trillion_ceil()))
    };
    (1..=2 * own[1].period).map(claim).collect()
}

#[test]
fn the_bound_is_the_theorem() {
    let count = |busy: u64, limit: u64, period: u64| (busy + limit).div_ceil(period);
    for index in 0..400 {
        let own = draw(&mut Random::new(17, index));
        let never = |claims: Claims| -> Vec<_> { claims.into_iter().flatten().collect() };
        assert_eq!(never(claimed(&own)), never(summed(&own, count)), "system {index}");
    }
}

#[test]
fn a_bound_that_counts_one_job_of_each_task_is_noticed() {
    assert_ne!(first_exceeded(|own| summed(own, |_, _, _| 1), 4_000).0, None);
}

#[test]
fn a_bound_that_forgets_the_jobs_before_is_noticed() {
    let count = |_, limit: u64, period: u64| limit.div_ceil(period);
    assert_ne!(first_exceeded(|own| summed(own, count), 4_000).0, None);
}
