//! A queue of refills is full in the middle of a window, as in seL4.

use vorrang_analysis::{Assumption, bounds};
use vorrang_model::system::{ServerRule, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

const FULL: &str = r#"
version = 1

[core.0]
scheduler = "fixed-priority"

[task.urgent]
on = "core.0"
wcet = "1us"
period = "1ms"
priority = 2

[server.s]
on = "core.0"
server = "refill-queue"
budget = "22us"
period = "60us"
priority = 1
scheduler = "fixed-priority"

[task.x]
on = "server.s"
wcet = "22us"
period = "1ms"
deadline = "65us"
priority = 3

[task.frag]
on = "server.s"
wcet = "2us"
period = "4us"
deadline = "none"
priority = 1

[task.rest]
on = "server.s"
wcet = "8us"
period = "1ms"
deadline = "none"
priority = 2
"#;

fn bound(system: &System, task: usize) -> Option<Duration> {
    bounds(system).task(TaskId(task)).bound()
}

/// `T − Q = 38` twice, 22 of its own and 1 of what is more urgent. The plain server would have 61.
#[test]
fn the_last_refill_is_put_off_once_in_a_window() {
    let system = read(FULL, Format::Toml).expect("a description");
    assert_eq!(bound(&system, 1), Some(Duration::from_us(38 + 38 + 22 + 1)));
    let plain = FULL.replace("refill-queue", "sporadic");
    let plain = read(&plain, Format::Toml).expect("a description");
    assert_eq!(bound(&plain, 1), Some(Duration::from_us(61)));
}

#[test]
fn a_queue_holds_what_is_stated() {
    let refills = |text: &str| {
        let system = read(text, Format::Toml).expect("a description");
        let server = system.supply(SupplyId(1)).server().expect("the server");
        match server.rule {
            ServerRule::RefillQueue { refills, .. } => Some(refills),
            _ => None,
        }
    };
    assert_eq!(refills(FULL), Some(8));
    assert_eq!(refills(&FULL.replace("budget =", "refills = 3\nbudget =")), Some(3));
}

/// With m = 8 the guest has 15 of 22 in every period, and waits twice for the other 45: the last 7 of 22 come
/// in the second of these periods.
#[test]
fn less_than_the_least_budget_cannot_be_relied_on() {
    let least = |m: &str| {
        let text = FULL.replace("budget =", &format!("min-budget = \"{m}\"\nbudget ="));
        bound(&read(&text, Format::Toml).expect("a description"), 1)
    };
    let ns = Duration::from_ns;
    assert_eq!(least("0s"), Some(ns(99_000)));
    assert_eq!(least("1ns"), Some(ns(99_000)));
    // Q' = 14001 ns: twice 45999 ns, a period, the rest of 7999 ns, and 1 us of what is more urgent.
    assert_eq!(least("8us"), Some(ns(2 * 45_999 + 60_000 + 7_999 + 1_000)));
    // Of the whole budget one nanosecond is left to rely on, less than the tasks want.
    assert_eq!(least("22us"), None);
}

/// What the kernel does with a refill that is too small for it delays what is in the server.
#[test]
fn the_least_budget_is_assumed_where_none_is_stated() {
    let assumes = |text: &str| {
        let found = bounds(&read(text, Format::Toml).expect("a description"));
        let least =
            |task| found.task(TaskId(task)).assumptions().contains(&Assumption::LeastRefill);
        [least(0), least(1)]
    };
    assert_eq!(assumes(FULL), [true, true]);
    assert_eq!(assumes(&FULL.replace("refill-queue", "sporadic")), [false, false]);
    assert_eq!(
        assumes(&FULL.replace("budget =", "min-budget = \"1us\"\nbudget =")),
        [false, false]
    );
}
