//! Every packet was offered, and every loss is reported.
//!
//! ```text
//!   offered ─┬─▶ ring ──▶ in hand ──▶ polled ─┬─▶ socket ──▶ delivered
//!            └─▶ dropped                      └─▶ dropped
//! ```
//!
//! **Model.** "Network cards" in `docs/model.md`. Packets keep their order in the ring and in the
//! socket buffer; a packet is dropped only where there is no room for it.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use std::collections::VecDeque;
use vorrang_model::system::DeviceId;
use vorrang_sim::Packet;
use vorrang_time::Instant;

/// The packets of a core.
pub(super) struct Packets {
    cards: Vec<Card>,
}

/// Where the packets of a card are.
#[derive(Clone, Default)]
struct Card {
    /// Dropped, or in the ring at some time.
    offered: usize,
    /// In the ring or in hand, by arrival.
    waiting: VecDeque<Instant>,
    /// In the socket buffer, by arrival.
    socket: VecDeque<Instant>,
}

impl Packets {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        Self { cards: vec![Card::default(); picture.system.devices.len()] }
    }

    fn packet(
        &mut self,
        id: DeviceId,
        event: Packet,
        arrival: Instant,
        picture: &Picture<'_>,
        findings: &mut Findings,
    ) {
        let device = picture.system.device(id);
        let card = &mut self.cards[id.0];
        let (ring, socket) = (device.ring as usize, device.socket as usize);
        // One may be in hand besides, which has left the ring.
        let holds = match event {
            Packet::Arrived => {
                card.offered += 1;
                card.waiting.push_back(arrival);
                card.waiting.len() <= ring + 1
            }
            Packet::DroppedAtRing => {
                card.offered += 1;
                (ring..=ring + 1).contains(&card.waiting.len())
            }
            Packet::Polled => {
                let first = card.waiting.pop_front();
                card.socket.push_back(arrival);
                first == Some(arrival)
            }
            Packet::DroppedAtSocket => {
                let last = card.socket.pop_back();
                device.receiver.is_some() && last == Some(arrival) && card.socket.len() == socket
            }
            Packet::Delivered => {
                let first = card.socket.pop_front();
                first == Some(arrival)
            }
        };
        findings.expect(holds, Invariant::Packets, picture.now, || {
            let (waiting, socket) = (&card.waiting, &card.socket);
            format!("{id:?}: {event:?} {arrival}; then {waiting:?} wait, {socket:?} in the socket")
        });
    }

    /// Between instants: nothing is on its way from the polling task to the socket buffer.
    fn settled(&self, picture: &Picture<'_>, findings: &mut Findings) {
        for (device, card) in picture.system.devices.iter().zip(&self.cards) {
            let most = device.receiver.map_or(0, |_| device.socket as usize);
            findings.expect(card.socket.len() <= most, Invariant::Packets, picture.now, || {
                format!("{}: {:?} in a socket buffer for {most}", device.name, card.socket)
            });
            let jobs = device.receiver.map_or(0, |task| picture.jobs[task.0].len());
            findings.expect(card.socket.len() == jobs, Invariant::Packets, picture.now, || {
                format!("{}: {jobs} jobs for {:?}", device.name, card.socket)
            });
        }
    }

    fn ended(&self, at: Instant, picture: &Picture<'_>, findings: &mut Findings) {
        for id in picture.system.devices_on(picture.core) {
            let packets = picture.history.packets(picture.system, id);
            let due = packets.take_while(|arrival| *arrival < at).count();
            let offered = self.cards[id.0].offered;
            findings.expect(offered == due, Invariant::Packets, at, || {
                format!("{id:?}: {due} packets came, {offered} were seen")
            });
        }
    }
}

impl Check for Packets {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::PACKET, Kinds::RUNS, Kinds::ENDED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            Event::Packet(id, event, arrival, _) => {
                self.packet(id, event, arrival, picture, findings);
            }
            Event::Runs(..) => self.settled(picture, findings),
            Event::Ended(at) => self.ended(at, picture, findings),
            _ => {}
        }
    }
}
