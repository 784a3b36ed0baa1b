//! Parts of small systems, as texts.

use crate::random::Random;

pub(super) const FP: &str = "fixed-priority";
pub(super) const EDF: &str = "edf";
pub(super) const LINUX: &str = "linux";

pub(super) fn core(scheduler: &str) -> String {
    let more = if scheduler == LINUX { "fair-server = \"none\"\n" } else { "" };
    format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{more}")
}

/// Budget and period.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) budget: u64,
    pub(super) period: u64,
}

pub(super) fn shape(random: &mut Random) -> Shape {
    let budget = random.between(1, 3);
    Shape { budget, period: random.between(budget + 1, 8) }
}

/// A server whose guest has fixed priorities. `priority`: on a supply that has any.
pub(super) fn server(
    name: &str,
    on: &str,
    kind: &str,
    own: Shape,
    priority: Option<u64>,
) -> String {
    let Shape { budget, period } = own;
    let priority = priority.map_or(String::new(), |priority| format!("priority = {priority}\n"));
    format!(
        "[server.{name}]\non = \"{on}\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\n\
         period = \"{period}ns\"\nscheduler = \"fixed-priority\"\n{priority}"
    )
}

pub(super) fn task(name: &str, on: &str, own: Shape, priority: Option<u64>) -> String {
    let Shape { budget, period } = own;
    let priority = priority.map_or(String::new(), |priority| format!("priority = {priority}\n"));
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{budget}ns\"\nperiod = \"{period}ns\"\n{priority}"
    )
}

/// Best-effort work in a server.
pub(super) fn hog(name: &str, on: &str) -> String {
    task(name, on, Shape { budget: 1, period: 1 }, Some(1)) + "deadline = \"none\"\n"
}

/// A task that a server of this shape can supply.
pub(super) fn fitting(random: &mut Random, server: Shape) -> Shape {
    let budget = random.between(1, 4);
    let least = (budget * server.period).div_ceil(server.budget);
    Shape { budget, period: random.between(least, (least + 8).min(30)) }
}

/// A server with a task, and with best-effort work.
pub(super) fn server_with_task(
    random: &mut Random,
    name: &str,
    kind: &str,
    priority: Option<u64>,
    with_hog: bool,
) -> String {
    let own = shape(random);
    let on = format!("server.s-{name}");
    let mut text = server(&format!("s-{name}"), "core.0", kind, own, priority);
    text += &task(name, &on, fitting(random, own), Some(2));
    if with_hog {
        text += &hog(&format!("hog-{name}"), &on);
    }
    text
}

/// Whether servers of this kind have a priority.
pub(super) fn has_priority(scheduler: &str, kind: &str) -> bool {
    scheduler != EDF && kind != "sched-deadline"
}

pub(super) fn core_task(random: &mut Random) -> Shape {
    let budget = random.between(1, 2);
    Shape { budget, period: random.between(budget + 2, 10) }
}
