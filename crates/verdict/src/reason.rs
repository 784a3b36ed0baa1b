//! Why an analysis has no bound, as the code that is printed for it.

use crate::cause::Cause;
use vorrang_analysis::feature::{CostFeature, Feature, PacketFeature, SchedulingFeature};
use vorrang_analysis::{NoBound, Reason, Unreserved};

/// A reason as it is printed: its code and its words.
pub(crate) fn coded(reason: &Reason) -> (Cause, String) {
    (Cause::from(reason), reason.to_string())
}

impl From<&Reason> for Cause {
    fn from(reason: &Reason) -> Self {
        match reason {
            Reason::NotCovered { what } => Self::from(what),
            Reason::NoGuarantee { overbooked: Some(_), .. }
            | Reason::NoBound { overbooked: Some(_), .. } => Self::Overbooked,
            Reason::NoGuarantee { needs: Some(_), .. } => Self::BudgetLate,
            Reason::NoGuarantee { needs: None, .. } => Self::BudgetNotGuaranteed,
            Reason::HeldBack { .. } => Self::HeldBack,
            Reason::NoReservation { why, .. } => Self::from(*why),
            Reason::NoBound { why, .. } => match why {
                NoBound::Overload => Self::Overload,
                NoBound::TooLong => Self::TooLong,
                NoBound::Effort => Self::Effort,
                NoBound::FullLoad => Self::FullLoad,
            },
            Reason::Interrupted => Self::Interrupted,
        }
    }
}

impl From<&Feature> for Cause {
    fn from(feature: &Feature) -> Self {
        match feature {
            Feature::Unrepresented { .. } => Self::Unrepresented,
            Feature::Scheduling(feature) => of_scheduling(feature),
            Feature::Cost(feature) => of_cost(feature),
            Feature::Packets(feature) => of_packets(feature),
        }
    }
}

const fn of_scheduling(feature: &SchedulingFeature) -> Cause {
    match feature {
        SchedulingFeature::Scheduler { .. } => Cause::Scheduler,
        SchedulingFeature::ServerKind { .. } => Cause::ServerKind,
        SchedulingFeature::Reclaiming { .. } => Cause::NoBoundOfReclaiming,
        SchedulingFeature::TaskOnSlots { .. } => Cause::TaskOnSlots,
        SchedulingFeature::NoDeadline { .. } => Cause::NoDeadline,
        SchedulingFeature::BlockedInTurns { .. } => Cause::BlockedInTurns,
        SchedulingFeature::Kept { .. } => Cause::Kept,
        SchedulingFeature::Polls { .. } => Cause::Polls,
        SchedulingFeature::BlockedServer { .. } => Cause::BlockedServer,
        SchedulingFeature::Level { .. } => Cause::Level,
        SchedulingFeature::SharedSoftServer { .. } => Cause::SharedSoftServer,
        SchedulingFeature::PacketsInSoftServer { .. } => Cause::PacketsInSoftServer,
        SchedulingFeature::WaitingInGuest { .. } => Cause::WaitingInGuest,
        SchedulingFeature::PseudoVcpuBesideSlices { .. } => Cause::PseudoVcpuBesideSlices,
        SchedulingFeature::ThrottledBesideReservations { .. } => Cause::ThrottledBesideReservations,
    }
}

const fn of_cost(feature: &CostFeature) -> Cause {
    match feature {
        CostFeature::PseudoVcpu { .. } => Cause::CostsOfPseudoVcpu,
        CostFeature::Fragments { .. } => Cause::CostsOfFragments,
        CostFeature::Reservation { .. } => Cause::CostsInReservation,
        CostFeature::ColdSoftServer { .. } => Cause::ColdSoftServer,
        CostFeature::ColdBesideLate { .. } => Cause::ColdBesideLate,
        CostFeature::Throttled { .. } => Cause::ThrottledBesideCosts,
    }
}

const fn of_packets(feature: &PacketFeature) -> Cause {
    match feature {
        PacketFeature::Random { .. } => Cause::RandomPackets,
        PacketFeature::CrowdedBurst { .. } => Cause::CrowdedBurst,
        PacketFeature::PaidByPseudoVcpu { .. } => Cause::PaidCard,
        PacketFeature::Blocked { .. } => Cause::BlockedPackets,
        PacketFeature::WithoutPriority { .. } => Cause::PacketsWithoutPriority,
        PacketFeature::UnboundedCoalescing { .. } => Cause::UnboundedCoalescing,
        PacketFeature::Unconnected { .. } => Cause::Unconnected,
    }
}

impl From<Unreserved> for Cause {
    fn from(why: Unreserved) -> Self {
        match why {
            Unreserved::NoTask => Self::ChanceOfNoTask,
            Unreserved::Packets => Self::ChanceOfPackets,
            Unreserved::NotAlone => Self::ChanceNotAlone,
            Unreserved::ChargedRoutines => Self::ChanceWithCharges,
            Unreserved::LateRuntimes => Self::ChanceWithLateRuntimes,
            Unreserved::Delivery => Self::ChanceWithDelivery,
            Unreserved::Costs => Self::ChanceWithCosts,
            Unreserved::LateBudget => Self::ChanceOfLateBudget,
            Unreserved::Wakes => Self::ChanceOfWakes,
            Unreserved::TooDifferent => Self::ChanceTooDifferent,
            Unreserved::TooManyJobs => Self::ChanceOfTooManyJobs,
            Unreserved::BesideWakes => Self::ChanceBesideWakes,
        }
    }
}
