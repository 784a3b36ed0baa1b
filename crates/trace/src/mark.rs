//! What can happen at an instant, by name.

/// Something that happens on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Released,
    Requested,
    DeadlineMissed,
    Replenished,
    Exhausted,
    Masked,
    Unmasked,
    Merged,
    TimerExpired,
    DroppedAtRing,
    DroppedAtSocket,
}

impl Mark {
    const ALL: [Self; 11] = [
        Self::Released,
        Self::Requested,
        Self::DeadlineMissed,
        Self::Replenished,
        Self::Exhausted,
        Self::Masked,
        Self::Unmasked,
        Self::Merged,
        Self::TimerExpired,
        Self::DroppedAtRing,
        Self::DroppedAtSocket,
    ];

    /// All names, in the order of [`Mark::iid`].
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::name)
    }

    /// The number under which its name is interned.
    #[inline]
    pub(crate) fn iid(self) -> u64 {
        self as u64 + 1
    }

    fn name(self) -> &'static str {
        match self {
            Self::Released => "released",
            Self::Requested => "requested",
            Self::DeadlineMissed => "deadline missed",
            Self::Replenished => "replenished",
            Self::Exhausted => "exhausted",
            Self::Masked => "masked",
            Self::Unmasked => "unmasked",
            Self::Merged => "merged",
            Self::TimerExpired => "expired",
            Self::DroppedAtRing => "dropped at the ring",
            Self::DroppedAtSocket => "dropped at the socket",
        }
    }
}

/// What is said of an event when it is selected, in the order of the numbers.
pub(crate) const ANNOTATIONS: [&str; 4] = ["job", "arrival_ns", "late_ns", "due_ns"];

/// The number of a job among those of its source.
pub(crate) const JOB: u64 = 1;
/// When a job arrived, if not now.
pub(crate) const ARRIVAL: u64 = 2;
/// By how much a job was late.
pub(crate) const LATE: u64 = 3;
/// When a timer was due.
pub(crate) const DUE: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_their_numbers() {
        for (iid, mark) in (1..).zip(Mark::ALL) {
            assert_eq!(mark.iid(), iid, "{}", mark.name());
        }
    }
}
