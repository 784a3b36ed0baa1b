//! Timers, and the shields before them.

use super::Coverage;
use vorrang_model::system::{SupplyId, System, TimerQueue};

impl Coverage {
    /// Counts the timers of a system.
    pub(super) fn timers(&mut self, system: &System) {
        for timer in &system.timers {
            let core = system.supply(system.core_of(system.task(timer.armed_by).on));
            self.count("timer", timer_queue(core.timer_queue));
            self.count("timer", if timer.wakes { "that wakes" } else { "without a task" });
        }
        for core in system.cores() {
            self.shield(system, core);
        }
    }

    fn shield(&mut self, system: &System, core: SupplyId) {
        let supply = system.supply(core);
        let has_timers = supply.is_core() && system.timers_on(core).next().is_some();
        if !has_timers || supply.timer_queue != TimerQueue::TimerShield {
            return;
        }
        self.count("shield", "all");
        if !system.costs.scheduler_call.is_zero() {
            self.count("shield", "beside calls of the scheduler");
        }
        if supply.max_defer.is_some() {
            self.count("shield", "with max-defer");
        }
        let interrupts: Vec<_> = system.interrupts_on(core).collect();
        if interrupts.len() > 1 {
            self.count("shield", "beside several routines");
        }
        let paid = system.paid_on(core).next().is_some();
        if paid {
            self.count("shield", "beside a pseudo-VCPU");
        }
        if paid && !system.costs.scheduler_call.is_zero() {
            self.count("shield", "beside calls and a pseudo-VCPU");
        }
        if !supply.sections.is_zero() {
            self.count("shield", "beside sections");
        }
    }
}

fn timer_queue(queue: TimerQueue) -> &'static str {
    match queue {
        TimerQueue::HrTimer => "hrtimer",
        TimerQueue::TimerShield => "timershield",
    }
}
