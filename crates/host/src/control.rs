//! What the loop of a dispatcher tells and asks between its decisions: whether it goes on, and whether another schedule takes its place.

use crate::processor::Processor;
use vorrang_time::{Duration, Instant};

/// Statistics of a run of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Decisions that were made.
    pub steps: u64,
    /// Those because a thread left the processor.
    pub left: u64,
    /// Loans that began or ended.
    pub changes: u64,
    /// The longest delay of a decision.
    pub latest: Duration,
    /// From the ends of sleeps to the beginnings of the next ones, altogether.
    pub deciding: Duration,
    /// The longest of these times.
    pub longest: Duration,
    /// When another schedule took its place.
    pub gave_way: Option<Instant>,
}

impl Course {
    /// The longest decision so far, with the switches before and after it, where the decisions since an earlier instant took so
    /// much processor time: the switches are what these took besides, in the middle. A description states no less as
    /// `scheduler-call`.
    pub fn longest_with_switches(&self, since: &Self, taken: Duration) -> Duration {
        let besides = taken.saturating_sub(self.deciding.saturating_sub(since.deciding));
        let count = self.steps.saturating_sub(since.steps).max(1);
        self.longest + Duration::from_ns(besides.as_ns().div_ceil(count))
    }
}

/// What the loop asks; nothing takes its place unless it says so.
pub trait Control {
    /// Whether it goes on; it is told of everything up to the last decision.
    fn goes_on(&mut self, processor: &Processor, course: &Course) -> bool;

    /// When another schedule is to take its place, if one is, and if that is known at this decision; or when to ask again. Unless it
    /// `is_idle` a server has the processor after this decision.
    fn gives_way_at(
        &mut self,
        _now: Instant,
        _is_idle: bool,
        _do_tasks_rest: impl FnOnce() -> bool,
    ) -> Option<Instant> {
        None
    }

    /// Another schedule begins at this instant; `false`: it has been called off.
    fn give_way(&mut self, _at: Instant) -> bool {
        false
    }
}

/// It goes on to its end.
#[derive(Clone, Copy, Debug)]
pub struct Unattended;

impl Control for Unattended {
    fn goes_on(&mut self, _processor: &Processor, _course: &Course) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two decisions of 10 and 30 us, and 6 us of switches for each; one of 20 us before.
    #[test]
    fn switches_are_what_decisions_take_besides() {
        let us = Duration::from_us;
        let before = Course { steps: 1, deciding: us(20), longest: us(20), ..Course::default() };
        let course = Course { steps: 3, deciding: us(60), longest: us(30), ..Course::default() };
        assert_eq!(course.longest_with_switches(&before, us(52)), us(36));
        assert_eq!(before.longest_with_switches(&before, us(0)), us(20));
    }
}
