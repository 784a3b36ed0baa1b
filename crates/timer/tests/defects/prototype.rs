//! Exhibits: a shield as simple as can be, with the priorities and the defects of the prototype.
//!
//! Priorities are those of Linux: 0 to 99 real-time, 100 to 139 nice, smaller is more urgent.

use crate::machine::{Machine, Task};
use std::collections::BTreeMap;
use vorrang_timer::{Class, Clock, TimerId};

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// The switch programs the hardware with the instant of the clock.
    RawExpiry,
    /// After a timer has run, one that is less urgent ends the interrupt and leaves the hardware
    /// off for the switch to come, even if that timer has not expired, so that none comes.
    StopBeforeExpiry,
    /// A callback that restarts its timer makes it as urgent as the task that it interrupted.
    RestartAsInterrupted,
    /// What runs, and what arms, counts with its own priority, whatever it inherits.
    OwnPriority,
    /// All that was held back is handled at one switch.
    UnboundedBatch,
    /// The list of timers shows the queue of its reader.
    ListOfReader,
    /// Deadline and stop tasks have priority −1, for which there is no queue.
    DeadlineOutOfBounds,
    /// The idle task has the priority that it inherited from the task that made it: nice 0.
    IdleAsNice,
}

impl Defect {
    pub(crate) const ALL: [Self; 8] = [
        Self::RawExpiry,
        Self::StopBeforeExpiry,
        Self::RestartAsInterrupted,
        Self::OwnPriority,
        Self::UnboundedBatch,
        Self::ListOfReader,
        Self::DeadlineOutOfBounds,
        Self::IdleAsNice,
    ];
}

/// A timer that is pending.
#[derive(Clone, Copy)]
struct Pending {
    timer: TimerId,
    at: u64,
    priority: i32,
}

pub(crate) struct Prototype {
    defect: Option<Defect>,
    /// By priority; the last is that of idle.
    queues: Vec<Vec<Pending>>,
    offsets: [u64; 4],
    periods: BTreeMap<TimerId, u64>,
    running: Task,
    programmed: Option<u64>,
}

impl Prototype {
    pub(crate) fn right() -> Self {
        Self {
            defect: None,
            queues: vec![Vec::new(); 141],
            offsets: [0; 4],
            periods: BTreeMap::new(),
            running: Task::IDLE,
            programmed: None,
        }
    }

    pub(crate) fn with(defect: Defect) -> Self {
        Self { defect: Some(defect), ..Self::right() }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    fn priority(&self, task: Task) -> i32 {
        let inherited = task.inherits.filter(|_| !self.has(Defect::OwnPriority));
        match inherited.unwrap_or(task.class) {
            Class::Stop | Class::Deadline => -i32::from(self.has(Defect::DeadlineOutOfBounds)),
            Class::RealTime(priority) => 99 - i32::from(priority),
            Class::Fair(nice) => 120 + i32::from(nice),
            Class::Idle => {
                if self.has(Defect::IdleAsNice) {
                    120
                } else {
                    140
                }
            }
        }
    }

    fn due(&self, pending: &Pending) -> u64 {
        pending.at.saturating_sub(self.offsets[pending.timer.clock as usize])
    }

    /// The first timer at least as urgent as what runs.
    fn first(&self) -> Option<Pending> {
        let priority = self.priority(self.running);
        let queues = self.queues.iter().take(usize::try_from(priority + 1).unwrap());
        queues.flatten().min_by_key(|pending| self.due(pending)).copied()
    }

    fn insert(&mut self, pending: Pending) {
        // Safe code cannot write in front of an array; the timer is lost all the same.
        if let Ok(queue) = usize::try_from(pending.priority) {
            self.queues[queue].push(pending);
        }
    }

    fn remove(&mut self, timer: TimerId) -> Option<Pending> {
        let queue = self.queues.iter_mut().find(|q| q.iter().any(|p| p.timer == timer))?;
        let place = queue.iter().position(|pending| pending.timer == timer)?;
        Some(queue.swap_remove(place))
    }

    /// Runs a timer's callback.
    fn run(&mut self, pending: Pending) {
        self.remove(pending.timer);
        if let Some(period) = self.periods.get(&pending.timer) {
            let at = pending.at + period;
            let interrupted = self.has(Defect::RestartAsInterrupted);
            let priority = if interrupted { self.priority(self.running) } else { pending.priority };
            self.insert(Pending { at, priority, ..pending });
        }
    }

    fn program(&mut self) {
        self.programmed = self.first().map(|first| self.due(&first));
    }
}

impl Machine for Prototype {
    fn set_clock(&mut self, clock: Clock, offset: u64) {
        self.offsets[clock as usize] = offset;
        self.program();
    }

    fn arm(&mut self, timer: TimerId, at: u64, owner: Task, period: Option<u64>) {
        self.periods.extend(period.map(|period| (timer, period)));
        self.insert(Pending { timer, at, priority: self.priority(owner) });
        self.program();
    }

    fn inherit(&mut self, timer: TimerId, owner: Task) {
        if let Some(pending) = self.remove(timer) {
            self.insert(Pending { priority: self.priority(owner), ..pending });
        }
        self.program();
    }

    fn interrupt(&mut self, now: u64) -> Vec<TimerId> {
        let mut handled = Vec::new();
        let mut last = i32::MAX;
        while let Some(first) = self.first() {
            if self.has(Defect::StopBeforeExpiry) && first.priority > last && last != i32::MAX {
                self.programmed = None;
                return handled;
            }
            if self.due(&first) > now {
                break;
            }
            last = first.priority;
            self.run(first);
            handled.push(first.timer);
        }
        self.program();
        handled
    }

    fn switch(&mut self, now: u64, to: Task, limit: u32) -> Vec<TimerId> {
        let mut handled = Vec::new();
        self.running = to;
        let unbounded = self.has(Defect::UnboundedBatch);
        while unbounded || handled.len() < limit as usize {
            let Some(first) = self.first().filter(|first| self.due(first) <= now) else { break };
            self.run(first);
            handled.push(first.timer);
        }
        self.program();
        if self.has(Defect::RawExpiry) {
            self.programmed = self.first().map(|first| first.at);
        }
        handled
    }

    fn programmed(&mut self) -> Option<u64> {
        self.programmed
    }

    fn listed(&mut self, reader: Task) -> Vec<TimerId> {
        let priority = usize::try_from(self.priority(reader)).unwrap();
        let of_reader = self.has(Defect::ListOfReader);
        let queues = self.queues.iter().enumerate();
        let shown = queues.filter(|(queue, _)| !of_reader || *queue == priority);
        shown.flat_map(|(_, queue)| queue).map(|pending| pending.timer).collect()
    }
}
