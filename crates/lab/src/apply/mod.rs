//! What scenarios of `vorrang apply`, `status` and `restore` expect besides what the commands say.

mod network;
mod shield;
mod shown;

use network::{most_of_its_budget, ran_or_moved};
use shield::{installed, shielded_while_applied, unused};
use shown::shown;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::written::Scenario;
use vorrang_guest::Record;

const MS: u64 = 1_000_000;

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "faults" => faults(evidence),
        "most-of-its-budget" => vec![most_of_its_budget(evidence)],
        "of-util-linux" => vec![of_util_linux(evidence)],
        "ran-or-moved" => ran_or_moved(evidence),
        "runtime-is-kept" => runtime_is_kept(evidence).into_iter().collect(),
        "shielded-while-applied" => shielded_while_applied(evidence),
        "shown" => shown(of, evidence).into_iter().collect(),
        _ => return None,
    })
}

/// Files that are built in this family.
pub(crate) fn built(name: &str, kernel: &Kernel) -> Option<Result<Vec<File>, Failure>> {
    let file = match name {
        "timer-shield-installed" => installed(kernel),
        "timer-shield-unused" => unused(kernel),
        _ => return None,
    };
    Some(file.map(|file| vec![file]))
}

/// Where apply sets the feature stretches end with the runtime, but for one in ten: kernels lose the timer now
/// and then (docs/apply.md). Of those whose ends wait for the tick more are longer, or this saw nothing.
fn runtime_is_kept(evidence: &Evidence) -> Option<Check> {
    const RUNTIME: u64 = 2 * MS;
    const TOLERANCE: u64 = 50_000;
    let sets = |record: &Record| matches!(record, Record::Ran { output, .. } if output.contains("write \"HRTICK_DL\""));
    evidence.records.iter().find(|record| sets(record))?;
    let runs: Vec<_> = evidence.schedule.runs_of("reserved").collect();
    // While the trace is switched on the kernel's own code is changed, which holds up its timers.
    let begin = runs.get(1).map_or(0, |run| run.begin);
    let lengths = |from: u64, to: u64| -> Vec<u64> {
        let of_interval =
            runs.iter().filter(|run| begin + from <= run.begin && run.end <= begin + to);
        of_interval.map(|run| run.end - run.begin).collect()
    };
    let late =
        |lengths: &[u64]| lengths.iter().filter(|&&length| length > RUNTIME + TOLERANCE).count();
    let (by_timer, by_tick) = (lengths(0, 290 * MS), lengths(330 * MS, 580 * MS));
    let seen = |lengths: &[u64]| {
        let longest = lengths.iter().max().unwrap_or(&0);
        format!(
            "{} of {} stretches too long, the longest {longest} ns",
            late(lengths),
            lengths.len()
        )
    };
    let reached = by_timer.iter().any(|&length| length > RUNTIME - TOLERANCE);
    let holds =
        reached && late(&by_timer) * 10 <= by_timer.len() && late(&by_tick) * 10 > by_tick.len();
    let seen = format!("{}; without HRTICK_DL {}", seen(&by_timer), seen(&by_tick));
    Some(Check::new("runtimes end when they are used up", seen, holds))
}

/// Calls that apply, and restore, make at least.
const FEWEST: u32 = 40;

/// Whatever happened to a command at any of its calls, what undoes it returned the machine to what it was, twice in a row.
fn faults(evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let (mut all, mut expected, mut tried) = (0, 0, 0);
    for record in &evidence.records {
        match record {
            Record::Calls { all: of, stride } => {
                all += *of;
                expected += of.div_ceil(*stride);
            }
            Record::Fault { at, call, exit, restored, differences, said } => {
                tried += 1;
                if *restored != [0, 0] || !differences.is_empty() {
                    let what = format!(
                        "call {at}, {call}, exit code {exit}: restore ends with 0, twice, and nothing differs"
                    );
                    let seen = format!("{restored:?} {} {said}", differences.join("; "));
                    checks.push(Check::new(what, seen, false));
                }
            }
            _ => {}
        }
    }
    let seen = format!("{tried} of {all}");
    let holds = all >= FEWEST && tried == expected;
    checks.push(Check::new("calls at which it was tried", seen, holds));
    checks
}

/// The programs of the host are those that exported lines are for.
fn of_util_linux(evidence: &Evidence) -> Check {
    let both = ["chrt from util-linux", "taskset from util-linux"];
    let is_said = evidence.records.iter().any(|record| {
        matches!(record, Record::Ran { output, .. } if both.iter().all(|one| output.contains(one)))
    });
    Check::new("chrt and taskset are those of util-linux", is_said.to_string(), is_said)
}
