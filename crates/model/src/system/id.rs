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

/// All ids of one kind, from the first to the last. It does not borrow the system.
pub type Ids<T> = std::iter::Map<std::ops::Range<usize>, fn(usize) -> T>;

/// The ids of so many things.
pub(super) fn ids<T>(count: usize, id: fn(usize) -> T) -> Ids<T> {
    (0..count).map(id)
}

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
