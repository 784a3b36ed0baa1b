//! The table of a pseudo-VCPU.

use super::key::{Key, Kind, defaulted, optional, required};

pub(super) const PSEUDO_VCPU: &[Key] = &[
    required(
        "budget",
        Kind::PositiveDuration,
        "Time in every period, at least what one interrupt takes in the guest.",
    )
    .or_open(),
    required("period", Kind::PositiveDuration, "Replenishment period.").or_open(),
    optional(
        "priority",
        Kind::Priority,
        "Urgency beside the virtual processor (under EDF among pseudo-VCPUs, which precede all deadlines); above everything there if left out.",
    )
    .or_open(),
    defaulted("rule", Kind::PseudoVcpuRule, "arrival", "When budget comes."),
];
