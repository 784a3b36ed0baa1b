//! The cases in a boot: what the guest does, and what is compared.

use super::body::{Kernel, Longest, Simulator, conform, examine};
use super::case::Case;
use super::job::MS;
use super::shipped::Shipped;
use super::tightness::Tightness;
use super::{calibration, cases, charged, simulated};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::timer_shield::{HELD, counter};
use crate::written::Scenario;
use vorrang_guest::Step;

/// From the last completion to the end of the threads, so that none ends while another one runs.
const REST: u64 = 5 * MS;
/// The time between two cases, until the bandwidth of ended reservations is free again.
pub(super) const PAUSE: u64 = 100 * MS;
/// The processor, if threads are pinned to none.
const CPU: usize = 0;
/// So many timers wait in the cases of the shield because something more urgent runs; others do before a case begins.
const HELD_BACK: u64 = 15;

/// Threads of different cases have different names.
fn prefix(number: usize) -> String {
    format!("{number:02}.")
}

/// The steps of cases with their numbers, on a processor if one is stated.
fn steps(cases: impl Iterator<Item = (usize, Case)>, cpu: Option<usize>) -> Vec<Step> {
    let of_case = |(number, case): (usize, Case)| {
        let write = |(path, text): &(String, String)| Step::Write {
            path: path.clone(),
            text: text.clone(),
        };
        let mut steps: Vec<Step> = case.settings.iter().map(write).collect();
        steps.extend(performed(&case, number, cpu));
        steps
    };
    cases.flat_map(of_case).collect()
}

/// Of all cases.
pub(crate) fn all() -> Vec<Step> {
    steps(cases::all().into_iter().enumerate(), None)
}

/// Of those of the shield.
pub(crate) fn of_shield() -> Vec<Step> {
    steps(cases::shield().into_iter().enumerate(), Some(CPU))
}

/// Of those that a scenario chooses, in its partition.
pub(crate) fn of_partition(of: &Scenario) -> Vec<Step> {
    steps(chosen(of), Some(of.given("cpu")))
}

fn chosen(of: &Scenario) -> impl Iterator<Item = (usize, Case)> {
    let names: Vec<String> = of.given("cases");
    cases::all().into_iter().enumerate().filter(move |(_, case)| names.contains(&case.name))
}

/// A case: its threads, beside its interrupts.
fn performed(case: &Case, number: usize, cpu: Option<usize>) -> Vec<Step> {
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

/// What the kernel takes, beside its profile.
pub(crate) fn check_costs(evidence: &Evidence) -> Vec<Check> {
    taken(evidence).1
}

/// Of all cases what is drawn, simulated and seen, and how tight bounds are.
pub(crate) fn check_all(evidence: &Evidence) -> Vec<Check> {
    let Some(shipped) = taken(evidence).0 else { return Vec::new() };
    let mut checks = Vec::new();
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

/// Of those of the shield.
pub(crate) fn check_shield(evidence: &Evidence) -> Vec<Check> {
    let Some(shipped) = Shipped::of(evidence) else {
        return vec![Check::new("a profile of the kernel is shipped", "none", false)];
    };
    let mut checks = Vec::new();
    for (number, case) in cases::shield().iter().enumerate() {
        let case = case.on(shipped.costs());
        checks.extend(check_case(&case, &prefix(number), evidence).0);
    }
    let counted = |name| evidence.texts(HELD).next().and_then(|text| counter(text, CPU, name));
    let (held_back, overdue) = (counted("held-back"), counted("overdue"));
    checks.push(Check::new(
        "timers that were held back, and one that had waited for as long as it may",
        format!("{held_back:?}, {overdue:?}"),
        held_back.is_some_and(|held| held >= HELD_BACK) && overdue == Some(1),
    ));
    checks
}

/// Of those in a partition.
pub(crate) fn check_partition(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let Some(shipped) = taken(evidence).0 else { return Vec::new() };
    let check = |(number, case): (usize, Case)| {
        check_case(&case.on(shipped.costs()), &prefix(number), evidence).0
    };
    chosen(of).flat_map(check).collect()
}

/// The body, on both platforms, and the comparison.
fn check_case(case: &Case, prefix: &str, evidence: &Evidence) -> (Vec<Check>, Vec<Longest>) {
    let (simulated, mut checks) = examine(case, &Simulator);
    let (seen, drawn) = examine(case, &Kernel { evidence, prefix: prefix.to_owned() });
    checks.extend(drawn);
    let (conforms, longest) = conform(case, &simulated, &seen);
    checks.extend(conforms);
    (checks, longest)
}

/// Those refusals that are of something, and all others.
fn refusals(evidence: &Evidence, of: impl Fn(&str) -> bool) -> (Vec<String>, Check) {
    let (known, others): (Vec<_>, Vec<_>) =
        evidence.refusals().into_iter().partition(|refusal| of(refusal));
    (known, Check::none("what the guest could not do", &others))
}

/// 6.12 cannot take from the server of `SCHED_OTHER` what it does not count; nothing else is refused.
pub(crate) fn only_settings_refused(evidence: &Evidence) -> Vec<Check> {
    let (settings, others) = refusals(evidence, |refusal| refusal.contains("fair_server"));
    let settings = Check::none("what the kernel does not let be set", &settings);
    vec![others, Check { holds: true, ..settings }]
}

/// Reservations are refused, which is checked elsewhere; nothing else is.
pub(crate) fn only_reservations_refused(evidence: &Evidence) -> Check {
    refusals(evidence, |refusal| refusal.starts_with("task ")).1
}
