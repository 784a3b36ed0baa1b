//! Packets: their arrival at the card, the polling task, the socket buffer, the receiver.

use super::one_core::OneCore;
use crate::observer::{Observer, Packet};
use vorrang_mechanisms::device::Next;
use vorrang_time::Instant;

impl OneCore<'_> {
    /// Packets arrive at a card, or the first of them has waited long enough.
    pub(super) fn serve_card(&mut self, device: usize, now: Instant, observer: &mut impl Observer) {
        let mut packets = 0;
        let state = &mut self.devices[device];
        while state.next.is_some_and(|next| next <= now) {
            state.take_next();
            packets += 1;
            let has_room = state.card.arrive(now);
            let event = if has_room { Packet::Arrived } else { Packet::DroppedAtRing };
            observer.packet(state.id, event, now, now);
        }
        if state.card.raise(now) {
            // Requested with the other interrupts of this instant.
            let interrupt = state.interrupt;
            self.tree.interrupts[interrupt].raise(now);
            self.set_interrupt_timer(interrupt);
        }
        self.set_device_timer(device);
        self.take_steps(packets);
    }

    pub(super) fn set_device_timer(&mut self, device: usize) {
        let due = self.devices[device].due();
        self.timers.set(self.entities.devices + device, due);
    }

    /// The polling task of a device did its work for a round, or for a packet. Returns what it does next; for
    /// another packet the remaining work of the job is set.
    pub(super) fn poll(
        &mut self,
        task: usize,
        device: usize,
        now: Instant,
        observer: &mut impl Observer,
    ) -> Next {
        loop {
            if let Some(arrival) = self.devices[device].card.finish() {
                self.deliver_packet(device, arrival, now, observer);
            }
            let state = &mut self.devices[device];
            let next = state.card.poll();
            match next {
                Next::Packet(_) if state.per_packet.is_zero() => {}
                Next::Packet(_) => {
                    let live = self.tree.tasks[task].backlog.front_mut().expect("it runs");
                    live.remaining = state.per_packet;
                    return next;
                }
                Next::Again(_) | Next::Done => {
                    self.set_device_timer(device);
                    return next;
                }
            }
        }
    }

    /// The polling task has processed a packet: it goes to the socket buffer.
    fn deliver_packet(
        &mut self,
        device: usize,
        arrival: Instant,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let state = &mut self.devices[device];
        observer.packet(state.id, Packet::Polled, arrival, now);
        match state.receiver {
            None => observer.packet(state.id, Packet::Delivered, arrival, now),
            Some(receiver) if state.card.put() => {
                self.activate(receiver, arrival, now, false, observer);
            }
            Some(_) => observer.packet(state.id, Packet::DroppedAtSocket, arrival, now),
        }
    }

    /// The receiver of a device has processed a packet.
    pub(super) fn received(
        &mut self,
        device: usize,
        arrival: Instant,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let state = &mut self.devices[device];
        state.card.receive();
        observer.packet(state.id, Packet::Delivered, arrival, now);
    }
}
