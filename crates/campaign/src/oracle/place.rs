//! Readiness of a member, for the order among equal priorities.

/// Whether it is ready, and since when.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) ready: bool,
    pub(super) since: u64,
    /// It is ready again at this instant, and was not for a moment.
    pub(super) again: bool,
    /// Ticks that it has had of its present time slice.
    pub(super) had: u64,
    /// It is in the background, without charge.
    pub(super) background: bool,
}

impl Place {
    /// A member that becomes ready now queues at the back; one that stayed ready keeps its place. `slept`
    /// says that it was not ready for a moment within this instant.
    pub(super) fn update(&mut self, ready: bool, slept: bool, now: u64) {
        self.again = self.ready && ready && slept;
        if ready && (slept || !self.ready) {
            self.since = now;
        }
        self.ready = ready;
    }
}
