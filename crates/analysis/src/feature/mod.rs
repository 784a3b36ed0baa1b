//! The features that no analysis covers: a variant for each, with the names of what has it.

mod cost;
mod packets;
mod scheduling;

pub use cost::{CostFeature, InReservation, MachineCost};
pub use packets::PacketFeature;
pub use scheduling::{BesideKept, BesideLevel, SchedulingFeature};

use core::fmt;

/// A feature that no analysis covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feature {
    /// It is read from the description, but no part of a system represents it.
    Unrepresented {
        /// What it is, by name.
        what: String,
    },
    /// How the members of a supply are scheduled.
    Scheduling(SchedulingFeature),
    /// Where the machine takes time for its own work.
    Cost(CostFeature),
    /// How packets arrive and are processed.
    Packets(PacketFeature),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrepresented { what } => f.write_str(what),
            Self::Scheduling(feature) => feature.fmt(f),
            Self::Cost(feature) => feature.fmt(f),
            Self::Packets(feature) => feature.fmt(f),
        }
    }
}

impl From<SchedulingFeature> for Feature {
    fn from(feature: SchedulingFeature) -> Self {
        Self::Scheduling(feature)
    }
}

impl From<CostFeature> for Feature {
    fn from(feature: CostFeature) -> Self {
        Self::Cost(feature)
    }
}

impl From<PacketFeature> for Feature {
    fn from(feature: PacketFeature) -> Self {
        Self::Packets(feature)
    }
}
