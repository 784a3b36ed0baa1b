//! How often packets come.

use vorrang_model::system::{Device, Packets};
use vorrang_time::Duration;

/// The time between two arrivals of packets, on average: at least a nanosecond.
pub(crate) fn period(device: &Device) -> Duration {
    let period = match device.packets {
        Packets::Periodic { interval } | Packets::Burst { interval, .. } => interval,
        Packets::Poisson { mean } => mean,
        Packets::LineRate { bits_per_second, framing } => {
            let bits = (u128::from(device.payload) + u128::from(framing)) * 8;
            let ns = bits * 1_000_000_000 / u128::from(bits_per_second.max(1));
            Duration::from_ns(u64::try_from(ns).unwrap_or(u64::MAX))
        }
    };
    period.max(Duration::RESOLUTION)
}

/// Packets per nanosecond, with 64 binary places.
pub(crate) fn rate(device: &Device) -> u128 {
    let at_once = match device.packets {
        Packets::Burst { packets, .. } => packets,
        _ => 1,
    };
    u128::from(at_once) * ((1_u128 << 64) / u128::from(period(device).as_ns()))
}
