//! What a bound takes for granted of the kernel of a core: its release, and where its times are from.

use core::fmt;
use vorrang_time::Duration;

/// What a bound takes for granted of the kernel of a core.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfKernel {
    /// Which machine the times of its profile are from.
    FromMachine {
        /// The core.
        core: String,
        /// The profile.
        kernel: String,
        /// The machine.
        machine: String,
    },
    /// Real-time threads of a core are not throttled although they may use 95 % of a second.
    NotThrottled {
        /// The core.
        core: String,
    },
    /// When throttling begins, and what it costs.
    Throttled {
        /// The core.
        core: String,
        /// By how much it begins late at most.
        late: Duration,
    },
}

impl fmt::Display for OfKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FromMachine { core, kernel, machine } => write!(
                f,
                "the times of kernel {kernel} on {core} are those of this machine; they are from {machine}"
            ),
            Self::NotThrottled { core } => write!(
                f,
                "real-time threads of {core}, which may use more than 95 % of a second, are not throttled: the kernel is 6.12 or later, or sched_rt_runtime_us is -1 (neither a `kernel-release` nor `rt-throttling` is stated)"
            ),
            Self::Throttled { core, late } => write!(
                f,
                "throttling of {core} begins at most {late} late (Linux looks at it with the tick), and its timer takes no time"
            ),
        }
    }
}
