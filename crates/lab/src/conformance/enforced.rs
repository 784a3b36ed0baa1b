//! How exactly a kernel enforces runtimes if it is left as it is, and for how long one lasts that reclaims.

use super::admission::LIMIT;
use super::job::MS;
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::{Policy, Record, ScriptedJob, ScriptedThread, Step, TICK, Work};

/// What the scheduler does and does not, by name.
const FEATURES: &str = "/sys/kernel/debug/sched/features";

/// The reservation whose enforcement is measured, and the number of periods.
const BUDGET: u64 = 3 * MS;
const PERIOD: u64 = 10 * MS;
const PERIODS: u64 = 8;
/// The cost of enforcement by a timer.
const TOLERANCE: u64 = 50_000;
/// The name of the thread.
const ENFORCED: &str = "enforced";

/// A thread that reclaims, alone, while the kernel keeps for others what it is set to: how long it has
/// the processor until it is throttled. In the model that is a period.
const RECLAIMING: &str = "reclaiming";
const RECLAIMED: u64 = 2 * MS;
/// What is kept for `SCHED_OTHER`, of a second: 50 ms.
const FAIR: u64 = 50;

/// A thread that always wants more than its runtime.
pub(crate) fn step() -> Step {
    let policy =
        Policy::Deadline { runtime: BUDGET, deadline: PERIOD, period: PERIOD, reclaims: false };
    let jobs = vec![ScriptedJob { release: 0, work: Work::Compute(PERIODS * BUDGET) }];
    let thread =
        ScriptedThread { name: ENFORCED.to_owned(), cpu: None, policy, after: Vec::new(), jobs };
    Step::Script { threads: vec![thread], until: 2 * PERIODS * PERIOD }
}

/// A thread that reclaims, alone.
pub(crate) fn step_of_reclaiming() -> Step {
    let policy =
        Policy::Deadline { runtime: RECLAIMED, deadline: PERIOD, period: PERIOD, reclaims: true };
    let jobs = vec![ScriptedJob { release: 0, work: Work::Compute(PERIOD + RECLAIMED) }];
    let thread =
        ScriptedThread { name: RECLAIMING.to_owned(), cpu: None, policy, after: Vec::new(), jobs };
    Step::Script { threads: vec![thread], until: 4 * PERIOD }
}

/// By the tick, a thread may receive a tick more than its runtime, and less later; by a timer, not.
pub(crate) fn check(evidence: &Evidence) -> Check {
    let by_tick = evidence.records.iter().any(|record| {
        matches!(record, Record::Text { path, text } if path == FEATURES && text.contains("NO_HRTICK_DL"))
    });
    let (means, over) = if by_tick { ("the tick", TICK) } else { ("a timer", TOLERANCE) };
    let Some(begin) = evidence.jobs(ENFORCED).0.first().map(|job| job.release) else {
        return Check::new("a runtime is enforced", "nothing ran", false);
    };
    let in_period = |number| {
        let from = begin + number * PERIOD;
        evidence.schedule.received(ENFORCED, from, from + PERIOD)
    };
    let each: Vec<u64> = (0..PERIODS).map(in_period).collect();
    let most = each.iter().max().copied().unwrap_or_default();
    let all: u64 = each.iter().sum();
    let us: Vec<String> = each.iter().map(|time| (time / 1000).to_string()).collect();
    Check::new(
        format!("a runtime of 3 ms every 10 ms is enforced by {means}"),
        format!("it received {} us", us.join(", ")),
        most <= BUDGET + over && all <= PERIODS * BUDGET + over && most > BUDGET - TOLERANCE,
    )
}

/// Kernels divide by what they have for real-time threads, count their server of `SCHED_OTHER` as
/// active for a while after it was, and 6.12 subtracts that twice from the unreserved bandwidth.
pub(crate) fn reclaimed(evidence: &Evidence) -> Check {
    let what = "2 ms every 10 ms that reclaim, alone, last as long as the kernel's rule says";
    let limit = evidence.texts(LIMIT).next().and_then(|text| text.trim().parse::<u64>().ok());
    let begin = evidence.jobs(RECLAIMING).0.first().map(|job| job.release);
    let (Some(limit), Some(begin)) = (limit, begin) else {
        return Check::new(what, "nothing ran", false);
    };
    let received = evidence.schedule.received(RECLAIMING, begin, begin + PERIOD);
    // All of it in thousandths of a processor.
    let (all, own) = (limit / 1000, RECLAIMED * 1000 / PERIOD);
    let lasts = |active: u64| RECLAIMED * all / active;
    let (least, most) = (lasts(own + 2 * FAIR), lasts(own));
    Check::new(
        what,
        format!(
            "{} us, of {} to {}; in the model {}",
            received / 1000,
            least / 1000,
            most / 1000,
            PERIOD / 1000
        ),
        (least..=most + TOLERANCE).contains(&received),
    )
}
