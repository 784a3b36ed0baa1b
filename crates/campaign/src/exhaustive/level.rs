//! Small systems with servers without a budget.

use super::parts::{EDF, FP, Shape, core, core_task, server_with_task, task};
use crate::random::Random;
use std::fmt::Write as _;

/// The priority of a task beside a server without a budget; it has 2.
pub(super) const BESIDE: &[u64] = &[1, 3, 3, 2];

/// Two tasks in a server without a budget, by priority or by deadline; beside it a task.
pub(super) fn level(random: &mut Random, by_deadline: bool, beside: &[u64]) -> String {
    let rule = if by_deadline { EDF } else { FP };
    let other = random.one_of(beside);
    let mut parts = vec![task("other", "core.0", core_task(random), Some(other))];
    let mut guest = without_budget("s-target", rule);
    for (name, priority) in [("target", 2), ("second", random.one_of(&[1, 3]))] {
        let budget = random.between(1, 3);
        let own = Shape { budget, period: random.between(2 * budget + 2, 12) };
        guest += &task(name, "server.s-target", own, (!by_deadline).then_some(priority));
        if by_deadline {
            let deadline = random.between(budget, own.period + 2);
            let _ = writeln!(guest, "deadline = \"{deadline}ns\"");
        }
    }
    parts.push(guest);
    if random.chance(1, 2) {
        parts.reverse();
    }
    core(FP) + &parts.concat()
}

/// A server with a task in one without a budget.
pub(super) fn in_level(random: &mut Random, with_hog: bool) -> String {
    let kind = random.one_of(&["periodic", "polling", "deferrable", "sporadic"]);
    let inner = server_with_task(random, "target", kind, Some(2), with_hog);
    let mut text = core(FP) + &without_budget("outer", FP);
    text += &inner.replace("on = \"core.0\"", "on = \"server.outer\"");
    if random.chance(1, 2) {
        let priority = random.one_of(&[1, 3]);
        text += &task("inside", "server.outer", core_task(random), Some(priority));
    }
    let priority = random.one_of(&[1, 3]);
    text + &task("other", "core.0", core_task(random), Some(priority))
}

fn without_budget(name: &str, rule: &str) -> String {
    format!(
        "[server.{name}]\non = \"core.0\"\nserver = \"none\"\npriority = 2\nscheduler = \"{rule}\"\n"
    )
}
