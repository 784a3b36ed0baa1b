//! Cores by priority with queues of refills.
//!
//! **Model.** Half of them: a task that comes often; below it a queue whose guest splits refills, with a probe that wants up to two
//! budgets. The others: a more urgent task, a queue with several tasks, sometimes a server of another kind, sometimes a queue
//! in the queue. Two to four refills, with or without a least budget; a task below.

use std::fmt::Write as _;
use vorrang_model::{Format, System, read};
use vorrang_random::Random;

/// One of them, as text.
pub(crate) fn drawn(seed: u64) -> String {
    let mut random = Random::new(4955, seed);
    if random.chance(1, 2) {
        return split(&mut random);
    }
    let (again, nested) = (random.chance(1, 2), random.chance(1, 4));
    let mut one = |low: u64, high: u64| random.between(low, high);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    text += &task("urgent", "core.0", (one(1, 4), one(40, 300)), 9);
    let (budget, period) = (one(4, 24), one(40, 80));
    text += &queue("s", "core.0", [budget, period, one(2, 4), one(0, 1) * one(2, budget)], 5);
    text += &task("x", "server.s", (one(1, budget), one(4, 12) * 100), 3);
    text += &task("frag", "server.s", (one(1, 3), one(3, 30)), 1);
    text += &task("rest", "server.s", (one(1, 8), one(4, 12) * 100), 2);
    if nested {
        let (inner, every) = (one(2, budget), one(100, 300));
        text += &queue("n", "server.s", [inner, every, one(2, 3), one(0, 1) * one(1, inner)], 4);
        text += &task("deep", "server.n", (one(1, 4), one(6, 20) * 100), 1);
    }
    if again {
        let (budget, period) = (one(2, 9), one(40, 90));
        let kind = ["deferrable", "sporadic"][usize::try_from(one(0, 1)).expect("one of two")];
        let _ = write!(
            text,
            "[server.o]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
             period = \"{period}ns\"\npriority = {}\nscheduler = \"fixed-priority\"\n",
            [7, 3][usize::try_from(one(0, 1)).expect("one of two")]
        );
        text += &task("other", "server.o", (one(1, 5), one(3, 9) * 100), 1);
    }
    text += &task("below", "core.0", (one(1, 20), one(3, 9) * 100), 1);
    text
}

/// A queue that is interrupted in the middle of refills.
fn split(random: &mut Random) -> String {
    let mut one = |low: u64, high: u64| random.between(low, high);
    let (budget, every) = (one(3, 6), one(4, 9));
    let period = 2 * budget + one(1, 6);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    text += &task("urgent", "core.0", (1, every), 9);
    text += &queue("s", "core.0", [budget, period, one(2, 4), one(0, budget)], 5);
    text += &task("probe", "server.s", (one(2, 2 * budget), 1000), 2);
    text += &task("splits", "server.s", (one(1, 2), one(4, 7)), 1);
    text += &task("below", "core.0", (one(1, 4), 1000), 1);
    text
}

/// A queue: its budget and period, how many refills it holds, and its least budget if it has one.
fn queue(
    name: &str,
    on: &str,
    [budget, period, refills, least]: [u64; 4],
    priority: u64,
) -> String {
    let least = if least > 0 { format!("min-budget = \"{least}ns\"\n") } else { String::new() };
    format!(
        "[server.{name}]\non = \"{on}\"\nserver = \"refill-queue\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         refills = {refills}\n{least}priority = {priority}\nscheduler = \"fixed-priority\"\n"
    )
}

fn task(name: &str, on: &str, (wcet, period): (u64, u64), priority: u64) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\npriority = {priority}\n\
         deadline = \"none\"\n"
    )
}

/// What is read of it.
pub(crate) fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}
