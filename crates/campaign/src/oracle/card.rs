//! Network cards: ring, coalescing, budgeted polling, socket buffer.

use super::{Core, listed};
use std::collections::VecDeque;
use vorrang_model::system::{Activation, Device, DeviceId, InterruptId, TaskId};

/// One card.
pub(super) struct Card {
    /// The arrivals of the packets in the ring.
    ring: VecDeque<u64>,
    /// Packets in the socket buffer.
    socket: u32,
    enabled: bool,
    /// The packet that the polling task works on.
    packet: Option<u64>,
    /// Packets taken by the current job of the polling task.
    taken: u32,
}

impl Card {
    pub(super) fn new(_device: &Device) -> Self {
        Self { ring: VecDeque::new(), socket: 0, enabled: true, packet: None, taken: 0 }
    }
}

impl Core<'_> {
    /// Step 4.
    pub(super) fn packets_arrive(&mut self) {
        for id in self.system.devices_on(self.id) {
            let history = self.history;
            let room = self.system.device(id).ring as usize;
            for &at in listed(&history.packets, id.0).iter().filter(|&&at| at == self.now) {
                if self.cards[id.0].ring.len() < room {
                    self.cards[id.0].ring.push_back(at);
                }
            }
        }
    }

    /// The interrupts that cards raise now.
    pub(super) fn raised_by_cards(&mut self) -> Vec<InterruptId> {
        let mut raised = Vec::new();
        for id in self.system.devices_on(self.id) {
            let device = self.system.device(id);
            let card = &mut self.cards[id.0];
            let many = card.ring.len() >= device.coalesce_packets as usize;
            let wait = device.coalesce_time.as_ns();
            let first = card.ring.front();
            let long = wait > 0 && first.is_some_and(|first| first + wait <= self.now);
            if card.enabled && (many || long) {
                card.enabled = false;
                raised.push(device.interrupt);
            }
        }
        raised
    }

    /// The card that raises an interrupt.
    pub(super) fn card_of(&self, interrupt: InterruptId) -> Option<DeviceId> {
        let mut cards = (0..self.cards.len()).map(DeviceId);
        cards.find(|&id| self.system.device(id).interrupt == interrupt)
    }

    fn polled_by(&self, task: TaskId) -> Option<DeviceId> {
        match self.system.task(task).activation {
            Activation::Interrupt(id) => self.card_of(id),
            _ => None,
        }
    }

    /// Step 1: the polling task is done with a part of its job. Whether it goes on with a packet.
    pub(super) fn takes_a_packet(&mut self, task: TaskId) -> bool {
        let Some(id) = self.polled_by(task) else { return false };
        let device = self.system.device(id);
        loop {
            if let Some(arrival) = self.cards[id.0].packet.take() {
                self.put_into_socket(id, arrival);
            }
            let card = &mut self.cards[id.0];
            if card.taken == device.budget {
                return false;
            }
            let Some(next) = card.ring.pop_front() else { return false };
            card.packet = Some(next);
            card.taken += 1;
            if !device.per_packet.is_zero() {
                self.tasks[task.0].left = device.per_packet.as_ns();
                return true;
            }
        }
    }

    fn put_into_socket(&mut self, id: DeviceId, arrival: u64) {
        let device = self.system.device(id);
        let Some(receiver) = device.receiver else { return };
        let card = &mut self.cards[id.0];
        if card.socket < device.socket {
            card.socket += 1;
            self.release(receiver, arrival);
        }
    }

    /// The job of a polling task is complete: the next one, or interrupts again.
    pub(super) fn end_of_poll(&mut self, task: TaskId) {
        let Some(id) = self.polled_by(task) else { return };
        let card = &mut self.cards[id.0];
        card.taken = 0;
        match card.ring.front().copied() {
            Some(first) => self.release(task, first),
            None => card.enabled = true,
        }
    }

    /// The job of a receiver is complete: its packet leaves the socket buffer.
    pub(super) fn packet_read(&mut self, task: TaskId) {
        if let Activation::Device(id) = self.system.task(task).activation {
            self.cards[id.0].socket -= 1;
        }
    }
}
