//! Packets that no analysis covers.

use crate::feature::PacketFeature;
use crate::request::Card;
use vorrang_model::system::{Device, Interrupt, Packets, Scheduler, System, Task};

/// A card whose packets have no least distance, or whose tasks are not chosen by priority.
pub(super) fn about_card(system: &System, device: &Device) -> Option<PacketFeature> {
    let Device {
        name,
        interrupt,
        ring: _,
        coalesce_packets: _,
        coalesce_time: _,
        budget: _,
        per_packet: _,
        socket: _,
        receiver,
        payload: _,
        packets,
    } = device;
    let device = || name.clone();
    if Card::raising(system, *interrupt).is_none() {
        return Some(PacketFeature::Random { device: device() });
    }
    let Interrupt { wakes, delivery, .. } = system.interrupt(*interrupt);
    if let Packets::Burst { packets, interval } = packets
        && interval.as_ns() < u64::from(*packets)
    {
        return Some(PacketFeature::CrowdedBurst { device: device() });
    }
    let Some(poller) = *wakes else { return Some(PacketFeature::Unconnected { name: device() }) };
    if delivery.as_ref().is_some_and(|own| own.pseudo_vcpu.is_some()) {
        let interrupt = system.interrupt(*interrupt).name.clone();
        return Some(PacketFeature::PaidByPseudoVcpu { device: device(), interrupt });
    }
    [Some(poller), *receiver].into_iter().flatten().find_map(|id| {
        let Task { name, on, blocking, .. } = system.task(id);
        if !blocking.is_zero() {
            return Some(PacketFeature::Blocked { task: name.clone() });
        }
        let scheduler = system.supply(*on).scheduler;
        let by_priority = matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        let task = || name.clone();
        (!by_priority).then(|| PacketFeature::WithoutPriority { task: task(), scheduler })
    })
}
