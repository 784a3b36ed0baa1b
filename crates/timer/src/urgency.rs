//! How urgent a timer is, and what runs: one axis from idle to deadline tasks.

/// How urgent the owner of a timer, or what a core runs, is; larger is more urgent.
///
/// ```text
///  LEAST (idle) < BACKGROUND < priority 0 < priority 1 < … < MOST
/// ```
///
/// ```
/// use vorrang_timer::Urgency;
/// assert!(Urgency::of_priority(0).is_more_urgent_than(Urgency::LEAST));
/// assert!(Urgency::MOST.is_more_urgent_than(Urgency::of_priority(u32::MAX)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Urgency(u64);

impl Urgency {
    /// An idle core. Every timer is at least as urgent.
    pub const LEAST: Self = Self(0);
    /// What runs only where the core would idle.
    pub const BACKGROUND: Self = Self(1);
    /// What no priority orders: the kernel's own timers, stop tasks, tasks under deadlines.
    pub const MOST: Self = Self(u32::MAX as u64 + 3);

    /// A fixed priority; larger is more urgent, as in `SCHED_FIFO`.
    pub const fn of_priority(priority: u32) -> Self {
        Self(priority as u64 + 2)
    }

    /// The urgency of a task of Linux by its scheduling class.
    ///
    /// ```
    /// use vorrang_timer::{Class, Urgency};
    /// let deadline = Urgency::of_class(Class::Deadline);
    /// let fifo = Urgency::of_class(Class::RealTime(99));
    /// let nice = Urgency::of_class(Class::Fair(19));
    /// assert!(deadline.is_more_urgent_than(fifo) && fifo.is_more_urgent_than(nice));
    /// assert!(nice.is_more_urgent_than(Urgency::of_class(Class::Idle)));
    /// ```
    pub fn of_class(class: Class) -> Self {
        // 1..=40 for the nice levels, 41..=139 for the priorities above them.
        const NICE_LEVELS: u32 = 40;
        match class {
            Class::Stop | Class::Deadline => Self::MOST,
            Class::RealTime(priority) => {
                Self::of_priority(NICE_LEVELS - 1 + u32::from(priority.clamp(1, 99)))
            }
            Class::Fair(nice) => {
                let above_nicest = 19 - i32::from(nice.clamp(-20, 19));
                Self::of_priority(above_nicest.unsigned_abs())
            }
            Class::Idle => Self::LEAST,
        }
    }

    /// How far above another, as an index; 0 if below.
    #[inline]
    pub(crate) fn above(self, other: Self) -> usize {
        usize::try_from(self.0.saturating_sub(other.0)).unwrap_or(usize::MAX)
    }

    /// Strictly more urgent.
    #[inline]
    pub const fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 > other.0
    }
}

/// A scheduling class of Linux, with the number that orders its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Stops a core; above all.
    Stop,
    /// `SCHED_DEADLINE`: no priority orders it, it counts as above all.
    Deadline,
    /// `SCHED_FIFO` and `SCHED_RR`, 1 to 99, larger is more urgent; others count as the nearest.
    RealTime(u8),
    /// `SCHED_OTHER`, nice −20 to 19, smaller is more urgent; others count as the nearest.
    Fair(i8),
    /// The idle task, whatever priority it has inherited.
    Idle,
}
