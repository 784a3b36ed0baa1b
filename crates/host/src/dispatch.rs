//! The loop: decide, lend, sleep.

use crate::machine::{Machine, Woken};
use crate::processor::{Decision, Processor};
use vorrang_time::{Duration, Instant};

/// Statistics of a run of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Decisions.
    pub steps: u64,
    /// Those because a thread left the processor.
    pub left: u64,
    /// Loans that began or ended.
    pub changes: u64,
    /// The longest delay of a decision.
    pub latest: Duration,
}

/// Runs the servers of a processor on a machine, until an instant or until `goes_on` is false, which is told of everything
/// up to the last decision; no loan is left then.
pub fn run(
    processor: &mut Processor,
    machine: &mut impl Machine,
    end: Instant,
    mut goes_on: impl FnMut(&Processor, &Course) -> bool,
) -> Course {
    let mut course = Course::default();
    let mut lent = None;
    let mut woken = Woken::InTime;
    loop {
        let now = machine.now();
        if now >= end || !goes_on(processor, &course) {
            break;
        }
        let Decision { lent: next, watch, until, at_most } = processor.step(now, woken, machine);
        course.steps += 1;
        course.left += u64::from(woken == Woken::ThreadLeft);
        if next != lent {
            course.changes += change(machine, lent, next);
            lent = next;
        }
        let until = until.min(end);
        woken = machine.sleep(until, at_most, watch);
        course.latest = course.latest.max(machine.now().saturating_since(until));
    }
    course.changes += change(machine, lent, None);
    course
}

fn change(machine: &mut impl Machine, before: Option<usize>, after: Option<usize>) -> u64 {
    if let Some(thread) = before {
        machine.take_back(thread);
    }
    if let Some(thread) = after {
        machine.lend(thread);
    }
    u64::from(before.is_some()) + u64::from(after.is_some())
}
