//! What the kernel takes, term by term, in systems small enough to compute by hand.
//!
//! **Model.** A call takes 1 us and a switch 10 us, work and budgets some hundreds: so the digits of a bound count them. Each
//! test fails if the term that it names is left out.

use vorrang_analysis::bounds;
use vorrang_model::{Format, System, read};
use vorrang_time::Duration;

const HEAD: &str = "version = 1\n[costs]\nscheduler-call = \"1us\"\ncontext-switch = \"10us\"\n[core.0]\n\
     scheduler = \"fixed-priority\"\n";
/// Alone its work, a call and two switches, and the call of its release: 122.
const X: &str = "[task.x]\non = \"core.0\"\nwcet = \"100us\"\nperiod = \"100ms\"\npriority = 5\n";
const ALONE: u64 = 100 + 21 + 1;

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|why| panic!("{why:#?}: {text}"))
}

fn bound(system: &System, name: &str) -> Option<Duration> {
    let id = system.task_ids().find(|&id| system.task(id).name == name).expect("a task");
    bounds(system).task(id).bound()
}

/// The bound of a task in microseconds, rounded up.
fn us(text: &str, name: &str) -> u64 {
    let bound = bound(&system(text), name).unwrap_or_else(|| panic!("{name} has no bound: {text}"));
    bound.as_ns().div_ceil(1_000)
}

/// The bound of `task.x` beside something else.
fn beside(rest: &str) -> u64 {
    us(&format!("{HEAD}{X}{rest}"), "task.x")
}

/// A server of 400 us in 10 ms, with a job of 200 us every 100 ms in it.
fn server(name: &str, kind: &str, priority: u32) -> String {
    let budget = "budget = \"400us\"\nperiod = \"10ms\"\nscheduler = \"fixed-priority\"";
    let inside = inside("inside", name);
    format!(
        "[{name}]\non = \"core.0\"\nserver = \"{kind}\"\n{budget}\npriority = {priority}\n{inside}"
    )
}

fn inside(name: &str, on: &str) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"200us\"\nperiod = \"100ms\"\npriority = {}\n",
        name.len()
    )
}

/// A call for its budget, and one as it gets something ready.
#[test]
fn a_less_urgent_guest_wakes_once() {
    assert_eq!(beside(&server("vcpu.low", "deferrable", 1)), ALONE + 1 + 1);
}

/// A call for the budget, and as each task gets ready.
#[test]
fn what_is_inside_a_less_urgent_reservation_calls_the_core() {
    let second = inside("second", "server.low").replace("100ms", "30us");
    let two = server("server.low", "deferrable", 1) + &second;
    assert_eq!(beside(&two), ALONE + 1 + 2);
    // A budget in it returns, and its guest wakes once.
    let third = server("vcpu.third", "deferrable", 3).replace("core.0", "server.low");
    let third = third.replace("task.inside", "task.third");
    assert_eq!(beside(&(two + &third)), ALONE + 1 + 2 + 1 + 1);
}

/// The budget begins a ready interval, which ends: 22. The waking of one that keeps its budget begins another; else it only calls.
/// The guest of one that idles its budget away calls as it falls asleep again, and may do so once more.
#[test]
fn the_guest_of_a_periodic_server_sleeps_once_more() {
    let high = |kind| beside(&server("vcpu.high", kind, 9));
    assert_eq!(high("deferrable"), ALONE + 200 + 2 * 22);
    assert_eq!(high("polling"), ALONE + 200 + 22 + 1);
    assert_eq!(high("periodic"), ALONE + 400 + 22 + 2 + 1);
}

/// Contexts inside a reservation switch while it idles, too.
#[test]
fn what_wakes_inside_a_more_urgent_reservation_switches_there() {
    let high = |kind| beside(&server("server.high", kind, 9));
    assert_eq!(high("polling"), ALONE + 200 + 11 + 2 * 22);
    assert_eq!(high("periodic"), ALONE + 400 + 11 + 2 * 22 + 1);
}

/// It gets ready once, however often it is released: the rest of its releases find it waiting.
#[test]
fn a_less_urgent_task_gets_ready_once() {
    let low = "[task.low]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"30us\"\npriority = 1\n";
    assert_eq!(beside(low), ALONE + 1);
}

/// What is under way takes 11, then there are the calls of the budget and of the waking, and a switch.
#[test]
fn a_server_is_called_for_its_budget_and_for_its_waking() {
    let own = |kind| us(&format!("{HEAD}{}", server("vcpu.s", kind, 4)), "task.inside");
    assert_eq!(own("deferrable"), 200 + 11 + 2 + 10);
    // The wait for the next poll, to the nanosecond.
    assert_eq!(own("polling"), 10_000 + 200 + 11 + 2 + 10);
    // In a period budget returns in one piece more than the guest wakes: each of the two begins and ends an interval.
    assert_eq!(own("sporadic"), 200 + 11 + 2 + 10 + 2 * 22);
}

/// The job takes 200 of its second budget: what is under way takes 11, then there are the calls of the budget and of a waking, and a
/// switch. What is below calls once, as it gets ready, and at the return of its budget.
#[test]
fn a_reservation_alone_by_deadline_sleeps_after_its_window() {
    let own = |rest: &str| {
        let alone = server("vcpu.s", "sched-deadline", 4).replace("priority = 4\n", "");
        let linux = HEAD.replace("fixed-priority", "linux\"\nfair-server = \"none");
        us(&(linux + &alone.replace("200us", "600us") + rest), "task.inside")
    };
    let second = 10_000 + 200 + 11 + 2 + 10;
    assert_eq!(own(""), second);
    assert_eq!(own(&X.replace("100ms", "400us")), second + 1);
    assert_eq!(own(&server("vcpu.low", "deferrable", 1).replace("inside", "below")), second + 2);
}

/// Below x those of x: its job with 22 around it. Beside it the virtual processor may have kept x waiting before.
#[test]
fn own_ready_intervals_come_before_an_equal_that_waited() {
    let own = |priority| {
        let all = format!("{HEAD}{X}{}", server("vcpu.e", "deferrable", priority));
        us(&all, "task.inside")
    };
    let alone = 200 + 11 + 2 + 10;
    assert_eq!(own(4), alone + 100 + 22);
    assert_eq!(own(5), alone + 100 + 22 + 2 * 22);
}

/// The routine of the core, the credit, and its ready interval. A virtual processor that this runs, too, may sleep again below
/// x: two calls for its budget, for its task and for the interrupt, and one more at first.
#[test]
fn a_less_urgent_guest_sleeps_again_where_a_pseudo_vcpu_runs_it() {
    let paid = "[interrupt.i]\non = \"core.0\"\nisr = \"100us\"\nmin-interarrival = \"100ms\"\n[interrupt.i.virtual]\n\
         vcpu = \"vcpu.low\"\nisr = \"100us\"\n\
         pseudo-vcpu = { budget = \"100us\", period = \"100ms\", rule = \"arrival\", priority = 9 }\n";
    let all = server("vcpu.low", "deferrable", 1) + paid;
    assert_eq!(beside(&all), ALONE + 100 + 100 + 22 + 3 * 2 + 1);
}

/// So many refills return in a period, and the waking: each begins and ends an interval.
#[test]
fn each_refill_of_a_queue_returns() {
    let queue = |refills: &str| {
        let budget = format!("{refills}\nbudget =");
        server("vcpu.s", "refill-queue", 9).replace("budget =", &budget)
    };
    assert_eq!(beside(&queue("refills = 3")), ALONE + 200 + (3 + 1) * 22);
    assert_eq!(beside(&queue("refills = 4")), ALONE + 200 + (4 + 1) * 22);
    // In 9.932 ms they return once; with a least budget of 100 us a piece may join another, and come in 9.9 ms again.
    let long = |refills: &str| {
        let x = X.replace("100us", "9600us");
        us(&format!("{HEAD}{x}{}", queue(refills)), "task.x")
    };
    assert_eq!(long("refills = 4"), 9_500 + ALONE + 200 + (4 + 1) * 22);
    let least = "refills = 4\nmin-budget = \"100us\"";
    assert_eq!(long(least), 9_500 + ALONE + 200 + (8 + 1) * 22);
}

/// The timer of a task below x, so often, behind a shield.
fn shielded(blocking: &str, every: u64) -> u64 {
    let head =
        HEAD.replace("[core.0]\n", "timer-expiry = \"10us\"\n[core.0]\ntimers = \"timershield\"\n");
    let low = format!(
        "[task.low]\non = \"core.0\"\nwcet = \"100us\"\nperiod = \"100ms\"\npriority = 1\n[timer.t]\n\
         armed-by = \"task.low\"\nperiod = \"{every}us\"\n"
    );
    let x = X.replace("priority", &format!("{blocking}priority"));
    us(&format!("{head}{x}{low}"), "task.low")
}

/// Low takes 122 and x 122, and callbacks 10 each. One is as late as x, what is under way (12), the release of low (1) and
/// itself (10): 145 and a nanosecond. So two fit into 254 and that, if they are 398 apart.
#[test]
fn a_shielded_timer_waits_for_what_is_under_way() {
    assert_eq!(shielded("", 398), 2 * ALONE + 2 * 10);
    assert_eq!(shielded("", 400), 2 * ALONE + 10);
}

/// The section that holds up x takes 100, and 21 for a call and two switches around it: 266. In that and 266 a second callback
/// comes, if they are 520 apart: 276.
#[test]
fn a_shielded_timer_waits_for_the_switches_of_the_section_before_it() {
    let blocking = "blocking = \"100us\"\n";
    assert_eq!(shielded(blocking, 520), 2 * ALONE + 2 * 10);
    assert_eq!(shielded(blocking, 540), 2 * ALONE + 10);
}

/// Two reservations whose runtimes end so late.
fn late(costs: &str, overrun: u64) -> u64 {
    let server = |name| {
        format!(
            "[server.{name}]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"300us\"\nperiod = \"10ms\"\n\
             [task.{name}]\non = \"server.{name}\"\nwcet = \"100us\"\nperiod = \"100ms\"\n"
        )
    };
    let core = format!(
        "[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\noverrun = \"{overrun}us\"\n"
    );
    us(&format!("version = 1\n{costs}{core}{}{}", server("s"), server("o")), "task.s")
}

/// A call may come as late as the end of what its own server overruns.
#[test]
fn where_calls_count_an_own_overrun_does() {
    // The other takes its work of 100; or its budget of 300, and what it overruns.
    assert_eq!([late("", 0), late("", 100)], [100 + 100, 100 + 300 + 100]);
    let costs = "[costs]\nscheduler-call = \"1us\"\ncontext-switch = \"10us\"\n";
    assert_eq!(late(costs, 100) - late(costs, 0), 300 + 100);
}

/// Servers are late by 16: a section of 15 and a routine. That is more than the period of the last one only. With its overrun
/// in each of its budgets, and the next routine, it is more than 16; and then more than the core is asked for.
#[test]
fn a_server_that_forgets_makes_others_forget() {
    let text = |overrun: u64| {
        let mut text = format!(
            "version = 1\n[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\noverrun = \"{overrun}us\"\n\
             [task.below]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"1s\"\npriority = 5\n[interrupt.i]\n\
             on = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"35us\"\n"
        );
        for (budget, period) in [(4, 20), (3, 16), (3, 14)] {
            let server = format!(
                "[server.s{period}]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"{budget}us\"\n\
                 period = \"{period}us\"\n[task.s{period}]\non = \"server.s{period}\"\nwcet = \"{budget}us\"\n\
                 period = \"1s\"\n"
            );
            text.push_str(&server);
        }
        text
    };
    let below = |overrun| bound(&system(&text(overrun)), "task.below");
    assert!(below(4).is_some());
    assert_eq!(below(5), None);
}
