//! Network cards and their packets.

use super::{InterruptId, TaskId};
use vorrang_time::Duration;

/// A network card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Full name, such as `device.eth0`.
    pub name: String,
    /// The interrupt it raises; the task that this wakes polls the ring.
    pub interrupt: InterruptId,
    /// Packets that the card holds.
    pub ring: u32,
    /// Packets after which the interrupt is raised, at least 1.
    pub coalesce_packets: u32,
    /// Time after which it is raised at the latest once a packet waits; zero: only the number
    /// of packets counts if that is 1, else no limit is stated and the number alone counts.
    pub coalesce_time: Duration,
    /// Packets that one round of polling takes at most, at least 1.
    pub budget: u32,
    /// Time of the polling task for each packet, on top of its `wcet` for each round.
    pub per_packet: Duration,
    /// Packets that the socket buffer holds; zero without a receiver.
    pub socket: u32,
    /// The task that reads the socket, one job a packet.
    pub receiver: Option<TaskId>,
    /// Bytes of a packet that the receiver gets.
    pub payload: u32,
    /// When packets arrive.
    pub packets: Packets,
}

/// When packets arrive at a network card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packets {
    /// One every interval.
    Periodic {
        /// Between two packets.
        interval: Duration,
    },
    /// Several at one instant, every interval.
    Burst {
        /// At one instant.
        packets: u32,
        /// Between two bursts.
        interval: Duration,
    },
    /// Exponentially distributed intervals.
    Poisson {
        /// Their mean.
        mean: Duration,
    },
    /// Back to back on a link.
    LineRate {
        /// Of the link.
        bits_per_second: u64,
        /// Bytes of a packet besides the payload, gaps included.
        framing: u32,
    },
}
