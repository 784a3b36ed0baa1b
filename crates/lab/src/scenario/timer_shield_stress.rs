//! The shield beside everything that happens to a machine: a processor goes off and on, civil time is set forth and back,
//! the shield of a processor ends and begins, and the module is loaded and unloaded, while threads sleep.

use super::timer_shield::{
    self, HELD, HOOKED, MODULES, NAME, counter, listen, load_module, never_early, no_warning, read,
    task, unload_module,
};
use super::{Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Action, LoadedTask, Meddling, Plan, Record, Scene, Step};

const US: u64 = 1000;
const MS: u64 = 1000 * US;
/// How often everything happens.
const TIMES: usize = 20;
/// In so many of the rounds the module's file is read: after 1,000 texts in one go the driver of the serial port complains
/// about its interrupts in the log.
const LOOKS: usize = TIMES;
/// The same in `all`.
const TIMES_IN_FULL: usize = 1_000;
/// The load of the latter: fewer threads with less to do, so that unloading, which waits for every thread to wake up
/// once, waits for milliseconds.
const LIGHT: Load = Load { threads: 6, period: 2 * MS, sleeps: 150_000, work: 5 * US };
/// A thread sleeps this often within all the rounds.
const LOAD: Load = Load { threads: 20, period: 5 * MS, sleeps: 2_500, work: 50 * US };

/// Threads that sleep meanwhile.
#[derive(Clone, Copy)]
struct Load {
    threads: u32,
    /// Of the first; that of each is longer than the one before.
    period: u64,
    /// Of each.
    sleeps: u32,
    work: u64,
}

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "timer-shield-stress",
        shows: "no sleep is lost while the shield comes and goes, and a processor with it, and clocks are set",
        machine: Machine { cpus: 2, ..Machine::default() },
        plan: || plan(TIMES, LOAD),
        checks: |evidence| checks(TIMES, LOAD, evidence),
        ..timer_shield::scenario()
    }
}

pub(super) fn in_full() -> Scenario {
    Scenario {
        name: "timer-shield-stress-1000",
        shows: "the same a thousand times",
        in_ci: &[],
        plan: || plan(TIMES_IN_FULL, LIGHT),
        checks: |evidence| checks(TIMES_IN_FULL, LIGHT, evidence),
        ..scenario()
    }
}

fn plan(times: usize, load: Load) -> Plan {
    const ONLINE: &str = "/sys/devices/system/cpu/cpu1/online";
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
        load_module("cpus=0-1 max_defer=20000000"),
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
    let tasks = (0..load.threads).map(|number| LoadedTask {
        cpu: Some(number as usize % 2),
        ..task(
            format!("rhythm-{number}"),
            5 + number,
            load.period + u64::from(number) * 37 * US,
            load.sleeps,
            load.work,
        )
    });
    let stress = Step::MeanwhileOf {
        tasks: tasks.collect(),
        told: Vec::new(),
        steps: (0..times).flat_map(round).collect(),
    };
    Plan { steps: vec![listen(), stress, read(HOOKED), read(MODULES)] }
}

fn checks(times: usize, load: Load, evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), no_warning(evidence)];
    never_early(evidence, &mut checks);
    let of_all = evidence.records.iter().find_map(|record| match record {
        Record::Others { tasks, jobs, .. } => Some((*tasks, *jobs)),
        _ => None,
    });
    let threads = u64::from(load.threads);
    checks.push(Check::new(
        "all sleeps of all threads end",
        format!("{of_all:?}"),
        of_all == Some((threads, threads * u64::from(load.sleeps))),
    ));
    let held = || evidence.texts(HELD).filter_map(|text| counter(text, 0, "held"));
    checks.push(Check::new(
        format!("timers that were held, in {LOOKS} of {times} rounds"),
        held().sum::<u64>().to_string(),
        held().count() == LOOKS && held().all(|held| held > 0),
    ));
    let gone = evidence.texts(HOOKED).all(|text| !text.contains("hrtimer_start_range_ns"))
        && evidence.texts(MODULES).all(|text| !text.contains(NAME));
    checks.push(Check::new("it is gone at the end", gone.to_string(), gone));
    checks
}
