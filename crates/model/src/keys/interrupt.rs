//! Keys of interrupts, and of their delivery to guests.

use super::asked::{LEARNT, MIN_DISTANCES, MIN_INTERARRIVAL};
use super::key::{Key, Kind, Noun, defaulted, optional, required};
use super::pseudo_vcpu::PSEUDO_VCPU;

pub(super) const INTERRUPT: &[Key] = &[
    required("on", Kind::Reference(&[Noun::Core]), "The core that takes it."),
    optional(
        "isr",
        Kind::PositiveDuration,
        "Longest execution time of its service routine; required unless it is posted.",
    ),
    optional(
        "posted",
        Kind::Flag,
        "Whether the processor delivers it, without a routine of the host, to a guest on this core that never sleeps, for it polls; `false` if left out.",
    ),
    MIN_INTERARRIVAL,
    MIN_DISTANCES,
    defaulted("jitter", Kind::Duration, "0s", "Longest time from arrival to request."),
    optional(
        "priority",
        Kind::Priority,
        "Urgency among service routines, larger is more urgent; required where the core's `interrupts` go by it and there is a choice.",
    ),
    optional(
        "wakes",
        Kind::Reference(&[Noun::Task]),
        "The task of the host, on whatever core, that its service routine wakes.",
    ),
    optional(
        "storm",
        Kind::PositiveDuration,
        "Least time between two arrivals while it misbehaves; it never does if left out.",
    ),
    optional("virtual", Kind::Table(VIRTUAL), "Its delivery to a guest."),
    optional(
        "irq",
        Kind::Text,
        "The interrupt that it is on the machine, for `vorrang apply` and `observe`: its number, a name in /proc/interrupts, or that of a processor's own, such as \"local_timer\".",
    ),
    LEARNT,
];

const VIRTUAL: &[Key] = &[
    required(
        "vcpu",
        Kind::Reference(&[Noun::Vcpu]),
        "The virtual processor that takes it, on whatever core.",
    ),
    required("isr", Kind::PositiveDuration, "Longest execution time of the guest's routine."),
    optional(
        "wakes",
        Kind::Reference(&[Noun::Task]),
        "The task that the guest's routine wakes, on this virtual processor.",
    ),
    optional(
        "pseudo-vcpu",
        Kind::Table(PSEUDO_VCPU),
        "The reservation that it is charged to, beside the virtual processor; to that itself if left out.",
    ),
    optional(
        "vector",
        Kind::Text,
        "Its number in the guest, or the first and the last (`\"34-90\"`), by which `vorrang-host` recognises it.",
    ),
];
