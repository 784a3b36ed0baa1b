//! Interrupts: short, frequent, before everything else on their core.

use super::{Draft, Manner};
use vorrang_model::system::{Interrupt, InterruptTime, Scheduler, SupplyId};

impl Draft {
    /// What interrupts are charged to, on cores whose servers may be charged.
    pub(super) fn interrupt_times(&mut self) {
        let Self { random, system, .. } = self;
        for core in system.supplies.iter_mut().filter(|supply| supply.is_core()) {
            if matches!(core.scheduler, Scheduler::Linux | Scheduler::Edf) {
                core.interrupt_time =
                    random.one_of(&[InterruptTime::Apart, InterruptTime::Charged]);
            }
        }
    }

    /// One to three interrupts on a core; returns the rest of `share`.
    pub(super) fn interrupts(&mut self, core: SupplyId, share: u64) -> u64 {
        let counts = match self.manner {
            Manner::Guests | Manner::Credits => [(1, 1), (3, 2), (2, 3)],
            _ => [(5, 1), (3, 2), (1, 3)],
        };
        let count = self.random.weighted(&counts);
        let asked = (share / self.random.between(4, 20)).max(1).min(share);
        for share in self.random.shares(asked, count) {
            let period = self.scale.draw_period(&mut self.random, 0);
            // Room for what follows in a guest.
            let period =
                if self.manner.is_of_guests() { period * 4 } else { self.times() * period };
            let isr = self.scale.part(&mut self.random, share, period);
            let jitter = self.jitter(period);
            let interrupt = Interrupt {
                name: format!("interrupt.i{}", self.system.interrupts.len()),
                on: core,
                isr: self.units(isr),
                min_interarrival: self.units(period),
                jitter: self.units(jitter),
                ..Interrupt::default()
            };
            self.system.interrupts.push(interrupt);
        }
        (share - asked).max(1)
    }
}
