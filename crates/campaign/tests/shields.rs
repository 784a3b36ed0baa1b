//! Timers that wait behind a shield until several have come together.
//!
//! **Model.** An urgent task, one that is less urgent and takes long, and timers of a third, whose periods are shorter than
//! that: they wait behind it and are handled one after the other when it ends. The urgent task is released around then, while a call decides for
//! something else, or while a timer waits for its longest deferral. A drawn system of a campaign rarely comes to this.

use crate::common::Longest;
use core::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

const SYSTEMS: u32 = 600;
const HISTORIES: u32 = 80;

/// A system with a scheduler, and the work of the task that timers wait for.
fn drawn(random: &mut Random) -> (System, u64) {
    let scheduler = random.one_of(&["fixed-priority", "linux"]);
    let [call, switch, entry, exit] = [4, 2, 3, 3].map(|most| random.below(most));
    let callback = random.below(4);
    let long = random.between(10, 60);
    let defer = random.one_of(&[None, None, Some(3), Some(15), Some(60), Some(200)]);
    let defer = defer
        .map_or(String::new(), |most| format!("max-defer = \"{}ns\"\n", random.between(1, most)));
    let linux = match scheduler {
        "linux" => format!("fair-server = \"none\"\nsections = \"{}ns\"\n", random.below(4)),
        _ => String::new(),
    };
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
         timer-expiry = \"{callback}ns\"\ninterrupt-entry = \"{entry}ns\"\ninterrupt-exit = \"{exit}ns\"\n\
         [core.0]\nscheduler = \"{scheduler}\"\ntimers = \"timershield\"\n{defer}{linux}"
    );
    let urgent = random.between(1, 30);
    let tasks = [("urgent", urgent, 9, 600), ("long", long, 5, 700), ("low", 2, 1, 5_000)];
    for (name, wcet, priority, period) in tasks {
        let _ = write!(
            text,
            "[task.{name}]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\npriority = {priority}\n"
        );
    }
    if random.chance(1, 3) {
        let (isr, every) = (random.between(1, 25), random.between(150, 900));
        let _ = write!(
            text,
            "[interrupt.i]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{every}ns\"\n"
        );
    }
    let around = entry + callback + exit;
    for number in 0..random.between(1, 3) {
        let by = random.one_of(&["low", "low", "long", "urgent"]);
        let every = random.between(6 * around + 4, 6 * around + 80);
        let _ =
            write!(text, "[timer.t{number}]\narmed-by = \"task.{by}\"\nperiod = \"{every}ns\"\n");
    }
    let system = read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    (system, long)
}

/// The long task comes once timers may wait, the urgent one around its end.
fn history(system: &System, long: u64, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    history.sections = Duration::from_ns(random.below(4));
    let start = random.between(0, 40);
    let others = random.below(60);
    for (task, own) in system.tasks.iter().zip(&mut history.tasks) {
        let at = match task.name.as_str() {
            "task.long" => start,
            "task.urgent" => start + random.between(0, long + others),
            _ => start + random.below(200),
        };
        *own = Arrivals::from(Instant::from_ns(at));
    }
    for own in &mut history.timers {
        *own = Arrivals::from(Instant::from_ns(start + random.below(20)));
    }
    for own in &mut history.interrupts {
        *own = Arrivals::from(Instant::from_ns(start + random.below(long + 20)));
    }
    history
}

#[test]
fn no_bound_is_exceeded_where_timers_wait_together() {
    let mut random = Random::new(7, 0);
    let (mut bounded, mut reached) = (0, 0);
    for _ in 0..SYSTEMS {
        let (system, long) = drawn(&mut random);
        let known = bounds(&system);
        let bound = |id| known.task(TaskId(id)).bound();
        let mut longest = Longest::new(&system);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..HISTORIES {
            let history = history(&system, long, &mut random);
            let end = Instant::from_ns(600);
            simulator.run(&history, end, &mut longest);
            for (id, seen) in longest.0.iter().enumerate() {
                assert!(
                    bound(id).is_none_or(|bound| *seen <= bound),
                    "{}: {seen} > {:?} in {history:?} of {system:#?}",
                    system.tasks[id].name,
                    bound(id)
                );
            }
        }
        bounded += usize::from(bound(0).is_some());
        reached +=
            longest.0.iter().enumerate().filter(|(id, seen)| bound(*id) == Some(**seen)).count();
    }
    assert!(bounded > 400 && reached > 20, "{reached} bounds of {bounded} systems are reached");
}
