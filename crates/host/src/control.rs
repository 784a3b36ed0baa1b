//! What the loop of a dispatcher tells and asks between its decisions: whether it goes on, and whether another schedule takes its place.

use crate::processor::Processor;
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
    /// When another schedule took its place.
    pub gave_way: Option<Instant>,
}

/// What the loop asks; nothing takes its place unless it says so.
pub trait Control {
    /// Whether it goes on; it is told of everything up to the last decision.
    fn goes_on(&mut self, processor: &Processor, course: &Course) -> bool;

    /// When another schedule is to take its place, if one is, and if that is known at this decision, after which a server
    /// has the processor unless it `is_idle`.
    fn gives_way_at(&mut self, _now: Instant, _is_idle: bool) -> Option<Instant> {
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
