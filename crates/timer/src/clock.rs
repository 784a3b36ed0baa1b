//! The clocks that timers are set on, and the axis that the hardware counts on.
//!
//! ```text
//!  hardware   0 ────────── now ──────────▶
//!  clock      offset ───── now + offset ─▶        a timer at `at` on the clock is due on the
//!                                                 hardware at `at − offset`, at 0 if before
//! ```

use vorrang_time::{Duration, Instant};

/// A clock that timers are set on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clock {
    /// Since the start, without the time in suspension.
    Monotonic,
    /// Civil time; it is set, and so jumps.
    Realtime,
    /// Since the start, with the time in suspension.
    Boottime,
    /// Atomic time: civil time without leap seconds.
    Tai,
}

impl Clock {
    /// All of them; of several timers due at one instant, those of the first are handled first.
    pub const ALL: [Self; 4] = [Self::Monotonic, Self::Realtime, Self::Boottime, Self::Tai];
}

/// What a clock shows when the hardware shows zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offset(pub(crate) Duration);

impl Offset {
    /// What the clock shows when the hardware shows `now`.
    #[inline]
    pub(crate) fn clock(self, now: Instant) -> Instant {
        // Past the end of the range every timer has expired.
        now.checked_add(self.0).unwrap_or(Instant::NEVER)
    }

    /// What the hardware shows when the clock shows `at`; zero if that was before the start.
    #[inline]
    pub(crate) fn hardware(self, at: Instant) -> Instant {
        Instant::ZERO + at.saturating_since(Instant::ZERO + self.0)
    }
}
