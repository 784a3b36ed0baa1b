//! The library as a machine.

use crate::machine::{Machine, SLOTS, Task};
use core::num::NonZeroU32;
use std::collections::BTreeMap;
use vorrang_time::{Duration, Instant};
use vorrang_timer::{Clock, CoreTimers, Program, TimerId, TimerShield, Urgency};

pub(crate) struct Library {
    timers: CoreTimers<TimerShield>,
    periods: BTreeMap<TimerId, Duration>,
    /// The hardware, which works.
    fires: Option<u64>,
}

fn urgency(task: Task) -> Urgency {
    Urgency::of_class(task.inherits.unwrap_or(task.class))
}

impl Library {
    pub(crate) fn new() -> Self {
        let timers = CoreTimers::new(Clock::ALL.map(|_| TimerShield::with_capacity(SLOTS)));
        Self { timers, periods: BTreeMap::new(), fires: None }
    }

    fn obey(&mut self, program: Program) {
        match program {
            Program::Keep => {}
            Program::At(at) => self.fires = Some(at.as_ns()),
            Program::Never => self.fires = None,
        }
    }

    /// Runs the callbacks of a batch.
    fn handle(&mut self, now: u64) -> Vec<TimerId> {
        let mut handled = Vec::new();
        while let Some(expired) = self.timers.expire(Instant::from_ns(now)) {
            handled.push(expired.timer);
            if let Some(period) = self.periods.get(&expired.timer) {
                let program = self.timers.restart(expired.timer, expired.at + *period);
                assert_eq!(program, Program::Keep, "the batch ends in a decision");
            }
        }
        let program = self.timers.finish();
        self.obey(program);
        handled
    }
}

impl Machine for Library {
    fn set_clock(&mut self, clock: Clock, offset: u64) {
        let program = self.timers.set_clock(clock, Duration::from_ns(offset));
        self.obey(program);
    }

    fn arm(&mut self, timer: TimerId, at: u64, owner: Task, period: Option<u64>) {
        if let Some(period) = period {
            self.periods.insert(timer, Duration::from_ns(period));
        }
        let program = self.timers.arm(timer, Instant::from_ns(at), urgency(owner));
        self.obey(program);
    }

    fn inherit(&mut self, timer: TimerId, owner: Task) {
        let program = self.timers.rekey(timer, urgency(owner));
        self.obey(program);
    }

    fn interrupt(&mut self, now: u64) -> Vec<TimerId> {
        self.fires = None;
        self.timers.interrupt();
        self.handle(now)
    }

    fn switch(&mut self, now: u64, to: Task, limit: u32) -> Vec<TimerId> {
        self.timers.switch(urgency(to), NonZeroU32::new(limit).unwrap());
        self.handle(now)
    }

    fn programmed(&mut self) -> Option<u64> {
        self.fires
    }

    fn listed(&mut self, _reader: Task) -> Vec<TimerId> {
        self.timers.iter().map(|(timer, _)| timer).collect()
    }
}
