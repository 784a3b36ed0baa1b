//! The least budget of a queue of refills, by brute force: what it leaves behind costs its guest as much as
//! the bound says, and no more.
//!
//! Drawn systems seldom interrupt a server just when too little is left of its refill, and again in the next
//! period.
//!
//! **Model.** Under a more urgent task that comes often and for short, a queue whose guest has a task that
//! splits refills, and a more urgent `probe` that wants up to two budgets at once. Offsets: the first arrivals
//! of all three.

use crate::common::Longest;
use vorrang_analysis::bounds;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

const BUDGET: u64 = 6;
const PERIOD: u64 = 14;

#[derive(Clone, Copy, Debug)]
struct Case {
    refills: u64,
    least: u64,
    /// Of the probe.
    wants: u64,
    /// How often the task of the core comes.
    every: u64,
}

fn system(Case { refills, least, wants, every }: Case) -> System {
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n\
         [task.urgent]\non = \"core.0\"\npriority = 2\nwcet = \"1ns\"\nperiod = \"{every}ns\"\n\
         [server.queue]\non = \"core.0\"\npriority = 1\nserver = \"refill-queue\"\n\
         refills = {refills}\nmin-budget = \"{least}ns\"\n\
         budget = \"{BUDGET}ns\"\nperiod = \"{PERIOD}ns\"\n\
         [task.probe]\non = \"server.queue\"\npriority = 2\nwcet = \"{wants}ns\"\nperiod = \"1us\"\n\
         [task.splits]\non = \"server.queue\"\npriority = 1\nwcet = \"2ns\"\nperiod = \"5ns\"\n\
         deadline = \"none\"\n"
    );
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

/// The longest response of the probe over all offsets, and its bound.
fn longest(case: Case) -> (Duration, Duration) {
    let system = system(case);
    let mut longest = Longest::new(&system);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    for urgent in 0..case.every {
        for splits in 0..5 {
            for probe in 0..2 * PERIOD {
                let mut history = History::quiet(&system);
                for (own, first) in history.tasks.iter_mut().zip([urgent, probe, splits]) {
                    *own = Arrivals::from(Instant::from_ns(first));
                }
                let end = Instant::from_ns(10 * PERIOD);
                simulator.run(&history, end, &mut longest);
            }
        }
    }
    (longest.0[1], bounds(&system).task(TaskId(1)).bound().expect("it has one"))
}

#[test]
fn what_is_left_behind_is_counted_and_no_more() {
    let mut exceeds_the_plain_bound = 0;
    for refills in [2, 8] {
        for wants in [3, 6, 8] {
            for every in [4, 7] {
                let case = |least| Case { refills, least, wants, every };
                let (_, plain) = longest(case(0));
                for least in [0, 2, 4, BUDGET] {
                    let (seen, bound) = longest(case(least));
                    assert!(seen <= bound, "{seen} of {bound}: {:?}", case(least));
                    exceeds_the_plain_bound += u64::from(seen > plain);
                }
            }
        }
    }
    assert!(exceeds_the_plain_bound > 0, "nothing is seen of the least budget");
}
