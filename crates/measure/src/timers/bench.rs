//! The urgent job, and the rows of jobs that are measured.

use super::load::{self, Phases, Times};
use super::{Expiry, Job, Load, Measured, Outcome, Sample, WAYS, samples};
use crate::machine::Unable;
use crate::machine::clock::{exact_timers, now_ns, sleep_until};
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::place::Pinned;
use crate::machine::policy::Fifo;
use std::hint::black_box;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// The job is released so often.
const RELEASE_NS: u64 = 1_000_000;

/// How long the tasks of a load have to get ready, and how long for each of them.
const READY_NS: u64 = 20_000_000;
const READY_EACH_NS: u64 = 50_000;

/// Warm-up jobs at the start of a row, while the tasks of the load get ready.
const SETTLING: usize = 10;

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The loads of a round; those without timers are part of every regression.
    pub loads: Vec<Load>,
    /// The execution time of the job, alone.
    pub job: Duration,
    /// After how long each timer expires again.
    pub period: Duration,
    /// Jobs one after the other beside the same load.
    pub jobs: usize,
    /// On which processor; the last permitted one if `None`.
    pub cpu: Option<usize>,
    /// The priority of the job.
    pub priority: u32,
    /// Seed of the phases.
    pub seed: u64,
    /// For how long.
    pub time: Duration,
}

/// Measures in rounds until the time of the plan is over or `go_on`, which receives the finished part,
/// returns false; the first round is always finished.
///
/// # Errors
/// This process may not stay on the CPU of the plan.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
    let place = Pinned::to(plan.cpu)?;
    let mut conditions = conditions::of(place.cpu);
    let without_priority = Fifo::at(plan.priority).err().map(|Unable(why)| {
        format!(
            "{why}. The job had a normal one, and the tasks of the timers ran behind all others: \
             what else runs here interrupted the job as well."
        )
    });
    let is_urgent = without_priority.is_none();
    let mut refused: Vec<String> = without_priority.into_iter().collect();
    let bench = Bench { iterations: calibrated(plan.job), plan, is_urgent };
    let steal = Steal::watch(place.cpu);
    let mut rows: Vec<Vec<Vec<Sample>>> = vec![Vec::new(); plan.loads.len()];
    let since = Instant::now();
    let mut rounds = 0;
    'rounds: loop {
        for (load, rows) in plan.loads.iter().zip(&mut rows) {
            match bench.row(*load, plan.seed + rounds as u64) {
                Ok(row) => rows.push(row),
                Err(Unable(why)) if rounds == 0 => refused.push(format!("{why}: not measured.")),
                Err(_) => {}
            }
            let part = since.elapsed().as_secs_f64() / plan.time.as_secs_f64();
            if !go_on(part.min(1.0)) && rounds > 0 {
                break 'rounds;
            }
        }
        rounds += 1;
        let next = since.elapsed().mul_f64(1.0 + 1.0 / rounds as f64);
        if next > plan.time || !go_on(1.0_f64.min(next.as_secs_f64() / plan.time.as_secs_f64())) {
            break;
        }
    }
    let priority = if is_urgent { plan.priority.to_string() } else { "normal".to_owned() };
    conditions.extend([
        ("seed", plan.seed.to_string()),
        ("rounds", rounds.to_string()),
        ("priority", priority),
        ("job", format!("{:?} each {:?}", plan.job, Duration::from_nanos(RELEASE_NS))),
        ("period-of-timers", format!("{:?}", plan.period)),
    ]);
    let mut remarks = conditions::remarks(&conditions, steal.part(), Interrupted::Counts);
    remarks.extend(refused);
    let all = plan.loads.iter().zip(&rows);
    let outcomes = all.filter_map(|(load, rows)| Outcome::of(*load, &rows.concat())).collect();
    let expiries = expiries(&plan.loads, &rows);
    Ok(Measured { outcomes, expiries, rounds, conditions, remarks })
}

/// The cost of an expiry, for each kind of timers: with the jobs beside no timers.
fn expiries(loads: &[Load], rows: &[Vec<Vec<Sample>>]) -> Vec<Expiry> {
    let of_way = |way| {
        let belongs = |load: &Load| load.timers == 0 || load.way == way;
        let own = loads.iter().zip(rows).filter(|(load, _)| belongs(load));
        let own: Vec<&Vec<Vec<Sample>>> = own.map(|(_, rows)| rows).collect();
        let rounds = own.iter().map(|rows| rows.len()).max().unwrap_or(0);
        let round = |at: usize| own.iter().filter_map(move |rows| rows.get(at)).flatten().copied();
        let rounds: Vec<Vec<Sample>> = (0..rounds).map(|at| round(at).collect()).collect();
        let is_measured = loads.iter().any(|load| load.timers > 0 && load.way == way);
        is_measured.then(|| Expiry::of(way, &rounds)).flatten()
    };
    WAYS.into_iter().filter_map(of_way).collect()
}

struct Bench<'a> {
    plan: &'a Plan,
    iterations: u64,
    is_urgent: bool,
}

impl Bench<'_> {
    /// Jobs beside a load.
    fn row(&self, load: Load, seed: u64) -> Result<Vec<Sample>, Unable> {
        let _room = load::room(load)?;
        let files = load::files(load)?;
        let period_ns = u64::try_from(self.plan.period.as_nanos()).unwrap_or(u64::MAX).max(1);
        // However long it takes to start a thousand tasks: the times are given when all are there.
        let gate = load::Gate::new(None);
        std::thread::scope(|scope| {
            let mut closed = gate.write().unwrap_or_else(PoisonError::into_inner);
            let tasks = load::start(scope, load, files, &gate, Phases { seed, period_ns })?;
            let from_ns = now_ns() + READY_NS + READY_EACH_NS * load.timers as u64;
            let until_ns = from_ns + (self.plan.jobs + SETTLING) as u64 * RELEASE_NS;
            let times = Times { from_ns, until_ns, period_ns, behind_all: !self.is_urgent };
            *closed = Some(times);
            drop(closed);
            scope.spawn(move || load::keep_awake(times));
            let jobs = self.jobs(&times);
            let expiries = tasks.into_iter().map(|task| task.join().expect("a task that sleeps"));
            let mut expiries: Vec<u64> = expiries.flatten().collect();
            expiries.sort_unstable();
            let alone_ns = u64::try_from(self.plan.job.as_nanos()).unwrap_or(u64::MAX);
            Ok(samples(jobs.get(SETTLING..).unwrap_or(&[]), &expiries, alone_ns))
        })
    }

    /// The jobs, by the urgent one.
    fn jobs(&self, times: &Times) -> Vec<Job> {
        exact_timers();
        // It was permitted when this was asked for the first time.
        let _urgent = self.is_urgent.then(|| Fifo::at(self.plan.priority));
        // From the first that is not past: a slow start is no response.
        let ready_ns = now_ns();
        let releases = (0..).map(|job| times.from_ns + job * RELEASE_NS);
        let releases = releases.skip_while(|release| *release < ready_ns);
        let releases = releases.take_while(|release| *release < times.until_ns);
        let run = |release_ns| {
            sleep_until(release_ns);
            let start_ns = now_ns();
            compute(self.iterations);
            Job { release_ns, start_ns, end_ns: now_ns() }
        };
        releases.map(run).collect()
    }
}

/// Computes, without memory: each step waits for the one before.
fn compute(iterations: u64) {
    let mut value = black_box(1_u64);
    for _ in 0..iterations {
        value = value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    }
    black_box(value);
}

/// How many steps take so long when nothing interrupts: the fastest of some tries.
fn calibrated(job: Duration) -> u64 {
    const TRY: u64 = 100_000;
    let tries = (0..50).map(|_| {
        let from = now_ns();
        compute(TRY);
        now_ns() - from
    });
    let fastest_ns = tries.min().unwrap_or(1).max(1);
    let iterations = job.as_nanos() * u128::from(TRY) / u128::from(fastest_ns);
    u64::try_from(iterations).unwrap_or(u64::MAX)
}
