//! Numbers of things, indices into the vectors of [`System`](super::System), and urgency.

/// Index into [`System::supplies`](super::System::supplies).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SupplyId(pub usize);

/// Index into [`System::tasks`](super::System::tasks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

/// Index into [`System::interrupts`](super::System::interrupts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterruptId(pub usize);

/// Index into [`System::timers`](super::System::timers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimerId(pub usize);

/// Index into [`System::devices`](super::System::devices).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceId(pub usize);

/// Index into [`System::caches`](super::System::caches).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheId(pub usize);

/// How urgent a member of a fixed-priority supply is; larger is more urgent, as in `SCHED_FIFO`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u32);

impl Priority {
    /// Strictly more urgent: runs first, whenever it became ready.
    #[inline]
    pub fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 > other.0
    }
}
