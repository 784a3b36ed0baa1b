//! Cases of `timer_shield_threads` in which sleeps end before their instants, or never do, and those of the whole machine.

use super::timer_shield::{load_module, unload_module};
use super::timer_shield_case::{
    BUSY, CPU, Case, DUE, Expected, HELD_BACK, MS, THEN, US, beside, look, sleeper, then, usual,
    write,
};
use vorrang_guest::{Action, LoadedTask, Policy, Scene, Sleeper, Step, Work};

const SUSPEND: &str = "/sys/power/state";
/// How often it was.
pub(super) const SUSPENDED: &str = "/sys/power/suspend_stats/success";
/// How far the kernel goes before it comes back, instead of waiting for a device that wakes it.
const SUSPEND_UNTIL: &str = "/sys/power/pm_test";

/// Sleeps that end before their instants, or never do.
pub(super) fn ended() -> Vec<Case> {
    let signal = || Action::Signal { thread: "sleeper".to_owned() };
    let far = Sleeper { until: 100 * MS, ..sleeper("sleeper", Policy::Fifo(10)) };
    let urgent_sleeper = Sleeper { until: 100 * MS, ..sleeper("sleeper", Policy::Fifo(90)) };
    // Three threads of another process have slept for long when the scene begins, and at 3 ms their process is killed.
    let sleeps = |number: u32| LoadedTask {
        name: format!("killed-{number}"),
        cpu: Some(CPU),
        policy: Policy::Fifo(10 + number),
        offset: 0,
        period: 10_000 * MS,
        jobs: u32::MAX,
        work: Work::Compute(US),
    };
    let load = Step::StartLoad { tasks: (0..3).map(sleeps).collect(), until: 0 };
    let kill = Action::Kill { process: "load".to_owned() };
    let killed = Scene { sleepers: Vec::new(), from: 0, ..then(usual(), kill) };
    vec![
        Case::new(
            "a signal ends a sleep whose timer is held and not due: its owner still waits",
            look(then(beside(Policy::Fifo(80), vec![far]), signal()), BUSY + MS),
            Expected::Afterwards,
        )
        .counting(&[("held", 1, 1)])
        .showing(&[0]),
        Case::new(
            "a signal ends the sleep of a more urgent one",
            look(then(beside(Policy::Fifo(80), vec![urgent_sleeper]), signal()), THEN + MS),
            Expected::At(THEN),
        )
        .showing(&[0]),
        Case::new(
            "a signal ends a sleep whose timer is held back",
            look(then(usual(), signal()), BUSY + MS),
            Expected::Afterwards,
        )
        .showing(&[0]),
        Case::new(
            "a process is killed whose threads' timers are held",
            look(look(killed, 2 * DUE), BUSY + 2 * MS),
            Expected::Afterwards,
        )
        .showing(&[3, 0])
        .between([load, Step::Sleep { time: 100 * MS }], []),
    ]
}

pub(super) fn whole_machine() -> Vec<Case> {
    let roaming = Sleeper { roams: true, ..sleeper("sleeper", Policy::Fifo(10)) };
    let suspend = Action::Write { path: SUSPEND.to_owned(), text: "mem".to_owned() };
    let suspended = Scene { from: 0, ..then(usual(), suspend) };
    vec![
        Case::new(
            "the same with `several`: it waits, though the other processor is idle",
            beside(Policy::Fifo(80), vec![roaming]),
            Expected::Afterwards,
        )
        .counting(HELD_BACK)
        .between(
            [unload_module(), load_module("cpus=1 several=1")],
            [unload_module(), load_module("cpus=1")],
        ),
        Case::new("the machine is suspended", suspended, Expected::NotBefore(DUE))
            .between([write(SUSPEND_UNTIL, "core")], [Step::Read { path: SUSPENDED.to_owned() }]),
        Case::new(
            "it is awake again, and a less urgent timer waits",
            usual(),
            Expected::Afterwards,
        )
        .counting(HELD_BACK),
    ]
}
