//! The cases of `timer_shield_threads`: a scene each, and the expected observations.

use super::timer_shield::{HELD, load_module, unload_module};
use vorrang_guest::{
    Action, Clock, LoadedTask, Meddling, Policy, Scene, Sleeper, Step, Urgent, Work,
};

pub(super) const US: u64 = 1000;
const MS: u64 = 1000 * US;
/// The processor that is shielded.
pub(super) const CPU: usize = 1;
/// For how long the urgent thread computes.
const BUSY: u64 = 10 * MS;
/// When the sleeper's instant is.
const DUE: u64 = MS;
/// When something happens.
const THEN: u64 = 3 * MS;
const ONLINE: &str = "/sys/devices/system/cpu/cpu1/online";
const MAX_DEFER: &str = "/sys/module/timer_shield/parameters/max_defer";
const SUSPEND: &str = "/sys/power/state";
/// How often it was.
pub(super) const SUSPENDED: &str = "/sys/power/suspend_stats/success";
/// How far the kernel goes before it comes back, instead of waiting for somebody to wake it.
const SUSPEND_UNTIL: &str = "/sys/power/pm_test";
/// More than fire in one go.
const MANY: u64 = 40;
const BATCH: u64 = 16;

/// When a thread of a case must run again.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    /// When the urgent one has computed.
    Afterwards,
    /// At this instant, though the urgent one computes.
    At(u64),
    /// At this instant or later, as nothing else is stated.
    NotBefore(u64),
}

/// A case.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) scene: Scene,
    /// Of every thread that sleeps.
    pub(super) expected: Expected,
    /// By how much counters of the module grow, at least and at most.
    pub(super) counters: &'static [(&'static str, u64, u64)],
    /// How many timers the file shows whenever it is read during the scene.
    pub(super) shown: &'static [usize],
    /// What is done before the scene.
    pub(super) before: Vec<Step>,
    /// And after it.
    pub(super) after: Vec<Step>,
}

impl Case {
    fn new(name: &'static str, scene: Scene, expected: Expected) -> Self {
        Self {
            name,
            scene,
            expected,
            counters: &[],
            shown: &[],
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    fn counting(self, counters: &'static [(&'static str, u64, u64)]) -> Self {
        Self { counters, ..self }
    }

    fn showing(self, shown: &'static [usize]) -> Self {
        Self { shown, ..self }
    }

    fn between(self, before: impl Into<Vec<Step>>, after: impl Into<Vec<Step>>) -> Self {
        Self { before: before.into(), after: after.into(), ..self }
    }
}

fn sleeper(name: &str, policy: Policy) -> Sleeper {
    let (name, cpu, clock) = (name.to_owned(), Some(CPU), Clock::Monotonic);
    Sleeper { name, cpu, policy, clock, until: DUE, parks: false, wants: false, roams: false }
}

fn write(path: &str, text: &str) -> Step {
    Step::Write { path: path.to_owned(), text: text.to_owned() }
}

fn beside(policy: Policy, sleepers: Vec<Sleeper>) -> Scene {
    let urgent = Some(Urgent { cpu: CPU, policy, time: BUSY });
    Scene { urgent, sleepers, from: CPU, ..Scene::default() }
}

fn usual() -> Scene {
    beside(Policy::Fifo(80), vec![sleeper("sleeper", Policy::Fifo(10))])
}

fn then(mut scene: Scene, what: Action) -> Scene {
    scene.meddling.push(Meddling { after: THEN, what });
    scene
}

fn look(mut scene: Scene, after: u64) -> Scene {
    scene.meddling.push(Meddling { after, what: Action::Read { path: HELD.to_owned() } });
    scene.meddling.sort_by_key(|meddling| meddling.after);
    scene
}

// Timers that are held are those that sleepers sleep on, and the urgent thread's until the scene begins, if it is not under
// SCHED_DEADLINE, and one for each thing that happens from the same processor; the latter are taken away where it is compared.
const HELD_BACK: &[(&str, u64, u64)] = &[("held", 1, 1), ("held-back", 1, 1), ("overdue", 0, 0)];
const LET_THROUGH: &[(&str, u64, u64)] = &[("held", 1, 1), ("held-back", 0, 0), ("moved", 0, 0)];
const LEFT_ALONE: &[(&str, u64, u64)] = &[("held", 0, 0), ("held-back", 0, 0)];
const MANY_HELD_BACK: &[(&str, u64, u64)] =
    &[("held", MANY, MANY), ("held-back", MANY, MANY), ("interrupts", MANY.div_ceil(BATCH), 10)];
const MOVED: &[(&str, u64, u64)] = &[("held", 1, 1), ("moved", 1, 2)];
const BOTH_HELD: &[(&str, u64, u64)] = &[("held", 2, 2), ("moved", 1, 2)];

fn policies() -> Vec<Case> {
    let (afterwards, at) = (Expected::Afterwards, Expected::At);
    let thread = || "sleeper".to_owned();
    let deadline =
        Policy::Deadline { runtime: 15 * MS, deadline: 30 * MS, period: 30 * MS, reclaims: false };
    let one = |policy| vec![sleeper("sleeper", policy)];
    let raised = Action::SetPolicy { thread: thread(), policy: Policy::Fifo(90) };
    let lowered = Action::SetPolicy { thread: "urgent".to_owned(), policy: Policy::Fifo(5) };
    let waits = Sleeper { until: THEN, wants: true, ..sleeper("waits", Policy::Fifo(90)) };
    let owner = sleeper("sleeper", Policy::Fifo(10));
    let lock = Scene { has_lock: true, ..beside(Policy::Fifo(80), vec![owner, waits]) };
    vec![
        Case::new("a less urgent timer waits", usual(), afterwards).counting(HELD_BACK),
        Case::new(
            "a more urgent timer does not",
            beside(Policy::Fifo(80), one(Policy::Fifo(90))),
            at(DUE),
        )
        .counting(LET_THROUGH),
        Case::new(
            "nor does one that is as urgent, though its owner waits",
            beside(Policy::Fifo(80), one(Policy::Fifo(80))),
            afterwards,
        )
        .counting(LET_THROUGH),
        Case::new("the sleeper becomes more urgent", then(usual(), raised), at(THEN))
            .counting(MOVED),
        Case::new("what runs becomes less urgent", then(usual(), lowered), at(THEN))
            .counting(HELD_BACK),
        Case::new("the sleeper inherits from who waits for its lock", lock, at(THEN))
            .counting(BOTH_HELD),
        Case::new(
            "what runs is under SCHED_DEADLINE, the sleeper has priority 99",
            beside(deadline, one(Policy::Fifo(99))),
            afterwards,
        )
        .counting(HELD_BACK),
        Case::new(
            "the sleeper is under SCHED_DEADLINE, what runs has priority 99",
            beside(Policy::Fifo(99), one(deadline)),
            at(DUE),
        )
        .counting(LEFT_ALONE),
    ]
}

/// What needs both processors. The emulator runs one at a time, and the machine bounds their turns: else one is told of
/// an interrupt up to several milliseconds late while the other computes (a thread that may run on both was once
/// woken 8.4 ms late without the module).
fn processors() -> Vec<Case> {
    let thread = || "sleeper".to_owned();
    let place = Action::Place { thread: thread(), cpu: 0 };
    let raised = Action::SetPolicy { thread: thread(), policy: Policy::Fifo(90) };
    let anywhere = Sleeper { cpu: None, ..sleeper("sleeper", Policy::Fifo(10)) };
    let off = Action::Write { path: ONLINE.to_owned(), text: "0".to_owned() };
    let later = Sleeper { until: 2 * BUSY, ..sleeper("sleeper", Policy::Fifo(10)) };
    let alone = |sleeper| Scene { sleepers: vec![sleeper], ..Scene::default() };
    vec![
        Case::new(
            "the sleeper is moved to another processor",
            look(then(usual(), place), THEN + MS),
            Expected::At(THEN),
        )
        .counting(MOVED)
        .showing(&[0]),
        Case::new(
            "the sleeper becomes more urgent, by a thread on another processor",
            Scene { from: 0, ..then(usual(), raised) },
            Expected::At(THEN),
        )
        .counting(MOVED),
        Case::new(
            "a thread that may run on both processors is left alone",
            beside(Policy::Fifo(80), vec![anywhere]),
            Expected::At(DUE),
        )
        .counting(LEFT_ALONE),
        Case::new(
            "an idle processor shields no thread",
            alone(sleeper("sleeper", Policy::Fifo(10))),
            Expected::At(DUE),
        )
        .counting(LET_THROUGH),
        Case::new("the processor goes off", then(alone(later), off), Expected::NotBefore(2 * BUSY)),
    ]
}

fn timers() -> Vec<Case> {
    let on = |(number, clock): (u64, Clock)| Sleeper {
        name: format!("clock-{number}"),
        until: DUE * (number + 1),
        clock,
        ..sleeper("", Policy::Fifo(10))
    };
    let clocks = [Clock::Monotonic, Clock::Realtime, Clock::Boottime, Clock::Tai];
    let far = Sleeper {
        until: 1_000_000 * MS,
        clock: Clock::Realtime,
        ..sleeper("sleeper", Policy::Fifo(10))
    };
    let step = Action::StepClock { by: 2_000_000_000_000 };
    let many = (0..MANY).map(|number| Sleeper {
        until: DUE + number * US,
        ..sleeper(&format!("many-{number}"), Policy::Fifo(10))
    });
    let parked = |name, until| Sleeper { until, parks: true, ..sleeper(name, Policy::Fifo(10)) };
    let mut cancelled = beside(Policy::Fifo(80), vec![parked("due", DUE), parked("far", 100 * MS)]);
    for name in ["due", "far"] {
        cancelled = then(cancelled, Action::Unpark { thread: name.to_owned() });
    }
    vec![
        Case::new(
            "timers of four clocks wait",
            beside(Policy::Fifo(80), (0_u64..).zip(clocks).map(on).collect()),
            Expected::Afterwards,
        )
        .counting(&[("held", 4, 4), ("held-back", 4, 4)]),
        Case::new(
            "civil time is set to after the timer's instant",
            then(beside(Policy::Fifo(80), vec![far]), step),
            Expected::Afterwards,
        )
        .counting(HELD_BACK),
        Case::new(
            "40 timers fire, 16 in one go at most",
            beside(Policy::Fifo(80), many.collect()),
            Expected::Afterwards,
        )
        .counting(MANY_HELD_BACK),
        Case::new(
            "threads are woken while their timers are held",
            look(look(cancelled, DUE / 2), BUSY + MS),
            Expected::Afterwards,
        )
        // Of two things at one instant 7.2 does not hold the timer of the second: its instant has passed.
        .counting(&[("held", 1, 2), ("held-back", 0, 1)])
        .showing(&[2, 0]),
    ]
}

fn limited() -> Case {
    let scene = look(look(look(usual(), DUE / 2), 2 * DUE), 5 * DUE);
    Case::new("a timer waits for 2 ms at most", scene, Expected::Afterwards)
        .counting(&[("held", 1, 1), ("held-back", 1, 1), ("overdue", 1, 1)])
        .showing(&[1, 1, 0])
        .between([write(MAX_DEFER, "2000000")], [write(MAX_DEFER, "0")])
}

fn again() -> Case {
    let name = "the processor is on again, and a less urgent timer waits";
    Case::new(name, usual(), Expected::Afterwards)
        .counting(HELD_BACK)
        .between([write(ONLINE, "1")], [])
}

/// Sleeps that end before their instants, or never do.
fn ended() -> Vec<Case> {
    let signal = || Action::Signal { thread: "sleeper".to_owned() };
    let far = Sleeper { until: 100 * MS, ..sleeper("sleeper", Policy::Fifo(10)) };
    let urgent_sleeper = Sleeper { until: 100 * MS, ..sleeper("sleeper", Policy::Fifo(90)) };
    // Three threads of another process sleep when the scene begins; their timers expire while the urgent one computes, and
    // at 3 ms their process is killed.
    let sleeps = |number: u32| LoadedTask {
        name: format!("killed-{number}"),
        cpu: Some(CPU),
        policy: Policy::Fifo(10 + number),
        offset: 0,
        period: MS / 2,
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
        .counting(&[("held", 1, 1), ("held-back", 0, 0)])
        .showing(&[0]),
        Case::new(
            "a signal ends the sleep of a more urgent one",
            look(then(beside(Policy::Fifo(80), vec![urgent_sleeper]), signal()), THEN + MS),
            Expected::At(THEN),
        )
        .counting(LET_THROUGH)
        .showing(&[0]),
        Case::new(
            "a signal ends a sleep whose timer is held back",
            look(then(usual(), signal()), BUSY + MS),
            Expected::Afterwards,
        )
        .showing(&[0]),
        Case::new(
            "a process is killed whose threads' timers are held back",
            look(look(killed, 2 * DUE), BUSY + 2 * MS),
            Expected::Afterwards,
        )
        .showing(&[3, 0])
        .between([load, Step::Sleep { time: 100 * MS }], []),
    ]
}

fn whole_machine() -> Vec<Case> {
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

pub(super) fn cases() -> Vec<Case> {
    let mut cases = policies();
    cases.extend(timers());
    cases.push(limited());
    cases.extend(ended());
    cases.extend(processors());
    cases.push(again());
    cases.extend(whole_machine());
    cases
}
