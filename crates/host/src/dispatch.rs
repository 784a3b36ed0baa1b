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
    let mut loans = Loans::default();
    let mut woken = Woken::InTime;
    let mut now = machine.now();
    loop {
        if now >= end || !control.goes_on(processor, &course) {
            break;
        }
        let Decision { lent, level, behind, is_idle, attention, until, at_most } =
            processor.step(now, woken, machine);
        course.steps += 1;
        course.left += u64::from(woken == Woken::ThreadLeft);
        let given = control.gives_way_at(now, is_idle, || machine.tasks_rest());
        if let Some(at) = given.filter(|&at| at <= now)
            && control.give_way(at)
        {
            course.gave_way = Some(at);
            break;
        }
        let lent = lent.map(|thread| Loan { thread, level });
        course.changes += loans.change(machine, lent, behind);
        let given = given.filter(|&at| at > now).unwrap_or(Instant::NEVER);
        let until = until.min(end).min(given);
        let took = machine.decided().saturating_since(now);
        course.deciding += took;
        course.longest = course.longest.max(took);
        woken = machine.sleep(until, at_most, attention);
        now = machine.now();
        course.latest = course.latest.max(now.saturating_since(until));
    }
    course.changes += loans.change(machine, None, None);
    course
}

/// A loan: to which thread, and at which level among the tasks on the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loan {
    thread: usize,
    level: usize,
}

/// The threads that are lent to: one, or one first and another behind it.
#[derive(Clone, Copy, Debug, Default)]
struct Loans {
    lent: Option<Loan>,
    first: Option<Loan>,
}

impl Loans {
    /// Afterwards this thread has the processor, and the loan of the one behind it goes on, if that is of no higher level; returns how
    /// many loans began, ended or went to another level.
    fn change(
        &mut self,
        machine: &mut impl Machine,
        next: Option<Loan>,
        behind: Option<usize>,
    ) -> u64 {
        let is_behind = |lent: Loan| {
            behind == Some(lent.thread) && next.is_some_and(|next| lent.level <= next.level)
        };
        let goes_on = self.lent.is_some_and(is_behind);
        let after =
            if goes_on { Self { first: next, ..*self } } else { Self { lent: next, first: None } };
        let mut changes = 0;
        for (before, after) in [(self.first, after.first), (self.lent, after.lent)] {
            let thread = before.map(|loan| loan.thread);
            if let Some(thread) = thread.filter(|_| thread != after.map(|loan| loan.thread)) {
                machine.take_back(thread);
                changes += 1;
            }
        }
        if let Some(Loan { thread, level }) = after.lent.filter(|_| after.lent != self.lent) {
            machine.lend(thread, level);
            changes += 1;
        }
        if let Some(Loan { thread, level }) = after.first.filter(|_| after.first != self.first) {
            machine.lend_first(thread, level);
            changes += 1;
        }
        *self = after;
        changes
    }
}
