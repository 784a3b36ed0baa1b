//! The overheads of a kernel, measured by work that they delay, before the cases and in the same boot.
//!
//! **Model.** A thread does work that takes a known time without interruptions. Beside ticks alone, a timer,
//! less urgent threads, and more urgent threads it takes longer; the difference is divided among the
//! interrupts meanwhile.
//!
//! **Assumptions.** Time is counted: the same instructions take the same time.

use super::machine::{Costs, Kind, Measured, Source};
use crate::evidence::Evidence;
use vorrang_guest::{Job, Policy, ScriptedJob, ScriptedThread, Step, TICK, Work};

/// The work, long enough for a difference of a few nanoseconds an interrupt.
const WORK: u64 = 20_000_000;
/// While it keeps threads from running, each wakes up only once.
const SHORT: u64 = 9_000_000;
/// The rest of the plan when that is over and the threads have run.
const AFTER: u64 = 1_000_000;
/// Stretches of work beside ticks alone.
const STRETCHES: u64 = 10;
/// From the end of the work to the end of the threads.
const REST: u64 = 20_000_000;
/// The priority of a thread above all sources, and of one below them.
const ABOVE: u32 = 60;
const BELOW: u32 = 10;

/// Beside what the kernel limits the samples of its clock to: a timer of these may come as often as it likes.
const SAMPLES: (&str, &str) = ("/proc/sys/kernel/perf_event_max_sample_rate", "10000000");

/// The interrupts meanwhile, and the names of the working threads. Interrupts are measured at two rates: at
/// the second one while the kernel's thread for timers is ready, which each of them wakes once more.
const TICKS: &str = "c.tick";
const TIMERS: [(&str, Source); 2] =
    [at("c.timer", Kind::Timer, 10), at("c.timers", Kind::Timer, 20)];
const WAKES: [(&str, Source); 2] =
    [at("c.wake", Kind::Threads, 10), at("c.wakes", Kind::Threads, 20)];
const AFTER_WAKE: &str = "c.after";
const BOTH: (&str, Source) = at("c.both", Kind::Threads, 10);
const SOFT: (&str, Source) = at("c.soft", Kind::Soft, 2);

const fn at(name: &str, kind: Kind, khz: u64) -> (&str, Source) {
    (name, Source { kind, khz })
}

/// What the guest does, on a processor.
pub fn steps(cpu: usize) -> Vec<Step> {
    let after = worker(AFTER_WAKE, cpu, BELOW, AFTER, 1);
    let trials = [
        (None, vec![worker(TICKS, cpu, ABOVE, WORK, STRETCHES)]),
        (Some(TIMERS[0]), vec![worker(TIMERS[0].0, cpu, ABOVE, WORK, 1)]),
        (Some(TIMERS[1]), vec![worker(TIMERS[1].0, cpu, ABOVE, WORK, 1), soft_timer(cpu)]),
        (Some(WAKES[0]), vec![worker(WAKES[0].0, cpu, ABOVE, SHORT, 1), after]),
        (Some(WAKES[1]), vec![worker(WAKES[1].0, cpu, ABOVE, SHORT, 1), soft_timer(cpu)]),
        (Some(BOTH), vec![worker(BOTH.0, cpu, BELOW, WORK, 1)]),
        (Some(SOFT), vec![worker(SOFT.0, cpu, BELOW, WORK, 1)]),
    ];
    let (path, text) = SAMPLES;
    let mut steps = vec![Step::Write { path: path.to_owned(), text: text.to_owned() }];
    for (source, mut threads) in trials {
        let until = 2 * WORK * threads[0].jobs.len() as u64;
        let sleeping =
            source.map(|(name, source)| source.threads(&format!("{name}."), Some(cpu), until));
        threads.extend(sleeping.into_iter().flatten());
        let source = source.map(|(_, source)| source);
        steps.extend(source.and_then(|source| source.begin(cpu)));
        steps.push(Step::Script { threads, until: until + REST });
        steps.extend(source.and_then(|source| source.end(cpu)));
    }
    steps
}

/// A thread whose timer is left to the kernel's thread: that is ready from then on, and waits for the working
/// thread.
fn soft_timer(cpu: usize) -> ScriptedThread {
    let job = ScriptedJob { release: REST / 1000, work: Work::Compute(0) };
    let name = "c.soft-timer".to_owned();
    ScriptedThread {
        name,
        cpu: Some(cpu),
        policy: Policy::Other,
        after: Vec::new(),
        jobs: vec![job],
    }
}

fn worker(name: &str, cpu: usize, priority: u32, work: u64, jobs: u64) -> ScriptedThread {
    let job = |_| ScriptedJob { release: 0, work: Work::Compute(work) };
    ScriptedThread {
        name: name.to_owned(),
        cpu: Some(cpu),
        policy: Policy::Fifo(priority),
        after: Vec::new(),
        jobs: (0..jobs).map(job).collect(),
    }
}

/// The measurement; `None` if something did not run, or took no time.
pub fn costs(evidence: &Evidence) -> Option<Measured> {
    let jobs = |name: &str| evidence.jobs(name).0;
    let (tick, longest_tick) = ticks(jobs(TICKS))?;
    let beside = |took: u64, work| took.checked_sub(work + took / TICK * tick);
    let each = |(name, source): (&str, Source), work| {
        let took = took(jobs(name).first()?);
        Some((beside(took, work)? * source.every()).div_ceil(took))
    };
    let both = |of: [(&'static str, Source); 2], work| {
        let [slow, fast] = [each(of[0], work)?, each(of[1], work)?];
        Some(((slow + fast).div_ceil(2), slow.max(fast)))
    };
    let ((timer, longest_timer), (wake, longest_wake)) = (both(TIMERS, WORK)?, both(WAKES, SHORT)?);
    // A thread that runs at once takes a job and two switches; one of many that waited a switch less, and so does
    // one that wakes up while they run.
    let at_once = each(BOTH, WORK)?.checked_sub(wake)?;
    let first = jobs(WAKES[0].0).first()?;
    let every = WAKES[0].1.every();
    let alone = AFTER * every / every.checked_sub(wake + at_once)?;
    let many = (jobs(AFTER_WAKE).first()?.finish - first.finish).checked_sub(alone)?;
    let (waited, woken) = (took(first) / every, many / every);
    let of_many = beside(many, woken * wake)? / (waited + woken).max(1);
    let switch = at_once.checked_sub(of_many)?;
    let job = of_many.checked_sub(switch)?;
    let soft = each(SOFT, WORK)?.checked_sub(wake + 2 * switch)?;
    let average = Costs { tick, timer, wake, switch, job, soft };
    let longest = Costs { tick: longest_tick, timer: longest_timer, wake: longest_wake, ..average };
    let all = [tick, timer, wake, switch, job, soft];
    all.iter().all(|cost| *cost > 0).then_some(Measured { average, longest })
}

/// The time of a tick, on average and in the worst stretch.
fn ticks(stretches: &[Job]) -> Option<(u64, u64)> {
    let of =
        |took: u64, work: u64| took.checked_sub(work).map(|beside| (beside * TICK).div_ceil(took));
    let all: u64 = stretches.iter().map(took).sum();
    let each: Option<Vec<u64>> = stretches.iter().map(|job| of(took(job), WORK)).collect();
    Some((of(all, WORK * stretches.len() as u64)?, each?.into_iter().max()?))
}

fn took(job: &Job) -> u64 {
    job.finish - job.start
}
