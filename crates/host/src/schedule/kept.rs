//! A schedule that other threads and processes end, or replace.

use crate::changeover::Changeover;
use crate::control::{Control, Course};
use crate::linux::{Board, Ending};
use crate::processor::Processor;
use vorrang_time::Instant;

/// Others end it, or replace it, by what processes share.
#[derive(Debug)]
pub(super) struct Kept {
    /// Where they say so.
    pub(super) ending: Ending,
    /// What is shown to them.
    pub(super) board: &'static Board,
    /// When it can be replaced.
    pub(super) changeover: Changeover,
    /// When it will be.
    pub(super) planned: Option<Instant>,
    /// Its beginning, by the monotonic clock in nanoseconds.
    pub(super) origin: u64,
}

impl Control for Kept {
    fn goes_on(&mut self, processor: &Processor, course: &Course) -> bool {
        self.board.write(processor, course);
        !self.ending.is_wanted()
    }

    fn gives_way_at(
        &mut self,
        now: Instant,
        is_idle: bool,
        do_tasks_rest: impl FnOnce() -> bool,
    ) -> Option<Instant> {
        self.planned = if self.ending.is_followed() {
            self.changeover.planned(self.planned, now, is_idle, do_tasks_rest)
        } else {
            None
        };
        self.planned
    }

    fn give_way(&mut self, at: Instant) -> bool {
        self.planned = None;
        self.ending.give_way(self.origin.saturating_add(at.as_ns()))
    }
}
