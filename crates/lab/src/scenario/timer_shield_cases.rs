//! The cases of `timer_shield_threads`: a scene each, and the expected observations.

use super::timer_shield_case::{
    BUSY, Case, DUE, Expected, HELD_BACK, LET_THROUGH, MS, THEN, US, beside, look, sleeper, then,
    usual, write,
};
use super::timer_shield_ends::{ended, whole_machine};
use vorrang_guest::{Action, Clock, Policy, Scene, Sleeper};

const ONLINE: &str = "/sys/devices/system/cpu/cpu1/online";
const MAX_DEFER: &str = "/sys/module/timer_shield/parameters/max_defer";
/// More than fire in one go.
const MANY: u64 = 40;
const BATCH: u64 = 16;

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
