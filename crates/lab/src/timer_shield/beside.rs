//! The first experiment of the publication, without the module, with it, and
//! after it is gone.
//!
//! An urgent task of 1 kHz and 200 us beside 0, 1, 50 and 100 tasks of the lowest priority that wake up again and
//! again, on one processor. All are released together once, the worst there is: 101 timers expire at one instant.
//! Without the shield every timer of a less urgent task that expires while the urgent one computes is an interrupt
//! in its job. With it they wait until the job is over.
//!
//! What is compared is the longest response of the urgent task, in counted time: instructions.

use super::module::{
    HELD, HOOKED, INTERRUPTS, MS, US, counter, is_gone, is_hooked, load_module, microseconds,
    never_early, read, task, unload_module,
};
use crate::call_count;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::kernel::Line;
use vorrang_guest::{Record, Step};

/// Tasks beside the urgent one.
const OTHERS: [usize; 4] = [0, 1, 50, 100];
/// Of the urgent task.
const JOBS: u32 = 600;
/// Of a task that does nothing but sleep.
const SLEEPS: u32 = 1000;
/// How often the module is loaded and unloaded beside a load.
const TIMES: usize = 20;
/// Of each task of that load: more than 60 s, as unloading waits for every thread (2.5 s).
const LASTING: u32 = 6500;

/// The urgent task beside so many others, whose timers expire all the time, each in its own rhythm.
fn beside(others: usize) -> Step {
    let urgent = task("urgent".to_owned(), 80, MS, JOBS, 200 * US);
    let other = |number: usize| {
        let period = 5 * MS + number as u64 * 37 * US;
        let jobs = u64::from(JOBS) * MS / period;
        task(format!("other-{number}"), 1, period, u32::try_from(jobs).unwrap_or(0), 1)
    };
    Step::MeanwhileOf {
        tasks: (0..others).map(other).chain([urgent]).collect(),
        told: vec!["urgent".to_owned()],
        steps: Vec::new(),
    }
}

/// The urgent task beside each number of others, and a task that only sleeps.
pub(crate) fn steps() -> Vec<Step> {
    let one = |others| [read(INTERRUPTS), beside(others), read(INTERRUPTS)];
    let sleeps = task("sleeps".to_owned(), 80, 200 * US, SLEEPS, 1);
    OTHERS.into_iter().flat_map(one).chain([Step::Load { tasks: vec![sleeps] }]).collect()
}

/// The module is loaded and unloaded, again and again, while threads sleep.
pub(crate) fn loaded_beside_a_load() -> Vec<Step> {
    let again = [load_module("cpus=0"), Step::Sleep { time: 20 * MS }, read(HELD), unload_module()];
    let background = (0_u32..20).map(|number| {
        let period = 10 * MS + u64::from(number) * 37 * US;
        task(format!("rhythm-{number}"), 5 + number, period, LASTING, 200 * US)
    });
    vec![Step::MeanwhileOf {
        tasks: background.collect(),
        told: Vec::new(),
        steps: std::iter::repeat_n(again, TIMES).flatten().collect(),
    }]
}

/// The longest responses of the urgent task, in the order of the runs.
fn longest(evidence: &Evidence) -> Vec<u64> {
    let of_urgent = |record: &Record| match record {
        Record::Jobs { task, jobs, .. } if task == "urgent" => {
            jobs.iter().map(|job| job.finish - job.release).max()
        }
        _ => None,
    };
    evidence.records.iter().filter_map(of_urgent).collect()
}

/// The responses, interrupts and costs of the three runs.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let responses = longest(evidence);
    let runs: Vec<&[u64]> = responses.chunks(OTHERS.len()).collect();
    let names = ["without the module", "with it", "after it is gone"];
    for (name, run) in names.iter().zip(&runs) {
        let shown: Vec<String> = run.iter().copied().map(microseconds).collect();
        checks.push(Check::new(
            format!("{name}: all jobs, longest response beside {OTHERS:?} others [us]"),
            shown.join(", "),
            run.len() == OTHERS.len(),
        ));
    }
    if let [off, on, gone] = runs.as_slice() {
        let (none, all) =
            (on.first().copied().unwrap_or(0), on.last().copied().unwrap_or(u64::MAX));
        // Without PREEMPT_RT what begins before its timer expires is not preempted.
        let real_time = evidence.line().and_then(Line::named).is_some_and(Line::is_real_time);
        let most = if real_time { 20 } else { 50 };
        checks.push(Check::new(
            "with it, 100 others make the longest response longer by 2 % at most (1 % in most images), by 5 % without PREEMPT_RT",
            format!("{} thousandths", all.saturating_sub(none) * 1000 / none.max(1)),
            all.saturating_sub(none) * 1000 <= none * most,
        ));
        let last = |run: &[u64]| run.last().copied().unwrap_or(0);
        checks.push(Check::new(
            "without it, and after it is gone, they make it longer by more than 1 %",
            format!("{} and {} us", microseconds(last(off)), microseconds(last(gone))),
            last(off).min(last(gone)) * 100 > none * 101,
        ));
    }
    interrupts(evidence, &mut checks);
    costs(evidence, &mut checks);
    checks.push(never_early(evidence));
    hooks(evidence, &mut checks);
    checks
}

/// What the kernel charges a thread for going to sleep and waking up, alone on its processor.
fn costs(evidence: &Evidence, checks: &mut Vec<Check>) {
    let of_sleeps = |record: &Record| match record {
        Record::Jobs { task, charged, .. } if task == "sleeps" => Some(charged / u64::from(SLEEPS)),
        _ => None,
    };
    let charged: Vec<u64> = evidence.records.iter().filter_map(of_sleeps).collect();
    let holds = matches!(charged.as_slice(), [off, on, _] if on * 4 <= off * 5);
    checks.push(Check::new(
        "a sleep takes, on average, without the module, with it and after it is gone [ns]; at most 25 % more",
        format!("{charged:?}"),
        holds,
    ));
}

/// Timer interrupts of the runs: what is held back comes in batches.
fn interrupts(evidence: &Evidence, checks: &mut Vec<Check>) {
    let numbers: Vec<u64> =
        evidence.texts(INTERRUPTS).filter_map(call_count::local_timer).collect();
    let grown: Vec<u64> = numbers
        .chunks(2)
        .map(|pair| pair.last().unwrap_or(&0) - pair.first().unwrap_or(&0))
        .collect();
    let of_run: Vec<&[u64]> = grown.chunks(OTHERS.len()).collect();
    let seen: Vec<String> = of_run.iter().map(|run| format!("{run:?}")).collect();
    let last = |run: usize| of_run.get(run).and_then(|run| run.last()).copied();
    checks.push(Check::new(
        "timer interrupts of the runs; beside 100 others fewer with the module than without it",
        seen.join(", "),
        last(1).is_some() && last(1) < last(0) && last(1) < last(2),
    ));
}

/// The arming function is taken over while the module is there, and only then.
fn hooks(evidence: &Evidence, checks: &mut Vec<Check>) {
    let hooked: Vec<bool> = evidence.texts(HOOKED).map(is_hooked).collect();
    checks.push(Check::new(
        "the kernel's function is taken over while the module is there, and only then",
        format!("{hooked:?}"),
        hooked == [false, true, false, false],
    ));
    let held = evidence.texts(HELD).count();
    checks.push(Check::new(
        format!("it was loaded and unloaded {} times, {TIMES} of them beside a load", TIMES + 1),
        held.to_string(),
        is_gone(evidence) && held == TIMES + 1,
    ));
    let last = evidence.texts(HELD).last().unwrap_or_default();
    checks.push(Check::new(
        "it held timers each time",
        last.lines().nth(1).unwrap_or("nothing").to_owned(),
        evidence.texts(HELD).all(|text| counter(text, 0, "held") > Some(0)),
    ));
}
