//! What an input costs: processor time of the thread, and the memory of the process.

use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// The longest that an input may take, in nanoseconds of processor time.
pub const MOST_NS: u64 = 1_000_000_000;

/// The most memory that a process may have had, in bytes.
pub const MOST_BYTES: u64 = 500_000_000;

/// A worker that asks for more address space than this gets none, and ends.
const MOST_SPACE: u64 = 8 << 30;

/// Nanoseconds of this thread.
///
/// # Panics
/// If the clock is broken.
pub fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).expect("a clock that begins at zero");
    seconds * 1_000_000_000 + u64::try_from(now.tv_nsec).expect("a part of a second")
}

/// The most memory that this process has had.
///
/// # Panics
/// If the kernel does not say.
pub fn peak_bytes() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("the kernel counts");
    u64::try_from(usage.max_rss()).expect("a size") * 1024
}

/// Keeps a runaway from taking the machine with it.
///
/// # Panics
/// If the kernel refuses a lower limit.
pub fn limit_space() {
    setrlimit(Resource::RLIMIT_AS, MOST_SPACE, MOST_SPACE).expect("a lower limit");
}
