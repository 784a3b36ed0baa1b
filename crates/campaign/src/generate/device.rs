//! Network cards: an interrupt that wakes the polling task, and the receiver.

use super::{Draft, Manner};
use vorrang_model::system::{
    Activation, Device, DeviceId, InterruptId, Packets, Scheduler, SupplyId, TaskId,
};
use vorrang_time::Duration;

/// The fastest link that a description may state.
const FASTEST: u64 = 1_000_000_000_000;

impl Draft {
    /// One card in a quarter of the cores that have an interrupt.
    pub(super) fn devices(&mut self, core: SupplyId) {
        let often = if self.manner == Manner::Shielded { 2 } else { 1 };
        if !self.random.chance(often, 4) {
            return;
        }
        let may_raise = |&id: &InterruptId| !self.manner.is_covered() || !self.has_pseudo_vcpu(id);
        let interrupt = self.system.interrupts_on(core).find(may_raise);
        let Some(interrupt) = interrupt else { return };
        let Some(polling) = self.polling_task(core, interrupt) else { return };
        let number = self.system.devices.len();
        let receiver = self.receiver(core, polling);
        let period = self.system.interrupt(interrupt).min_interarrival;
        let ring = self.random.between(1, 6);
        let small = |number: u64| u32::try_from(number).expect("small");
        let timed = self.random.chance(1, 3);
        let coalesce = if self.random.chance(1, 2) { self.random.between(1, ring) } else { 1 };
        let coalesce_time = if timed && coalesce > 1 {
            let units = period.div_floor(self.scale.unit());
            let wait = self.random.between(1, units);
            self.units(wait)
        } else {
            Duration::ZERO
        };
        let per_packet = self.scale.draw_short(&mut self.random, 2);
        let packets = self.packets(period);
        // The card determines its rate and its arrivals.
        self.system.interrupts[interrupt.0].jitter = Duration::ZERO;
        self.system.interrupts[interrupt.0].storm = None;
        self.system.devices.push(Device {
            name: format!("device.d{number}"),
            interrupt,
            ring: small(ring),
            coalesce_packets: small(coalesce),
            coalesce_time,
            budget: small(self.random.between(1, 4)),
            per_packet: self.units(per_packet),
            socket: receiver.map_or(0, |_| small(self.random.between(1, 4))),
            receiver,
            payload: 192,
            packets,
        });
    }

    /// The task that the interrupt wakes already, or a task outside guests.
    fn polling_task(&mut self, core: SupplyId, interrupt: InterruptId) -> Option<TaskId> {
        let stated = self.system.interrupt(interrupt);
        if stated.wakes.is_some() || stated.delivery.is_some() {
            return stated.wakes.filter(|&task| self.may_take_packets(task));
        }
        let mut tasks = self.free_tasks(core);
        tasks.retain(|&task| !self.is_in_guest(self.system.task(task).on));
        let task = (!tasks.is_empty()).then(|| self.random.one_of(&tasks))?;
        let period = self.system.interrupt(interrupt).min_interarrival;
        self.system.interrupts[interrupt.0].wakes = Some(task);
        self.activate(task, Activation::Interrupt(interrupt), period);
        Some(task)
    }

    /// Tasks that nothing activates yet and that may take packets.
    fn free_tasks(&self, core: SupplyId) -> Vec<TaskId> {
        let mut tasks = self.sporadic_tasks(core);
        tasks.retain(|&task| self.may_take_packets(task));
        tasks
    }

    /// Bounds are known where priority decides.
    fn may_take_packets(&self, task: TaskId) -> bool {
        let scheduler = self.system.supply(self.system.task(task).on).scheduler;
        !self.manner.is_covered()
            || matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux)
    }

    /// What a card raises has none where bounds are asked for.
    fn has_pseudo_vcpu(&self, interrupt: InterruptId) -> bool {
        let delivery = self.system.interrupt(interrupt).delivery.as_ref();
        delivery.is_some_and(|delivery| delivery.pseudo_vcpu.is_some())
    }

    /// A task of the same machine.
    fn receiver(&mut self, core: SupplyId, polling: TaskId) -> Option<TaskId> {
        let vcpu = self.vcpu_around(self.system.task(polling).on);
        let mut tasks = self.free_tasks(core);
        tasks.retain(|&task| self.vcpu_around(self.system.task(task).on) == vcpu);
        if tasks.is_empty() || self.random.chance(1, 4) {
            return None;
        }
        let receiver = self.random.one_of(&tasks);
        let by = Activation::Device(DeviceId(self.system.devices.len()));
        let period = self.system.task(receiver).min_interarrival;
        self.activate(receiver, by, period);
        Some(receiver)
    }

    fn packets(&mut self, period: Duration) -> Packets {
        match self.random.below(5) {
            0..=1 => Packets::Periodic { interval: period },
            2 => {
                let packets = u32::try_from(self.random.between(2, 5)).expect("small");
                Packets::Burst { packets, interval: period * 2 }
            }
            3 if !self.manner.is_covered() => Packets::Poisson { mean: period },
            // 192 + 66 bytes in about the period.
            _ => {
                let bits_per_second = 258 * 8 * 1_000_000_000 / period.as_ns();
                let bits_per_second = bits_per_second.clamp(1, FASTEST);
                Packets::LineRate { bits_per_second, framing: 66 }
            }
        }
    }
}
