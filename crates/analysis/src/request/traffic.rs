//! How close together packets may come.

use vorrang_model::system::{Device, Packets};
use vorrang_time::Duration;

/// An upper bound on the packets in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// So many at one instant, and again after each interval.
    Bursts {
        /// At one instant.
        packets: u64,
        /// Between two bursts.
        interval: Duration,
    },
    /// Back to back on a link: each takes so many bits of it.
    LineRate {
        /// Of a packet, framing included.
        bits: u64,
        /// Of the link.
        bits_per_second: u64,
    },
}

impl Traffic {
    /// That of a card; `None` where packets come by chance as close together as they like.
    pub fn of(device: &Device) -> Option<Self> {
        Some(match device.packets {
            Packets::Periodic { interval } => Self::Bursts { packets: 1, interval },
            Packets::Burst { packets, interval } => {
                Self::Bursts { packets: packets.into(), interval }
            }
            Packets::Poisson { .. } => return None,
            Packets::LineRate { bits_per_second, framing } => Self::LineRate {
                bits: 8 * (u64::from(device.payload) + u64::from(framing)),
                bits_per_second,
            },
        })
    }

    /// Packets that come at one instant at most.
    pub fn at_once(self) -> u64 {
        match self {
            Self::Bursts { packets, .. } => packets,
            Self::LineRate { .. } => 1,
        }
    }

    /// The least time between two instants at which packets come, in whole nanoseconds, and how much
    /// sooner than that one may come for it.
    pub fn instants(self) -> (Duration, Duration) {
        match self {
            Self::Bursts { interval, .. } => (interval, Duration::ZERO),
            Self::LineRate { bits, bits_per_second } => {
                let ns = u128::from(bits) * 1_000_000_000 / u128::from(bits_per_second);
                let ns = Duration::from_ns(u64::try_from(ns).unwrap_or(u64::MAX / 2));
                (ns.max(Duration::RESOLUTION), Duration::RESOLUTION)
            }
        }
    }

    /// The least time from the first to the last of so many packets, at least one; instants are
    /// rounded, so on a link it may be a nanosecond less than exactly.
    pub fn earliest(self, packets: u64) -> Option<Duration> {
        match self {
            Self::Bursts { packets: at_once, interval } => {
                interval.checked_mul((packets - 1) / at_once)
            }
            Self::LineRate { bits, bits_per_second } => {
                let ns = u128::from(packets - 1) * u128::from(bits) * 1_000_000_000;
                let ns = u64::try_from(ns / u128::from(bits_per_second)).ok()?;
                Some(Duration::from_ns(ns.saturating_sub(1)))
            }
        }
    }
}
