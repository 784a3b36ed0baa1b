//! The shield beside everything that happens to a machine: a processor goes off and on, civil time is set forth and back,
//! the shield of a processor ends and begins, and the module is loaded and unloaded, while threads sleep.

use super::module::{
    HELD, HOOKED, MS, US, counter, is_gone, is_hooked, load_module, never_early, read, task,
    unload_module,
};
use crate::check::Check;
use crate::data::ns;
use crate::evidence::Evidence;
use crate::written::Scenario;
use serde::Deserialize;
use vorrang_guest::{Action, LoadedTask, ManyTimers, Meddling, Policy, Record, Scene, Step, Told};

/// In so many of the rounds the module's file is read: after 1,000 texts in one go the driver of the serial port complains
/// about its interrupts in the log.
const LOOKS: usize = 20;

const ONLINE: &str = "/sys/devices/system/cpu/cpu1/online";

/// How often everything happens, and the threads that sleep meanwhile.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stress {
    times: usize,
    threads: u32,
    /// Of the first; that of each is longer than the one before.
    #[serde(deserialize_with = "ns")]
    period: u64,
    /// Of each, within all the rounds.
    sleeps: u32,
    #[serde(deserialize_with = "ns")]
    work: u64,
    /// Whether timers that no thread sleeps on are armed, disarmed and closed meanwhile, and held.
    #[serde(default)]
    files: bool,
}

/// Timers of a program without privileges, half of them disarmed at any time.
const FILES: ManyTimers = ManyTimers {
    cpu: 1,
    policy: Policy::Other,
    number: 200,
    period: 5 * MS,
    apart: 37 * US,
    told: Told::File,
    unprivileged: true,
    meddles: true,
};

/// All rounds beside the threads, and timers.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let Stress { files, .. } = of.given("stress");
    if !files {
        return vec![step(of)];
    }
    vec![Step::StartTimers { timers: FILES }, step(of), Step::EndTimers]
}

fn step(of: &Scenario) -> Step {
    let Stress { times, threads, period, sleeps, work, files } = of.given("stress");
    let write =
        |path: &str, text: &str| Step::Write { path: path.to_owned(), text: text.to_owned() };
    let set_clock = |by| Step::Play {
        scene: Scene {
            meddling: vec![Meddling { after: 0, what: Action::StepClock { by } }],
            ..Scene::default()
        },
    };
    let pause = Step::Sleep { time: 30 * MS };
    let once = [
        load_module(if files { "cpus=0-1 unprivileged=1" } else { "cpus=0-1 max_defer=20000000" }),
        pause.clone(),
        write(ONLINE, "0"),
        set_clock(1_000_000_000_000),
        pause.clone(),
        write(ONLINE, "1"),
        write("/sys/module/timer_shield/parameters/cpus", "0"),
        set_clock(-1_000_000_000_000),
        pause.clone(),
        write("/sys/module/timer_shield/parameters/cpus", "0-1"),
        pause,
    ];
    let round = |number: usize| {
        let look = number.is_multiple_of(times / LOOKS).then(|| read(HELD));
        once.iter().cloned().chain(look).chain([unload_module()]).collect::<Vec<_>>()
    };
    let tasks = (0..threads).map(|number| LoadedTask {
        cpu: Some(number as usize % 2),
        ..task(
            format!("rhythm-{number}"),
            5 + number,
            period + u64::from(number) * 37 * US,
            sleeps,
            work,
        )
    });
    Step::MeanwhileOf {
        tasks: tasks.collect(),
        told: Vec::new(),
        steps: (0..times).flat_map(round).collect(),
    }
}

/// All sleeps end, and none early.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let Stress { times, threads, sleeps, files, .. } = of.given("stress");
    let mut checks = vec![never_early(evidence)];
    let of_all = evidence.records.iter().find_map(|record| match record {
        Record::Others { tasks, jobs, .. } => Some((*tasks, *jobs)),
        _ => None,
    });
    let threads = u64::from(threads);
    checks.push(Check::new(
        "all sleeps of all threads end",
        format!("{of_all:?}"),
        of_all == Some((threads, threads * u64::from(sleeps))),
    ));
    let held = || evidence.texts(HELD).filter_map(|text| counter(text, 0, "held"));
    checks.push(Check::new(
        format!("timers that were held, in {LOOKS} of {times} rounds"),
        held().sum::<u64>().to_string(),
        held().count() == LOOKS && held().all(|held| held > 0),
    ));
    if files {
        let expired = evidence.records.iter().find_map(|record| match record {
            Record::Expired { times } => Some(*times),
            _ => None,
        });
        let of_files =
            evidence.texts(HELD).filter_map(|text| counter(text, 1, "files")).sum::<u64>();
        checks.push(Check::new(
            "timers of files that expired, and those that were held",
            format!("{expired:?}, {of_files}"),
            expired > Some(10_000) && of_files > 1_000,
        ));
    }
    let gone = !evidence.texts(HOOKED).any(is_hooked) && is_gone(evidence);
    checks.push(Check::new("it is gone at the end", gone.to_string(), gone));
    checks
}
