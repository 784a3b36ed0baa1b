//! The table of a timer.

use super::key::{Key, Kind, Noun, optional, required};
use super::pseudo_vcpu::PSEUDO_VCPU;

pub(super) const TIMER: &[Key] = &[
    required("armed-by", Kind::Reference(&[Noun::Task]), "The task that arms it."),
    required("period", Kind::PositiveDuration, "Least time between two expiries."),
    optional("wakes", Kind::Flag, "Whether an expiry releases a job of it; `false` if left out."),
    optional(
        "isr",
        Kind::PositiveDuration,
        "Longest execution time of the routine by which the guest takes its expiry, with what arming it anew takes; of the timers of tasks in virtual processors only, and if left out there is none.",
    ),
    optional(
        "pseudo-vcpu",
        Kind::Table(PSEUDO_VCPU),
        "The reservation that this routine is charged to, beside the virtual processor; to that itself if left out.",
    ),
];
