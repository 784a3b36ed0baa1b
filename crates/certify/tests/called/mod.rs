//! Cores by priority on which calls and switches cost.
//!
//! **Model.** Interrupts, tasks, some of equal priority, and servers of three kinds, with tasks and an interrupt in them;
//! or no servers.

use std::fmt::Write as _;
use vorrang_model::{Format, System, read};
use vorrang_random::Random;

const KINDS: [&str; 3] = ["periodic", "polling", "deferrable"];

/// One of them, as text.
pub(crate) fn drawn(seed: u64) -> String {
    let mut random = Random::new(4954, seed);
    let alone = random.chance(1, 3);
    let mut one = |low: u64, high: u64| random.between(low, high);
    let (call, switch, field) = (one(0, 1) * one(1, 3), one(0, 4), one(60, 300));
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
         [core.0]\nscheduler = \"fixed-priority\"\n[interrupt.field]\non = \"core.0\"\nisr = \"{}ns\"\n\
         min-interarrival = \"{field}ns\"\nwakes = \"task.field\"\n[task.field]\non = \"core.0\"\nwcet = \"2ns\"\n\
         priority = 9\ndeadline = \"none\"\n",
        one(1, 3)
    );
    for (place, priority) in [7, 3, 3, 1].into_iter().enumerate() {
        let (wcet, period, jitter) = (one(1, 9), one(80, 300), one(0, 1) * one(0, 40));
        text += &task(&format!("t{place}"), "core.0", (wcet, period, jitter), priority);
    }
    let servers: &[u64] = if alone { &[] } else { &[8, 5, 2] };
    for (place, priority) in servers.iter().enumerate() {
        let (budget, period) = (one(3, 20), one(60, 200));
        let kind = KINDS[usize::try_from(one(0, 2)).expect("one of three")];
        let (wcet, every) = (one(1, budget.min(9)), one(100, 600));
        let _ = write!(
            text,
            "[vcpu.v{place}]\nvm = \"v{place}\"\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
             period = \"{period}ns\"\npriority = {priority}\nscheduler = \"fixed-priority\"\n"
        );
        text += &task(&format!("g{place}"), &format!("vcpu.v{place}"), (wcet, every, 0), 2);
        text += &task(&format!("h{place}"), &format!("vcpu.v{place}"), (1, every * 2, 0), 1);
        if one(0, 1) == 1 {
            let _ = write!(
                text,
                "[interrupt.i{place}]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{}ns\"\n\
                 virtual = {{ vcpu = \"vcpu.v{place}\", isr = \"1ns\", wakes = \"task.w{place}\" }}\n\
                 [task.w{place}]\non = \"vcpu.v{place}\"\nwcet = \"1ns\"\npriority = 9\ndeadline = \"none\"\n",
                one(200, 500)
            );
        }
    }
    text
}

/// A task of it.
pub(crate) fn task(
    name: &str,
    on: &str,
    (wcet, period, jitter): (u64, u64, u64),
    priority: u64,
) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         priority = {priority}\ndeadline = \"none\"\n"
    )
}

/// What is read of it.
pub(crate) fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}
