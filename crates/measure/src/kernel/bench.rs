//! The threads that measure.

use super::gaps::{Gap, Grid};
use super::handlers::threads;
use super::late::{Turn, late};
use super::longest_section::sections;
use super::rounds::{ABOVE, BELOW, PAUSE_NS, Rounds, STRETCH_NS};
use super::{Calls, Facts, Measured, Part, Ticks};
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::memory::Locked;
use crate::machine::place::Pinned;
use crate::machine::policy::{self, Fifo};
use crate::machine::{Unable, clock};
use crate::statistics::{Sorted, median};
use rustix::time::{ClockId, clock_gettime};
use std::ops::ControlFlow;
use std::time::Duration;

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Settings of the kernel that the system reveals.
    pub facts: Facts,
    /// On which processor; the last permitted one if `None`.
    pub cpu: Option<usize>,
    /// For how long, all parts together.
    pub time: Duration,
}

/// From one wake-up to the next, no divisor of a period of ticks.
const WAKE_NS: u64 = 1_037_000;
/// The reservation whose end is measured.
const RUNTIME_NS: u64 = 2_000_000;
const PERIOD_NS: u64 = 10_000_000;
/// Readings of the clock that determine the time between two of them.
const READINGS: usize = 2_000;

/// Measures, each part for its share of the time; `go_on`, which receives the finished part, ends it early.
///
/// # Errors
/// This process may have no real-time priority, or not stay on the processor of the plan.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
    // Refusals are reported before the measurement.
    drop(Fifo::at(ABOVE)?);
    // The first use of a page would count as a call of the scheduler. Where it is refused, it does.
    let _locked = Locked::hold();
    let all = u64::try_from(plan.time.as_nanos()).unwrap_or(u64::MAX);
    let mut rounds = Rounds::of(all, &mut go_on);
    // It has no processor of its own: a thread with a reservation may have none.
    let late = runtimes(&mut rounds);
    let place = Pinned::to(plan.cpu)?;
    let steal = Steal::watch(place.cpu);
    let mut conditions = conditions::of(place.cpu);
    conditions.push(("for", format!("{}ms", all / 1_000_000)));
    let period_ns = plan.facts.built.clone().map(|built| 1_000_000_000 / built.hertz);
    let seen = alone(&mut rounds)?;
    let grid = period_ns.and_then(|period_ns| {
        Grid::of(&seen.gaps, seen.ran_ns, period_ns).ok_or_else(|| NO_TICK.to_owned())
    });
    let is_tick = |gap: &&Gap| grid.as_ref().is_ok_and(|grid| grid.is_in(gap));
    let (ticks, others): (Vec<&Gap>, Vec<&Gap>) = seen.gaps.iter().partition(is_tick);
    let ticks =
        grid.clone().map(|grid| Ticks { grid, took: longer(&ticks).expect("it has ticks") });
    let threads = grid.clone().and_then(|grid| threads(place.cpu, grid, &mut rounds));
    let calls = calls(grid.as_ref().ok(), &mut rounds)?;
    let sections = sections(&mut rounds)?;
    let remarks = conditions::remarks(&conditions, steal.part(), Interrupted::Counts);
    let others = longer(&others);
    let facts = plan.facts.clone();
    Ok(Measured { facts, ticks, others, threads, calls, sections, late, conditions, remarks })
}

const NO_TICK: &str = "fewer than half of its periods have one while a thread runs (nohz_full)";

fn longer(gaps: &[&Gap]) -> Option<Sorted> {
    Sorted::of(gaps.iter().map(|gap| gap.ns() as f64))
}

/// The gaps of a thread that nothing may preempt.
#[derive(Default)]
struct Seen {
    gaps: Vec<Gap>,
    ran_ns: u64,
}

/// Two readings that lie further apart are a gap.
fn threshold_ns() -> u64 {
    let mut before = clock::now_ns();
    let between = (0..READINGS).map(|_| {
        let now = clock::now_ns();
        let ns = now - before;
        before = now;
        ns as f64
    });
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some hundred nanoseconds"
    )]
    let usual = median(between.collect::<Vec<f64>>()) as u64;
    2 * usual + 300
}

/// Reads the clock until an instant; reports each gap, and ends early on request.
fn watch(until_ns: u64, threshold_ns: u64, mut told: impl FnMut(Gap) -> ControlFlow<()>) {
    let mut before = clock::now_ns();
    while before < until_ns {
        let now = clock::now_ns();
        if now - before > threshold_ns && told(Gap { from_ns: before, to_ns: now }).is_break() {
            return;
        }
        before = now;
    }
}

fn noted(until_ns: u64, threshold_ns: u64) -> Vec<Gap> {
    // Room before, so that none is made meanwhile.
    let mut gaps = Vec::with_capacity(1 << 16);
    watch(until_ns, threshold_ns, |gap| {
        gaps.push(gap);
        ControlFlow::Continue(())
    });
    gaps
}

/// A thread alone, above all others.
fn alone(rounds: &mut Rounds<'_>) -> Result<Seen, Unable> {
    let stretches = rounds.part(2, || {
        let _fifo = Fifo::at(ABOVE)?;
        let threshold = threshold_ns();
        let begin = clock::now_ns();
        let gaps = noted(begin + STRETCH_NS, threshold);
        clock::sleep_until(begin + STRETCH_NS + PAUSE_NS);
        Ok(Seen { gaps, ran_ns: STRETCH_NS })
    })?;
    let mut all = Seen::default();
    for Seen { gaps, ran_ns } in stretches {
        all.gaps.extend(gaps);
        all.ran_ns += ran_ns;
    }
    Ok(all)
}

/// A thread that sleeps and wakes above one that reads the clock.
fn calls(grid: Option<&Grid>, rounds: &mut Rounds<'_>) -> Result<Result<Calls, String>, Unable> {
    let stretches = rounds.part(1, || {
        let (mut awake, mut gaps) = (Vec::new(), Vec::new());
        let until = clock::now_ns() + STRETCH_NS;
        std::thread::scope(|scope| {
            // It has the priority from its beginning, or it would not begin.
            let _above = Fifo::at(ABOVE)?;
            let sleeper = scope.spawn(|| sleeping(until));
            let _below = Fifo::at(BELOW)?;
            gaps = noted(until, threshold_ns());
            awake = sleeper.join().expect("it does not panic");
            Ok::<_, Unable>(())
        })?;
        clock::sleep_until(until + PAUSE_NS);
        Ok(split(&gaps, &awake, grid))
    })?;
    let all: Vec<[u64; 2]> = stretches.into_iter().flatten().collect();
    let part = |which: usize| Sorted::of(all.iter().map(|parts| parts[which] as f64));
    let both = part(0).zip(part(1)).map(|(wake, sleep)| Calls { wake, sleep });
    Ok(both.ok_or_else(|| "no thread was seen to wake".to_owned()))
}

/// Sleeps and wakes until a time; when it ran between two sleeps, from its first to its last reading.
fn sleeping(until_ns: u64) -> Vec<Gap> {
    let mut awake = Vec::with_capacity(1 << 8);
    let mut due = clock::now_ns() + WAKE_NS;
    while due < until_ns {
        clock::sleep_until(due);
        let from_ns = clock::now_ns();
        awake.push(Gap { from_ns, to_ns: clock::now_ns() });
        due += WAKE_NS;
    }
    // After the last one it does not sleep, it ends.
    awake.pop();
    awake
}

/// The times before and after the readings of the woken thread, for each gap with a wake-up and without a
/// tick.
fn split(gaps: &[Gap], awake: &[Gap], grid: Option<&Grid>) -> Vec<[u64; 2]> {
    let of = |woken: &Gap| {
        let around = gaps.partition_point(|gap| gap.to_ns < woken.to_ns);
        let gap = gaps.get(around).filter(|gap| gap.from_ns <= woken.from_ns)?;
        let has_tick = grid.is_some_and(|grid| grid.is_in(gap));
        (!has_tick).then(|| [woken.from_ns - gap.from_ns, gap.to_ns - woken.to_ns])
    };
    awake.iter().filter_map(of).collect()
}

/// A thread with more work than its runtime.
fn runtimes(rounds: &mut Rounds<'_>) -> Part {
    let refused = |Unable(why): Unable| why;
    let part_ns = rounds.part_ns.max(10 * PERIOD_NS);
    let turns = rounds.part(1, || {
        // It ends with its policy.
        let thread = std::thread::spawn(move || {
            policy::reserve(RUNTIME_NS, PERIOD_NS)?;
            Ok(wanting_more(part_ns))
        });
        thread.join().expect("it does not panic")
    });
    let turns = turns.map_err(refused)?.concat();
    let all = late(&turns, RUNTIME_NS, PERIOD_NS).ok_or(
        "the kernel does not charge elapsed time: it scales runtimes by the frequency or capacity of the processor",
    )?;
    Sorted::of(all.into_iter().map(|ns| ns as f64)).ok_or_else(|| "none ended".to_owned())
}

/// The turns of this thread for some time, from a whole runtime on.
fn wanting_more(time_ns: u64) -> Vec<Turn> {
    let mut turns = Vec::new();
    // Yields the rest of the runtime: the next one is whole.
    std::thread::yield_now();
    let begin = clock::now_ns();
    let mut last = (begin, charged_ns());
    // Nothing but its own runtime keeps it from the processor for so long.
    watch(begin + time_ns, (PERIOD_NS - RUNTIME_NS) / 4, |gap| {
        let charged = charged_ns();
        turns.push(Turn { begin_ns: last.0, charged_ns: charged - last.1 });
        last = (gap.to_ns, charged);
        ControlFlow::Continue(())
    });
    turns
}

/// The time that the kernel has charged to this thread.
fn charged_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(from_ns: u64, to_ns: u64) -> Gap {
        Gap { from_ns, to_ns }
    }

    #[test]
    fn a_gap_is_split_where_another_thread_ran() {
        let gaps = [gap(100, 120), gap(1_000, 1_020), gap(2_000, 2_050), gap(3_000, 3_009)];
        let awake = [gap(1_007, 1_009), gap(2_010, 2_011), gap(2_500, 2_501), gap(4_000, 4_001)];
        let grid = Grid { period_ns: 2_000, phase_ns: 0, jitter_ns: 10 };
        assert_eq!(split(&gaps, &awake, None), [[7, 11], [10, 39]]);
        assert_eq!(
            split(&gaps, &awake, Some(&grid)),
            [[7, 11]],
            "with a tick it is not a call alone"
        );
    }
}
