//! Timers of tasks, in both queues.

use super::{Draft, Manner, Scale};
use vorrang_model::system::{Activation, SupplyId, TaskId, Timer, TimerId, TimerQueue};
use vorrang_time::Duration;

impl Draft {
    /// Up to three timers on a core, in a third of them; where shields are asked for, up to four on every core.
    pub(super) fn timers(&mut self, core: SupplyId) {
        let shielded = self.manner == Manner::Shielded;
        if !shielded && !self.random.chance(1, 3) {
            return;
        }
        let queues = [TimerQueue::HrTimer, TimerQueue::TimerShield];
        let queue = if shielded { TimerQueue::TimerShield } else { self.random.one_of(&queues) };
        self.system.supplies[core.0].timer_queue = queue;
        if queue == TimerQueue::TimerShield && self.random.chance(1, 3) {
            let most = self.times() * self.scale.draw_period(&mut self.random, 0);
            let part = self.random.one_of(&[1, 4, 16]);
            // Many latencies are close to what the tasks take once.
            let near = shielded && self.random.chance(1, 2);
            let most = if near { self.work_on(core) } else { most / part };
            self.system.supplies[core.0].max_defer = Some(self.units(most.max(1)));
        }
        for _ in 0..=self.random.below(if shielded { 4 } else { 3 }) {
            let tasks = self.system.task_ids();
            let tasks: Vec<_> =
                tasks.filter(|&id| self.system.core_of(self.system.task(id).on) == core).collect();
            if !tasks.is_empty() {
                let task = self.random.one_of(&tasks);
                self.timer(task);
            }
        }
    }

    /// What some of the tasks on a core take once.
    fn work_on(&mut self, core: SupplyId) -> u64 {
        let mut sum = Duration::ZERO;
        for task in self.system.tasks.iter().filter(|task| self.system.core_of(task.on) == core) {
            if self.random.chance(2, 3) {
                sum += task.wcet;
            }
        }
        let sum = sum.div_floor(self.scale.unit());
        sum + self.random.between(0, sum / 4 + 4)
    }

    fn timer(&mut self, armed_by: TaskId) {
        let wakes = self.system.task(armed_by).activation == Activation::Sporadic
            && self.random.chance(1, 2);
        let number = self.system.timers.len();
        let period = if wakes {
            self.system.task(armed_by).min_interarrival
        } else {
            let period = self.scale.draw_period(&mut self.random, 0);
            self.units(self.times() * period)
        };
        let by = Activation::Timer(TimerId(number));
        self.system.timers.push(Timer {
            name: format!("timer.t{number}"),
            armed_by,
            period,
            wakes,
        });
        if wakes {
            self.activate(armed_by, by, period);
        }
    }

    /// How much longer periods are than their scale has them: calls around each job and expiry take their time.
    pub(super) fn times(&self) -> u64 {
        match (self.manner, self.scale) {
            (Manner::Shielded, Scale::Tiny | Scale::Small) => 6,
            (Manner::Shielded, _) => 2,
            _ => 1,
        }
    }

    /// Guests take half of the timers of their tasks with a routine of their own.
    pub(super) fn timers_of_guests(&mut self) {
        for id in self.system.timer_ids() {
            let armed_by = self.system.task(self.system.timer(id).armed_by);
            if self.is_in_guest(armed_by.on) && self.random.chance(1, 2) {
                let isr = self.scale.draw_short(&mut self.random, 2);
                let isr = self.units(isr);
                self.system.deliver_timer(id, isr, None);
            }
        }
    }
}
