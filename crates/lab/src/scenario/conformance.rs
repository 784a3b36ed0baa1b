//! All cases of conformance in one boot, one after the other; and how exactly a kernel enforces
//! runtimes if it is left as it is.

use super::{BOTH, Check, Scenario};
use crate::conformance::admission::LIMIT;
use crate::conformance::body::{Kernel, Longest, Simulator, conform, examine};
use crate::conformance::case::{Case, MS};
use crate::conformance::shipped::Shipped;
use crate::conformance::tightness::Tightness;
use crate::conformance::{calibration, cases, charged, simulated};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Policy, Record, ScriptedJob, ScriptedThread, Step, Work};

/// From the last completion to the end of the threads, so that none ends while another one runs.
const REST: u64 = 5 * MS;
/// The time between two cases, until the bandwidth of ended reservations is free again.
const PAUSE: u64 = 100 * MS;

/// The processor.
const CPU: usize = 0;

/// What the scheduler does and does not, by name.
const FEATURES: &str = "/sys/kernel/debug/sched/features";
/// Runtimes end by a timer of their own, not with the next tick. Newer kernels do it anyway.
const TIMER: &str = "HRTICK_DL";

/// The reservation whose enforcement is measured, and the number of periods.
const BUDGET: u64 = 3 * MS;
const PERIOD: u64 = 10 * MS;
const PERIODS: u64 = 8;
/// The kernels' tick.
const TICK: u64 = 4 * MS;
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

/// 7.2 samples which memory is used, every few milliseconds for 30 us, in a thread of `SCHED_OTHER`.
pub(super) const ALONE: &str = "damon_stat.enabled=N";

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "conformance",
        shows: "simulator and kernel do the same, in cases of reservations, priorities and turns",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { command_line: ALONE, ..Machine::default() },
        modules: &[],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan,
        checks,
    }
}

/// Threads of different cases have different names.
pub(super) fn prefix(number: usize) -> String {
    format!("{number:02}.")
}

fn plan() -> Plan {
    let write =
        |path: &str, text: &str| Step::Write { path: path.to_owned(), text: text.to_owned() };
    let events = vec!["sched/sched_switch".to_owned()];
    let mut steps = vec![
        Step::Read { path: FEATURES.to_owned() },
        Step::StartTrace { events },
        enforced(),
        Step::Sleep { time: PAUSE },
        sharp_budgets(),
        Step::Read { path: LIMIT.to_owned() },
        reclaiming(),
        Step::Sleep { time: PAUSE },
    ];
    steps.extend(calibration::steps(CPU));
    for (number, case) in cases::all().iter().enumerate() {
        steps.extend(case.settings.iter().map(|(path, text)| write(path, text)));
        steps.extend(performed(case, number, None));
    }
    steps.push(Step::EndTrace);
    Plan { steps }
}

/// Runtimes end by a timer of their own.
pub(super) fn sharp_budgets() -> Step {
    Step::Write { path: FEATURES.to_owned(), text: TIMER.to_owned() }
}

/// A thread that always wants more than its runtime.
fn enforced() -> Step {
    let policy =
        Policy::Deadline { runtime: BUDGET, deadline: PERIOD, period: PERIOD, reclaims: false };
    let jobs = vec![ScriptedJob { release: 0, work: Work::Compute(PERIODS * BUDGET) }];
    let thread = ScriptedThread { name: ENFORCED.to_owned(), cpu: None, policy, jobs };
    Step::Script { threads: vec![thread], until: 2 * PERIODS * PERIOD }
}

fn reclaiming() -> Step {
    let policy =
        Policy::Deadline { runtime: RECLAIMED, deadline: PERIOD, period: PERIOD, reclaims: true };
    let jobs = vec![ScriptedJob { release: 0, work: Work::Compute(PERIOD + RECLAIMED) }];
    let thread = ScriptedThread { name: RECLAIMING.to_owned(), cpu: None, policy, jobs };
    Step::Script { threads: vec![thread], until: 4 * PERIOD }
}

/// A case: its threads, beside its interrupts.
pub(super) fn performed(case: &Case, number: usize, cpu: Option<usize>) -> Vec<Step> {
    let last = simulated::course(case).completions.iter().map(|one| one.at).max();
    // The overhead of the machine is not known before: never half of the case's work.
    let end = 3 * last.unwrap_or_default() / 2;
    let on = cpu.unwrap_or(CPU);
    let prefix = prefix(number);
    let mut threads = case.threads(&prefix, cpu);
    threads.extend(case.source.iter().flat_map(|source| source.threads(&prefix, cpu, end)));
    let script = Step::Script { threads, until: end + REST };
    let begin = case.source.and_then(|source| source.begin(on));
    let over = case.source.and_then(|source| source.end(on));
    let pause = Step::Sleep { time: PAUSE };
    begin.into_iter().chain([script]).chain(over).chain([pause]).collect()
}

/// The costs of the kernel by its profile, and the tolerance that follows; the boot is compared with them.
/// `None`: there is no profile, or nothing could be measured.
pub(super) fn taken(evidence: &Evidence) -> (Option<Shipped>, Vec<Check>) {
    let what = "what the kernel takes is measured";
    let Some(shipped) = Shipped::of(evidence) else {
        return (None, vec![Check::new(what, "no profile is shipped for it", false)]);
    };
    let Some(boot) = calibration::costs(evidence) else {
        return (None, vec![Check::new(what, "it is not", false)]);
    };
    let tolerance = shipped.costs().average.tolerance() / 1000;
    let mut checks = shipped.holds(&boot);
    let said = format!("{tolerance} us");
    checks.push(Check::new(
        format!("the tolerance of the profile of {}", shipped.line),
        said,
        tolerance > 0,
    ));
    (Some(shipped), checks)
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = refusals(evidence);
    checks.extend(enforcement(evidence));
    checks.push(reclaimed(evidence));
    let (shipped, taken) = taken(evidence);
    checks.extend(taken);
    let Some(shipped) = shipped else { return checks };
    let mut tightness = Tightness::default();
    for (number, case) in cases::all().into_iter().enumerate() {
        let (case, prefix) = (case.on(shipped.costs()), prefix(number));
        let (conforms, longest) = check_case(&case, &prefix, evidence);
        checks.extend(conforms);
        checks.extend(charged::check(&case, &prefix, evidence));
        tightness.note(&case, &longest);
    }
    checks.extend(tightness.checks(shipped.line));
    checks
}

/// The body, on both platforms, and the comparison.
pub(super) fn check_case(
    case: &Case,
    prefix: &str,
    evidence: &Evidence,
) -> (Vec<Check>, Vec<Longest>) {
    let (simulated, mut checks) = examine(case, &Simulator);
    let (seen, drawn) = examine(case, &Kernel { evidence, prefix: prefix.to_owned() });
    checks.extend(drawn);
    let (conforms, longest) = conform(case, &simulated, &seen);
    checks.extend(conforms);
    (checks, longest)
}

/// 6.12 cannot take from the server of `SCHED_OTHER` what it does not count; nothing else is refused.
fn refusals(evidence: &Evidence) -> Vec<Check> {
    let (settings, others): (Vec<_>, Vec<_>) =
        evidence.refusals().into_iter().partition(|refusal| refusal.contains("fair_server"));
    let said = |refusals: Vec<String>| match refusals.as_slice() {
        [] => "nothing".to_owned(),
        some => some.join("; "),
    };
    let none = others.is_empty();
    vec![
        Check::new("what the guest could not do", said(others), none),
        Check::new("what the kernel does not let be set", said(settings), true),
    ]
}

/// By the tick, a thread may receive a tick more than its runtime, and less later; by a timer, not.
fn enforcement(evidence: &Evidence) -> Vec<Check> {
    let by_tick = evidence.records.iter().any(|record| {
        matches!(record, Record::Text { path, text } if path == FEATURES && text.contains("NO_HRTICK_DL"))
    });
    let (means, over) = if by_tick { ("the tick", TICK) } else { ("a timer", TOLERANCE) };
    let Some(begin) = evidence.jobs(ENFORCED).0.first().map(|job| job.release) else {
        return vec![Check::new("a runtime is enforced", "nothing ran", false)];
    };
    let in_period = |number| {
        let from = begin + number * PERIOD;
        evidence.schedule.received(ENFORCED, from, from + PERIOD)
    };
    let each: Vec<u64> = (0..PERIODS).map(in_period).collect();
    let most = each.iter().max().copied().unwrap_or_default();
    let all: u64 = each.iter().sum();
    let us: Vec<String> = each.iter().map(|time| (time / 1000).to_string()).collect();
    vec![Check::new(
        format!("a runtime of 3 ms every 10 ms is enforced by {means}"),
        format!("it received {} us", us.join(", ")),
        most <= BUDGET + over && all <= PERIODS * BUDGET + over && most > BUDGET - TOLERANCE,
    )]
}

/// Kernels divide by what they have for real-time threads, count their server of `SCHED_OTHER` as
/// active for a while after it was, and 6.12 subtracts that twice from the unreserved bandwidth.
fn reclaimed(evidence: &Evidence) -> Check {
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
