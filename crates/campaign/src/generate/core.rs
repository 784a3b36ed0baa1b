//! A core: its scheduler, its interrupts, and its members.

use super::{Draft, Load, Manner};
use vorrang_model::system::{Scheduler, SupplyId, SupplyKind};

impl Draft {
    pub(super) fn core(&mut self, number: usize) {
        let scheduler = self.manner.core_scheduler(&mut self.random);
        let core = self.add_supply(format!("core.{number}"), SupplyKind::Core, scheduler);
        let guests = self.manner.is_of_guests();
        // Costs come on top.
        let light = guests || matches!(self.manner, Manner::Charged | Manner::Shielded);
        let load = if light { Load::Light } else { Load::draw(&mut self.random) };
        let mut share = load.share(&mut self.random, self.scale.whole());
        if self.manner == Manner::Shielded {
            share = share.div_ceil(2);
        }
        let reserved = self.manner == Manner::Reserved;
        let in_ten = if self.manner == Manner::Shielded { 7 } else { 4 };
        if guests || reserved || self.random.chance(in_ten, 10) {
            share = self.interrupts(core, share);
        }
        match scheduler {
            Scheduler::Slots => self.slots(core, share),
            _ => self.fill(core, 0, share),
        }
        self.interrupt_order(core);
        self.deliveries(core);
        self.devices(core);
        self.timers(core);
        self.wake_ups(core);
    }

    /// A frame cut into slots of one core, some of them only in every second or third frame.
    fn slots(&mut self, core: SupplyId, share: u64) {
        let whole = self.scale.whole();
        let share = share.min(whole);
        let frame = self.scale.draw_server_period(&mut self.random, 0).max(2);
        let parts = self.scale.draw_members(&mut self.random, 1);
        let mut start = 0;
        for share in self.random.shares(share, parts) {
            // A demand that is rounded up to a unit may not fit behind the others.
            let length = self.scale.part(&mut self.random, share, frame).min(frame - start);
            if length == 0 {
                break;
            }
            self.slots_of_one_part(core, frame, start, length);
            start += length;
            let left = frame - start;
            start += if self.random.chance(1, 3) { self.random.between(0, left / 2) } else { 0 };
        }
    }

    /// The servers that use `[start, start + length)` of the frame: one in every frame, one or
    /// two that take turns, or a table that has two turns.
    fn slots_of_one_part(&mut self, core: SupplyId, frame: u64, start: u64, length: u64) {
        let turns = self.random.weighted(&[(6, 1), (1, 2), (1, 3)]);
        let first = self.random.below(turns);
        let second = (first + 1) % turns * frame + start;
        let both = turns > 1 && self.random.chance(1, 2);
        let is_table = both && self.random.chance(1, 2);
        if is_table {
            // The second one may be shorter, so that not all waits are equal.
            let shorter = self.random.between(1, length);
            let windows = [(first * frame + start, length), (second, shorter)];
            return self.table(core, turns * frame, windows);
        }
        self.slot(core, turns * frame, first * frame + start, length);
        if both {
            self.slot(core, turns * frame, second, length);
        }
    }
}
