//! Cores by priority whose timers wait behind a shield.
//!
//! **Model.** A routine that wakes a task or none, tasks that timers wake and tasks whose timers only take time, some of
//! equal priority, and servers of three kinds with such tasks, one timer of which is its guest's; or no servers. In some
//! a timer waits for so long at most.

use std::fmt::Write as _;
use vorrang_model::{Format, System, read};
use vorrang_random::Random;

const KINDS: [&str; 3] = ["periodic", "polling", "deferrable"];
const ORDERS: [&str; 3] = ["first-come", "priority", "nested"];

/// One of them, with this cost of a callback, as text.
pub(crate) fn drawn(seed: u64, expiry: u64) -> String {
    let mut random = Random::new(4956, seed);
    let mut one = |low: u64, high: u64| random.between(low, high);
    let is_short = one(0, 2) == 0;
    let order = ORDERS[usize::try_from(one(0, 2)).expect("one of three")];
    let mut text = format!(
        "version = 1\n[costs]\ninterrupt-entry = \"{}ns\"\ninterrupt-exit = \"{}ns\"\ntimer-expiry = \"{expiry}ns\"\n\
         vm-exit = \"{}ns\"\n[core.0]\nscheduler = \"fixed-priority\"\ntimers = \"timershield\"\ninterrupts = \"{order}\"\n",
        one(0, 1),
        one(0, 2),
        one(0, 1)
    );
    if one(0, 1) == 1 {
        let most = if is_short { one(1, 30) } else { one(20, 200) };
        let _ = writeln!(text, "max-defer = \"{most}ns\"");
    }
    let _ = write!(
        text,
        "[interrupt.field]\non = \"core.0\"\nisr = \"{}ns\"\nmin-interarrival = \"{}ns\"\n",
        one(1, 4),
        one(80, 300)
    );
    if order != "first-come" {
        text += "priority = 3\n";
    }
    if one(0, 1) == 1 {
        text += "wakes = \"task.field\"\n[task.field]\non = \"core.0\"\nwcet = \"3ns\"\npriority = 5\n\
                 deadline = \"none\"\n";
    }
    for (place, priority) in [9, 7, 6, 3, 3, 1].into_iter().enumerate() {
        let (wcet, period) = (one(1, 9), one(90, 300));
        let is_woken = one(0, 1) == 1;
        let every = if is_woken { period } else { one(60, 200) };
        text += &of_task(&format!("t{place}"), "core.0", (wcet, period, every), priority, is_woken);
    }
    let servers: &[u64] = if one(0, 2) == 0 { &[] } else { &[8, 2] };
    for (place, priority) in servers.iter().enumerate() {
        let kind = KINDS[usize::try_from(one(0, 2)).expect("one of three")];
        let _ = write!(
            text,
            "[vcpu.v{place}]\nvm = \"v{place}\"\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{}ns\"\n\
             period = \"{}ns\"\npriority = {priority}\nscheduler = \"fixed-priority\"\n",
            one(6, 12),
            one(90, 200)
        );
        for part in 0..2 {
            let (name, period) = (format!("g{place}{part}"), one(150, 500));
            text += &of_task(
                &name,
                &format!("vcpu.v{place}"),
                (one(1, 3), period, period),
                2 - part,
                true,
            );
            text += if part == place as u64 { "isr = \"1ns\"\n" } else { "" };
        }
    }
    text
}

/// A task and its timer.
pub(crate) fn of_task(
    name: &str,
    on: &str,
    (wcet, period, every): (u64, u64, u64),
    priority: u64,
    is_woken: bool,
) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\npriority = {priority}\n\
         deadline = \"none\"\n[timer.{name}]\narmed-by = \"task.{name}\"\nperiod = \"{every}ns\"\nwakes = {is_woken}\n"
    )
}

pub(crate) fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}
