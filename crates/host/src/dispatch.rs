//! The loop: decide, lend, sleep.

use crate::control::{Control, Course};
use crate::machine::{Machine, Woken};
use crate::processor::{Decision, Processor};
use vorrang_time::Instant;

/// Runs the servers of a processor on a machine until an instant, or until another schedule takes its place, or for as
/// long as `control` lets it; no loan is left then.
pub fn run(
    processor: &mut Processor,
    machine: &mut impl Machine,
    end: Instant,
    control: impl Control,
) -> Course {
    go_on(processor, machine, end, control, Course::default())
}

/// The same after a course that ended because another schedule was to take its place, which has not.
pub fn go_on(
    processor: &mut Processor,
    machine: &mut impl Machine,
    end: Instant,
    mut control: impl Control,
    mut course: Course,
) -> Course {
    course.gave_way = None;
    let mut lent = None;
    let mut woken = Woken::InTime;
    let mut now = machine.now();
    loop {
        if now >= end || !control.goes_on(processor, &course) {
            break;
        }
        let Decision { lent: next, is_idle, attention, until, at_most } =
            processor.step(now, woken, machine);
        course.steps += 1;
        course.left += u64::from(woken == Woken::ThreadLeft);
        let given = control.gives_way_at(now, is_idle);
        if let Some(at) = given.filter(|&at| at <= now)
            && control.give_way(at)
        {
            course.gave_way = Some(at);
            break;
        }
        if next != lent {
            course.changes += change(machine, lent, next);
            lent = next;
        }
        let given = given.filter(|&at| at > now).unwrap_or(Instant::NEVER);
        let until = until.min(end).min(given);
        woken = machine.sleep(until, at_most, attention);
        now = machine.now();
        course.latest = course.latest.max(now.saturating_since(until));
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
