//! Which parameters move.

use super::*;
use crate::parameter::described;
use vorrang_model::{Format, read};
use vorrang_time::Duration;

fn system(text: &str) -> System {
    let text = format!("version = 1\n{text}");
    read(&*text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

const CORE: &str = "[core.0]\nscheduler = \"fixed-priority\"\n";
const OTHER: &str = "[core.1]\nscheduler = \"fixed-priority\"\n[interrupt.far]\non = \"core.1\"\n\
                     isr = \"1us\"\nmin-interarrival = \"1ms\"\n";
const TASK: &str =
    "[task.t]\non = \"core.0\"\nwcet = \"1ms\"\nbcet = \"600us\"\nperiod = \"10ms\"\n";

#[test]
fn only_what_has_to_do_with_a_requirement_moves() {
    use Parameter::{AllWcets, Budget, ContextSwitch, InterruptRate, Period, TaskPeriod, Wcet};
    let of = |text: &str| parameters(&system(text), 0);
    let (wcet, server) = (Wcet(TaskId(0)), SupplyId(1));
    let period = TaskPeriod(TaskId(0), Way::Down);
    assert_eq!(of(&format!("{CORE}{TASK}")), [wcet, AllWcets, period]);
    // An interrupt of another core is no matter; one of this core, and a second member, are.
    assert_eq!(of(&format!("{CORE}{TASK}{OTHER}")), [wcet, AllWcets, period]);
    let near = OTHER.replace("core.1", "core.0").replace(CORE, "");
    let second = TASK.replace("task.t", "task.u");
    let both = format!("{CORE}{TASK}priority = 2\n{second}priority = 1\n{near}");
    assert_eq!(of(&both), [wcet, AllWcets, period, InterruptRate, ContextSwitch]);
    // The other slots of a core leave no place for another period; a share has neither.
    let inside = TASK.replace("core.0", "server.s");
    let within =
        |core: &str, keys: &str| format!("{core}[server.s]\non = \"core.0\"\n{keys}\n{inside}");
    let times = "budget = \"2ms\"\nperiod = \"5ms\"";
    let deferrable = within(CORE, &format!("server = \"deferrable\"\n{times}"));
    assert_eq!(of(&deferrable), [wcet, AllWcets, period, Budget(server), Period(server)]);
    let slots = CORE.replace("fixed-priority", "slots");
    let slot = within(&slots, &format!("server = \"slot\"\noffset = \"0s\"\n{times}"));
    assert_eq!(of(&slot), [wcet, AllWcets, period, Budget(server)]);
    let turns = CORE.replace("\"fixed-priority\"", "\"round-robin\"\nquantum = \"1ms\"");
    let share = within(&turns, "server = \"share\"");
    assert_eq!(of(&share), [wcet, AllWcets, period]);
    // Times that are chosen by chance have no longest one to move.
    let chance = TASK.replace("wcet = \"1ms\"\nbcet = \"600us\"", "execution = { \"1ms\" = 1 }");
    assert_eq!(of(&format!("{CORE}{chance}")), []);
}

/// What comes exactly a period apart has one number for both distances; what wakes it says how often another comes.
#[test]
fn of_what_arrives_that_moves_which_the_description_states() {
    use Parameter::{Latest, Offset, TaskPeriod};
    use Way::{Down, Up};
    const LATER: &str = "latest-interarrival = \"12ms\"\n";
    let task = |name: &str, more: &str| {
        let text = TASK.replace("task.t", &format!("task.{name}"));
        format!("{text}priority = 1\n{more}")
    };
    let of = |more: &str| {
        let path = "[chain.c]\npath = [\"task.t\", \"task.u\"]\nage = \"1s\"\n";
        let system = system(&format!("{CORE}{more}{path}"));
        let all = parameters(&system, system.requirements.len());
        let moves = |own: &Parameter| matches!(own, TaskPeriod(..) | Latest(_) | Offset(..));
        all.into_iter().filter(moves).collect::<Vec<_>>()
    };
    let (first, second) = (TaskId(0), TaskId(1));
    let (shorter, longer) = (TaskPeriod(first, Down), TaskPeriod(first, Up));
    let own = TaskPeriod(second, Down);
    // Of the first nothing longest is stated, of the second it is more than the least.
    let both = task("t", "") + &task("u", LATER);
    assert_eq!(of(&both), [shorter, Latest(second), own]);
    // Exactly a period apart, and by a clock that says nothing of the other one.
    let strict = task("t", "latest-interarrival = \"10ms\"\n") + &task("u", LATER);
    assert_eq!(of(&strict), [longer, shorter, Latest(second), own]);
    let clock = task("t", "offset = \"2ms\"\n") + &task("u", LATER);
    assert_eq!(of(&clock), [longer, shorter, Latest(second), own]);
    let clock = task("t", "offset = \"2ms\"\n") + &task("u", "offset = \"0s\"\n");
    let (later, sooner) = (Offset(first, Up), Offset(first, Down));
    let others = [TaskPeriod(second, Up), own, Offset(second, Up)];
    assert_eq!(of(&clock), [&[longer, shorter, later, sooner], &others[..]].concat());
    // A burst has no one period; what another one wakes comes with that.
    let burst = task("t", LATER)
        .replace("period = \"10ms\"", "min-distances = [\"1ms\", \"9ms\"]\ndeadline = \"10ms\"");
    assert_eq!(of(&(burst + &task("u", LATER))), [Latest(first), Latest(second), own]);
    let woken = task("u", "").replace("period = \"10ms\"\n", "");
    let waking = task("t", LATER) + "wakes = [\"task.u\"]\n";
    assert_eq!(of(&(waking + &woken)), [Latest(first), shorter]);
}

/// Beside a deadline that is stated as another time, one that is the period goes with it.
#[test]
fn a_period_takes_what_follows_from_it_along() {
    let with = |more: &str, value: u64| {
        let system = system(&format!("{CORE}{TASK}{more}"));
        let parameter = Parameter::TaskPeriod(TaskId(0), Way::Up);
        let of = described(&system, parameter, value).expect("it can be written").tasks[0].clone();
        let ms = |time: Duration| time.as_ns() / 1_000_000;
        [Some(of.min_interarrival), of.latest_interarrival, of.deadline].map(|own| own.map(ms))
    };
    let (now, most) = ("latest-interarrival = \"10ms\"\n", 12_000_000);
    assert_eq!(with(now, most), [Some(12), Some(12), Some(12)]);
    assert_eq!(with(&format!("{now}deadline = \"8ms\"\n"), most), [Some(12), Some(12), Some(8)]);
    assert_eq!(with("offset = \"1ms\"\n", most), [Some(12), Some(12), Some(12)]);
    // What may come later stays so.
    let later = "latest-interarrival = \"30ms\"\ndeadline = \"none\"\n";
    assert_eq!(with(later, most), [Some(12), Some(30), None]);
}
