//! The queue of the kernel module as a machine.
//!
//! What the kernel does around it is done here: it takes a clock's offset away when it programs the hardware for a proxy,
//! and runs the callback that restarts a timer. At a switch the proxy of a clock with something due fires at once: the
//! first batch of that counts as the switch's.

use crate::kernel::{Kernel, LEAST};
use crate::machine::{Machine, Task};
use std::collections::BTreeMap;
use vorrang_timer::{Class, Clock, TimerId};

pub(crate) struct Module {
    queues: Kernel,
    offsets: [u64; 4],
    running: u32,
    /// The level, and the period if its callback restarts it.
    timers: BTreeMap<TimerId, (u32, Option<u64>)>,
}

/// The level of a task, as the module has it.
fn level_of(task: Task) -> u32 {
    match task.inherits.unwrap_or(task.class) {
        Class::Stop | Class::Deadline => 0,
        Class::RealTime(priority) => LEAST - u32::from(priority),
        Class::Fair(_) | Class::Idle => LEAST,
    }
}

impl Module {
    pub(crate) fn new() -> Self {
        let (queues, timers) = (Kernel::start(), BTreeMap::new());
        Self { queues, offsets: [0; 4], running: LEAST, timers }
    }

    fn put(&mut self, timer: TimerId, at: u64) {
        let (level, _) = self.timers[&timer];
        let clock = timer.clock as usize;
        self.queues.ask(&format!("arm {clock} {} {at} {level}", timer.slot));
    }

    /// What fires while the present level runs, at most so many.
    fn fire(&mut self, now: u64, limit: u32) -> Vec<TimerId> {
        let mut handled = Vec::new();
        for clock in Clock::ALL {
            let (number, at) = (clock as usize, now + self.offsets[clock as usize]);
            let command = format!("expire {number} {at} {} 0", self.running);
            while handled.len() < limit as usize {
                let Some(slot) = self.queues.number(&command) else { break };
                let timer = TimerId { clock, slot: u32::try_from(slot).unwrap() };
                if let (_, Some(period)) = self.timers[&timer] {
                    self.put(timer, at + period);
                }
                handled.push(timer);
            }
        }
        handled
    }
}

impl Machine for Module {
    fn set_clock(&mut self, clock: Clock, offset: u64) {
        self.offsets[clock as usize] = offset;
    }

    fn arm(&mut self, timer: TimerId, at: u64, owner: Task, period: Option<u64>) {
        self.timers.insert(timer, (level_of(owner), period));
        self.put(timer, at);
    }

    fn inherit(&mut self, timer: TimerId, owner: Task) {
        let level = level_of(owner);
        self.timers.entry(timer).and_modify(|(before, _)| *before = level);
        self.queues.ask(&format!("rekey {} {} {level}", timer.clock as usize, timer.slot));
    }

    fn interrupt(&mut self, now: u64) -> Vec<TimerId> {
        self.fire(now, u32::MAX)
    }

    fn switch(&mut self, now: u64, to: Task, limit: u32) -> Vec<TimerId> {
        self.running = level_of(to);
        self.fire(now, limit)
    }

    fn programmed(&mut self) -> Option<u64> {
        let due = |clock: Clock| {
            let number = clock as usize;
            let event = self.queues.number(&format!("event {number} {} 0", self.running))?;
            Some(event.saturating_sub(self.offsets[number]))
        };
        Clock::ALL.into_iter().filter_map(due).min()
    }

    fn listed(&mut self, _reader: Task) -> Vec<TimerId> {
        let of_clock = |clock: Clock| {
            let slots = self.queues.ask(&format!("held {}", clock as usize));
            let timer = |slot: &str| TimerId { clock, slot: slot.parse().expect("a slot") };
            slots.split_whitespace().map(timer).collect::<Vec<_>>()
        };
        Clock::ALL.into_iter().flat_map(of_clock).collect()
    }
}
