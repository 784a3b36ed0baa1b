//! The queue that is surely right: a list that is sorted and searched.

use vorrang_time::Instant;
use vorrang_timer::{TimerQueue, Urgency, Violation};

/// Pending timers in the order of expiry, then of slots.
pub(crate) struct SortedList {
    pending: Vec<(Instant, u32)>,
    urgencies: Vec<Urgency>,
    /// Whether a timer waits while something more urgent runs.
    shields: bool,
}

impl SortedList {
    pub(crate) fn new(capacity: u32, shields: bool) -> Self {
        let urgencies = vec![Urgency::MOST; capacity as usize];
        Self { pending: Vec::new(), urgencies, shields }
    }

    fn first(&self, running: Urgency) -> Option<(Instant, u32)> {
        let may_run = |timer: u32| {
            !self.shields || !running.is_more_urgent_than(self.urgencies[timer as usize])
        };
        self.pending.iter().copied().find(|(_, timer)| may_run(*timer))
    }
}

impl TimerQueue for SortedList {
    fn shields(&self) -> bool {
        self.shields
    }

    fn capacity(&self) -> u32 {
        u32::try_from(self.urgencies.len()).unwrap()
    }

    fn arm(&mut self, timer: u32, at: Instant, urgency: Urgency) {
        self.cancel(timer);
        if at != Instant::NEVER {
            self.pending.push((at, timer));
            self.pending.sort_unstable();
        }
        self.urgencies[timer as usize] = urgency;
    }

    fn cancel(&mut self, timer: u32) -> bool {
        let before = self.pending.len();
        self.pending.retain(|(_, other)| *other != timer);
        self.pending.len() < before
    }

    fn rekey(&mut self, timer: u32, urgency: Urgency) {
        self.urgencies[timer as usize] = urgency;
    }

    fn urgency(&self, timer: u32) -> Urgency {
        self.urgencies[timer as usize]
    }

    fn expiry(&self, timer: u32) -> Option<Instant> {
        self.pending.iter().find(|(_, other)| *other == timer).map(|(at, _)| *at)
    }

    fn expire(&mut self, now: Instant, running: Urgency) -> Option<u32> {
        let (_, timer) = self.first(running).filter(|(at, _)| *at <= now)?;
        self.cancel(timer);
        Some(timer)
    }

    fn next_event(&self, running: Urgency) -> Option<Instant> {
        self.first(running).map(|(at, _)| at)
    }

    fn check(&self) -> Result<(), Violation> {
        Ok(())
    }
}
