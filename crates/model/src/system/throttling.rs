//! Throttling of the real-time classes of Linux: after so much time of a period they wait for the next one.
//!
//! **Model.** "Throttling" in `docs/model.md`. It is a property of a core under Linux, not a server: nothing
//! receives the time that real-time threads lose.
//!
//! Theory: docs/theory/throttling.md.

use vorrang_time::Duration;

/// Whether a core under Linux stops its real-time threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RtThrottling {
    /// The description does not say, and no release of its kernel from which it follows.
    #[default]
    NotStated,
    /// It does not.
    Never,
    /// It does, after so much time.
    After(RtLimit),
}

/// For how long real-time threads run in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtLimit {
    /// Their time in every period; less than the period.
    pub budget: Duration,
    /// The distance of the kernel's timer.
    pub period: Duration,
    /// By how much throttling begins late at most.
    pub late: Duration,
}

impl RtLimit {
    /// That of Linux where it was not changed, looked at without delay.
    pub const OF_LINUX: Self = Self {
        budget: Duration::from_ms(950),
        period: Duration::from_ms(1000),
        late: Duration::ZERO,
    };

    /// What is kept from real-time threads in a period.
    pub fn kept(&self) -> Duration {
        self.period - self.budget
    }
}

impl RtThrottling {
    /// The limit, where there is one.
    pub fn limit(&self) -> Option<RtLimit> {
        match *self {
            Self::After(limit) => Some(limit),
            Self::NotStated | Self::Never => None,
        }
    }
}
