//! The fate of packets, and their delays.

use crate::distribution::{Distribution, Resolution};
use vorrang_model::System;
use vorrang_model::system::{DeviceId, SupplyId};
use vorrang_sim::{Observer, Packet};
use vorrang_time::{Duration, Instant};

/// The packets of one device.
pub struct Packets {
    /// The network card.
    pub device: DeviceId,
    /// Its name.
    pub name: String,
    /// Packets that found room in the ring.
    pub received: u64,
    /// Packets that found the ring full.
    pub dropped_at_ring: u64,
    /// Packets that found the socket buffer full.
    pub dropped_at_socket: u64,
    /// From arrival to the end of the work in the polling task.
    pub round_trips: Distribution,
    /// From arrival to the end of the receiver's job.
    pub deliveries: Distribution,
    /// Whether a task reads the socket; else a packet is delivered when its round trip ends.
    pub has_receiver: bool,
    /// Bytes of each that the receiver gets.
    payload: u32,
}

impl Packets {
    /// How many packets arrived at the card.
    pub fn arrived(&self) -> u64 {
        self.received + self.dropped_at_ring
    }

    /// Packets delivered per second, rounded down.
    pub fn packets_per_second(&self, time: Duration) -> u64 {
        per_second(u128::from(self.deliveries.count()), time)
    }

    /// Bits of payload delivered per second, rounded down.
    pub fn bits_per_second(&self, time: Duration) -> u64 {
        let bits = u128::from(self.deliveries.count()) * u128::from(self.payload) * 8;
        per_second(bits, time)
    }
}

/// So many in this time: how many per second, rounded down.
pub fn per_second(count: u128, time: Duration) -> u64 {
    let rate = count.saturating_mul(1_000_000_000).checked_div(u128::from(time.as_ns()));
    u64::try_from(rate.unwrap_or(0)).unwrap_or(u64::MAX)
}

/// The packets of one run of one core.
pub struct Traffic {
    /// One per device that interrupts the core, in the order of declaration.
    pub devices: Vec<Packets>,
}

impl Traffic {
    /// Nothing seen yet on this core.
    pub fn of_core(system: &System, core: SupplyId, resolution: Resolution) -> Self {
        let devices = system.devices_on(core).map(|id| Packets {
            device: id,
            name: system.device(id).name.clone(),
            received: 0,
            dropped_at_ring: 0,
            dropped_at_socket: 0,
            round_trips: Distribution::new(resolution),
            deliveries: Distribution::new(resolution),
            has_receiver: system.device(id).receiver.is_some(),
            payload: system.device(id).payload,
        });
        Self { devices: devices.collect() }
    }
}

impl Observer for Traffic {
    fn packet(&mut self, device: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        let Some(packets) = self.devices.iter_mut().find(|packets| packets.device == device) else {
            return;
        };
        match event {
            Packet::Arrived => packets.received += 1,
            Packet::DroppedAtRing => packets.dropped_at_ring += 1,
            Packet::DroppedAtSocket => packets.dropped_at_socket += 1,
            Packet::Polled => packets.round_trips.record(at - arrival),
            Packet::Delivered => packets.deliveries.record(at - arrival),
        }
    }
}
