//! Ways of packets that no analysis covers.

use core::fmt;
use vorrang_model::system::Scheduler;

/// A way of packets that no analysis covers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of what the variant speaks of")]
pub enum PacketFeature {
    /// Packets that arrive at random, without a least distance.
    Random { device: String },
    /// More packets at one instant than there are nanoseconds until the next burst.
    CrowdedBurst { device: String },
    /// A card whose interrupt has a pseudo-VCPU.
    PaidByPseudoVcpu { device: String, interrupt: String },
    /// Blocking of a task that processes packets.
    Blocked { task: String },
    /// A task that processes packets and is not scheduled by priority.
    WithoutPriority { task: String, scheduler: Scheduler },
    /// A card whose packets wait for others without a limit of time.
    UnboundedCoalescing { device: String },
    /// A card without a polling task, or a reader without a card. No description resolves to one.
    Unconnected { name: String },
}

impl fmt::Display for PacketFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { device } => {
                write!(f, "{device}, whose packets arrive at random without a least distance")
            }
            Self::CrowdedBurst { device } => write!(
                f,
                "{device}, of which more packets arrive at once than there are nanoseconds between"
            ),
            Self::PaidByPseudoVcpu { device, interrupt } => {
                write!(f, "{device}, for whose {interrupt} a pseudo-VCPU pays")
            }
            Self::Blocked { task } => {
                write!(f, "sections that block {task}, which processes packets")
            }
            Self::WithoutPriority { task, scheduler } => {
                write!(f, "{task}, which processes packets, under \"{}\"", scheduler.word())
            }
            Self::UnboundedCoalescing { device } => {
                write!(f, "how long packets of {device} wait for others (write a `coalesce-time`)")
            }
            Self::Unconnected { name } => {
                write!(f, "{name}, which is not connected to a card and the task that polls it")
            }
        }
    }
}
