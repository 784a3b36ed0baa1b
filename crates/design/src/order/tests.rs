//! Orders, and what the algorithm that looks for them rests on.

use super::*;
use crate::chance::Chance;
use crate::compatible::is_compatible;
use std::fmt::Write as _;
use vorrang_analysis::monotonic_bounds;
use vorrang_model::{Format, read, read_open};
use vorrang_time::Duration;

/// Five tasks and servers with a task each, of these priorities, on a core that is interrupted, or in a virtual
/// processor on a core whose switches take time.
fn system(seed: u64, priorities: [u32; 5]) -> System {
    let mut chance = Chance(seed);
    let in_guest = chance.below(2) == 0;
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    let on = if in_guest {
        text += "[costs]\ncontext-switch = \"9us\"\n[vcpu.v]\non = \"core.0\"\n\
                 server = \"periodic\"\nbudget = \"7ms\"\nperiod = \"8ms\"\n";
        "vcpu.v"
    } else {
        "core.0"
    };
    let by_timers = chance.below(2) == 0;
    write!(text, "[interrupt.i]\non = \"core.0\"\nmin-interarrival = \"900us\"\nisr = \"30us\"\n")
        .unwrap();
    if in_guest {
        text += "virtual = { vcpu = \"vcpu.v\", isr = \"20us\" }\n";
    }
    for (member, priority) in priorities.into_iter().enumerate() {
        let other = if in_guest { "periodic" } else { "sporadic" };
        let kinds = ["deferrable", other, "periodic", "polling"];
        let (is_server, kind) = (chance.below(2) == 0, kinds[member % 4]);
        let (work, period) = (50 + chance.below(450), 6 + chance.below(30));
        let jitter = chance.below(3);
        let keys = format!("on = \"{on}\"\npriority = {priority}\nperiod = \"{period}ms\"\n");
        let task = format!("wcet = \"{work}us\"\njitter = \"{jitter}ms\"\n");
        if is_server {
            let budget = work + 50;
            writeln!(
                text,
                "[server.s{member}]\n{keys}server = \"{kind}\"\nbudget = \"{budget}us\""
            )
            .unwrap();
            writeln!(
                text,
                "[task.t{member}]\non = \"server.s{member}\"\nperiod = \"50ms\"\n{task}"
            )
            .unwrap();
        } else {
            writeln!(text, "[task.t{member}]\n{keys}{task}").unwrap();
            // The guest takes the expiries of a timer, whatever the priority of its task.
            if by_timers {
                let isr = if in_guest { "isr = \"11us\"\n" } else { "" };
                let keys = format!("armed-by = \"task.t{member}\"\nperiod = \"3ms\"\n{isr}");
                writeln!(text, "[timer.m{member}]\n{keys}").unwrap();
            }
        }
    }
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The response time of a member, or of the task in it.
fn response(seed: u64, member: usize, priorities: [u32; 5]) -> Option<Duration> {
    let system = system(seed, priorities);
    let supply = system.supplies.iter().position(|supply| supply.members.len() == 5);
    assert!(is_compatible(&system, SupplyId(supply.expect("the one with all"))));
    let task = system.tasks.iter().position(|task| task.name == format!("task.t{member}"));
    monotonic_bounds(&system).task(vorrang_model::system::TaskId(task.unwrap())).bound()
}

#[test]
fn the_order_of_what_is_above_does_not_matter() {
    let mut bounded = 0;
    for seed in 0..60 {
        let member = usize::try_from(seed % 5).unwrap();
        let place = u32::try_from(1 + seed / 5 % 4).unwrap();
        // Those above it take 11 and more in one order, and in the other.
        let with = |backwards: bool, own: u32| {
            let mut priorities = [0; 5];
            let mut others = (0..5).filter(|&other| other != member);
            for number in 0..4 {
                let above = number + 1 > 4 - place;
                let number = if backwards && above { 30 - number } else { number };
                priorities[others.next().unwrap()] = if above { 11 + number } else { number };
            }
            priorities[member] = own;
            response(seed, member, priorities)
        };
        let one = with(false, 10);
        assert_eq!(one, with(true, 10), "seed {seed}");
        let higher = with(false, 13);
        bounded += u32::from(one.is_some());
        assert!(one.is_none_or(|one| higher.is_some_and(|higher| higher <= one)), "{seed}");
    }
    assert!(bounded > 30, "{bounded}");
}

fn order(priorities: [&str; 3]) -> Order {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (task, priority) in priorities.into_iter().enumerate() {
        let period = 10 - task;
        let keys = format!("on = \"core.0\"\nwcet = \"1ms\"\nperiod = \"{period}ms\"");
        writeln!(text, "[task.{task}]\n{keys}\npriority = {priority}").unwrap();
    }
    let mut open = read_open(&text, Format::Toml, |_| Err("none".into())).unwrap();
    let nothing = vec![None; open.values().len()];
    let system = open.resolve(&crate::layout::provisional(&open, &nothing)).unwrap();
    orders(&open, &system).remove(0)
}

fn numbers(order: &Order, member: usize) -> Vec<u32> {
    order.members[member].choices.iter().map(|priority| priority.0).collect()
}

#[test]
fn numbers_that_compare_alike_are_left_out() {
    let any = order(["\"?\"", "\"?\"", "\"?\""]);
    assert_eq!((numbers(&any, 0), any.is_ample), (vec![1, 2, 3], true));
    assert_eq!(any.all().unwrap().len(), 6);
    // The last has the shortest period.
    assert_eq!(any.by_deadlines().iter().map(|own| own.1.0).collect::<Vec<_>>(), [1, 2, 3]);
    let beside = order(["\"?\"", "20", "{ from = 10, to = 500 }"]);
    assert_eq!(numbers(&beside, 0), [7, 8, 9, 11, 12, 13, 21, 22, 23, 501, 502, 503]);
    assert_eq!(numbers(&beside, 2), [10, 11, 12, 13, 20, 21, 22, 23, 500]);
    assert!(beside.is_ample && !order(["\"?\"", "\"?\"", "1"]).is_ample);
    let few = order(["[1, 2]", "[1, 2]", "[1, 2]"]);
    // One level, or two with one or two members in the lower.
    assert_eq!(few.all().unwrap().len(), 1 + 3 + 3);
}

#[test]
fn neighbours_change_over_where_both_may() {
    let any = order(["\"?\"", "\"?\"", "\"?\""]);
    assert_eq!(any.neighbours(&any.by_deadlines()).len(), 2);
    let listed = order(["[1]", "[2, 3]", "[2, 3]"]);
    assert_eq!(listed.neighbours(&listed.by_deadlines()).len(), 1);
}
