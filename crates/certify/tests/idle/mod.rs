//! Guests of deferrable servers that find what they have not used.
//!
//! **Model.** A core by priority with a task, at times an interrupt, and below them a deferrable server of two to four tasks, at
//! times two of equal priority, at times with jitter; in half of them it is in another server.

use std::fmt::Write as _;
use vorrang_model::{Format, System, read};
use vorrang_random::Random;

/// One of them, as text.
pub(crate) fn drawn(seed: u64) -> String {
    let mut random = Random::new(4956, seed);
    let (nested, interrupt, late) = (random.chance(1, 4), random.chance(1, 3), random.chance(1, 3));
    let mut one = |low: u64, high: u64| random.between(low, high);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    if interrupt {
        let every = one(20, 60);
        let _ = write!(
            text,
            "[interrupt.i]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n"
        );
    }
    text += &task("urgent", "core.0", [one(1, 3), one(15, 40), 0], 9);
    let mut on = "core.0";
    if nested {
        let kind = ["deferrable", "sporadic", "periodic"];
        let kind = kind[usize::try_from(one(0, 2)).expect("one of three")];
        let (budget, period) = (one(14, 18), one(20, 24));
        text += &server("outer", on, kind, [budget, period], 7);
        on = "server.outer";
    }
    let (budget, period) = (one(6, 16), one(40, 80));
    text += &server("guest", on, "deferrable", [budget, period], 5);
    for place in 0..one(2, 4) {
        let (wcet, every) = (one(1, budget), one(1, 8) * period + one(0, 20));
        let jitter = if late { one(0, 1) * one(0, period) } else { 0 };
        text += &task(&format!("t{place}"), "server.guest", [wcet, every, jitter], one(1, 3));
    }
    text
}

fn server(name: &str, on: &str, kind: &str, [budget, period]: [u64; 2], priority: u64) -> String {
    format!(
        "[server.{name}]\non = \"{on}\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         priority = {priority}\nscheduler = \"fixed-priority\"\n"
    )
}

fn task(name: &str, on: &str, [wcet, period, jitter]: [u64; 3], priority: u64) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         priority = {priority}\ndeadline = \"none\"\n"
    )
}

/// What is read of it.
pub(crate) fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}
