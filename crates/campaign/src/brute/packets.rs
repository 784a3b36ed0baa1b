//! The packets of a network card in ticks: at the instants that are wanted, as close together as stated.

use super::start_of_interrupt;
use crate::oracle::start;
use vorrang_model::system::{Device, DeviceId, Packets, SupplyId, System};

/// The network cards of a core.
pub(super) fn cards_on(system: &System, core: SupplyId) -> impl Iterator<Item = DeviceId> + '_ {
    system.devices_on(core)
}

/// The first instant at which packets may arrive: their supplies are started.
pub(super) fn start_of_packets(system: &System, id: DeviceId, phases: &[u64]) -> u64 {
    let device = system.device(id);
    let read = device.receiver.map_or(0, |task| start(system, system.task(task).on, phases));
    start_of_interrupt(system, device.interrupt, phases).max(read)
}

/// The least ticks from the packets of one instant to the next, and how many there are at each.
pub(super) fn spacing(device: &Device) -> (u64, u32) {
    match device.packets {
        Packets::Periodic { interval } => (interval.as_ns(), 1),
        Packets::Burst { packets, interval } => (interval.as_ns(), packets),
        Packets::Poisson { mean } => (mean.as_ns(), 1),
        Packets::LineRate { bits_per_second, framing } => {
            let bits = 8 * (u128::from(device.payload) + u128::from(framing));
            let ns = (bits * 1_000_000_000).div_ceil(bits_per_second.into());
            (u64::try_from(ns).expect("a packet takes no years"), 1)
        }
    }
}

/// Arrivals from `first` on, each instant so much later than it could be after the one before.
pub(super) fn arrivals(
    device: &Device,
    first: u64,
    horizon: u64,
    mut gap: impl FnMut(u64) -> u64,
) -> Vec<u64> {
    let (apart, at_once) = spacing(device);
    let mut arrivals = Vec::new();
    let mut at = first;
    while at < horizon {
        arrivals.extend((0..at_once).map(|_| at));
        at += apart + gap(apart);
    }
    arrivals
}
