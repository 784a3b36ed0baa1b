//! Packets that no analysis covers.

use crate::feature::PacketFeature;
use crate::request::Card;
use vorrang_model::system::{Device, Interrupt, Packets, Scheduler, System, Task, TimerQueue};

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
    let Interrupt { on, wakes, delivery, .. } = system.interrupt(*interrupt);
    if let Packets::Burst { packets, interval } = packets
        && interval.as_ns() < u64::from(*packets)
    {
        return Some(PacketFeature::CrowdedBurst { device: device() });
    }
    let shielded = system.supply(*on).timer_queue == TimerQueue::TimerShield
        && system.timers_on(*on).next().is_some();
    if shielded {
        return Some(PacketFeature::BesideShield { device: device() });
    }
    let Some(poller) = *wakes else { return Some(PacketFeature::Unconnected { name: device() }) };
    let paid = |other: &&Interrupt| {
        let beside = other.delivery.as_ref().zip(delivery.as_ref());
        beside.is_some_and(|(one, own)| one.vcpu == own.vcpu && one.pseudo_vcpu.is_some())
    };
    if let Some(other) = system.interrupts.iter().find(paid) {
        let interrupt = other.name.clone();
        return Some(PacketFeature::BesidePseudoVcpu { device: device(), interrupt });
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
