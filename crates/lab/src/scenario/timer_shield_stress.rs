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
/// How often everything happens, and the sleeps of each thread meanwhile.
const TIMES_UNDER_STRESS: usize = 10;
const SLEEPS_UNDER_STRESS: u32 = 6000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "timer-shield-stress",
        shows: "no sleep is lost while the shield comes and goes, and a processor with it, and clocks are set",
        machine: Machine { cpus: 2, ..Machine::default() },
        plan: plan_of_stress,
        checks: checks_of_stress,
        ..timer_shield::scenario()
    }
}

fn plan_of_stress() -> Plan {
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
        read(HELD),
        unload_module(),
    ];
    let tasks = (0_u32..30).map(|number| LoadedTask {
        cpu: Some(number as usize % 2),
        ..task(
            format!("rhythm-{number}"),
            5 + number,
            6 * MS + u64::from(number) * 37 * US,
            SLEEPS_UNDER_STRESS,
            100 * US,
        )
    });
    let stress = Step::MeanwhileOf {
        tasks: tasks.collect(),
        told: Vec::new(),
        steps: std::iter::repeat_n(once, TIMES_UNDER_STRESS).flatten().collect(),
    };
    Plan { steps: vec![listen(), stress, read(HOOKED), read(MODULES)] }
}

fn checks_of_stress(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), no_warning(evidence)];
    never_early(evidence, &mut checks);
    let of_all = evidence.records.iter().find_map(|record| match record {
        Record::Others { tasks, jobs, .. } => Some((*tasks, *jobs)),
        _ => None,
    });
    checks.push(Check::new(
        "all sleeps of all threads end",
        format!("{of_all:?}"),
        of_all == Some((30, 30 * u64::from(SLEEPS_UNDER_STRESS))),
    ));
    let held = || evidence.texts(HELD).filter_map(|text| counter(text, 0, "held"));
    checks.push(Check::new(
        format!("timers that were held, {TIMES_UNDER_STRESS} times"),
        held().sum::<u64>().to_string(),
        held().count() == TIMES_UNDER_STRESS && held().all(|held| held > 0),
    ));
    let gone = evidence.texts(HOOKED).all(|text| !text.contains("hrtimer_start_range_ns"))
        && evidence.texts(MODULES).all(|text| !text.contains(NAME));
    checks.push(Check::new("it is gone at the end", gone.to_string(), gone));
    checks
}
