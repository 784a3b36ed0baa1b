//! How the servers of a processor are ordered.

use crate::member::Member;
use vorrang_mechanisms::scheduler::{Key, edf, fixed_priority, slots};
use vorrang_mechanisms::server::Server as _;
use vorrang_time::Instant;

/// How the servers of a processor are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By priority; equal ones first come, first served.
    FixedPriority,
    /// By deadline; equal ones in the order of declaration.
    Edf,
    /// Each at its place in the period.
    Slots,
    /// One after the other, as the turns of the processor say.
    Turns,
}

impl Order {
    /// The place of a ready member among the others: by priority it keeps the one that it has.
    pub(crate) fn key(self, member: &Member, declared: u32, now: Instant) -> Key {
        match (self, member.listed) {
            (Self::FixedPriority, Some(listed)) => listed,
            (Self::FixedPriority, None) => fixed_priority::key(member.priority, now, declared),
            (Self::Edf, _) => edf::key(member.server.deadline(), declared),
            (Self::Slots | Self::Turns, _) => slots::key(declared),
        }
    }
}
