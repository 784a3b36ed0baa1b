//! A device of a core in a history.

use crate::history::History;
use crate::packet_times::PacketTimes;
use crate::task::Packets;
use crate::tree::Tree;
use vorrang_mechanisms::device::NetworkCard;
use vorrang_model::system::{DeviceId, System};
use vorrang_time::{Duration, Instant};

/// A network card, and the packets that are to arrive at it.
#[derive(Clone, Debug)]
pub(crate) struct DeviceState {
    pub(crate) id: DeviceId,
    pub(crate) card: NetworkCard,
    /// The time of the polling task for a packet.
    pub(crate) per_packet: Duration,
    /// The interrupt that it raises, by its place.
    pub(crate) interrupt: usize,
    /// The receiver, by its place.
    pub(crate) receiver: Option<usize>,
    packets: PacketTimes,
    /// When the next packet arrives.
    pub(crate) next: Option<Instant>,
}

impl DeviceState {
    /// The device before a history; its interrupt, its polling task and its receiver are told.
    pub(crate) fn new(system: &System, id: DeviceId, tree: &mut Tree, place: usize) -> Self {
        let device = system.device(id);
        let interrupt = tree.interrupts.binary_search_by_key(&device.interrupt, |state| state.id);
        let interrupt = interrupt.expect("covered: on the same core");
        tree.interrupts[interrupt].has_source = true;
        if let Some(poller) = tree.interrupts[interrupt].wakes {
            tree.tasks[poller].takes = Some(Packets::Ring(place));
        }
        let receiver = device.receiver.map(|receiver| tree.task(receiver));
        if let Some(receiver) = receiver {
            tree.tasks[receiver].takes = Some(Packets::Socket(place));
        }
        Self {
            id,
            card: card(system, id),
            per_packet: device.per_packet,
            interrupt,
            receiver,
            packets: PacketTimes::new(device, None, (0, 0)),
            next: None,
        }
    }

    /// Resets it to the start of a history.
    pub(crate) fn reset(&mut self, system: &System, history: &History) {
        self.card = card(system, self.id);
        self.packets = history.packets(system, self.id);
        self.next = self.packets.next();
    }

    /// The packet that is due.
    pub(crate) fn take_next(&mut self) {
        self.next = self.packets.next();
    }

    /// Its next event.
    pub(crate) fn due(&self) -> Instant {
        self.next.unwrap_or(Instant::NEVER).min(self.card.due())
    }
}

fn card(system: &System, id: DeviceId) -> NetworkCard {
    let device = system.device(id);
    let coalesce = (device.coalesce_packets, device.coalesce_time);
    NetworkCard::new(device.ring, coalesce, device.budget, device.socket)
}
