//! Whether another thread or process has begun.

use std::thread;

/// How long a new thread may take to begin, in looks a millisecond apart.
const LOOKS: u32 = 2000;

/// Waits until another thread has done something.
pub(super) fn await_that(who: &str, mut done: impl FnMut() -> bool) -> Result<(), String> {
    for _ in 0..LOOKS {
        if done() {
            return Ok(());
        }
        thread::sleep(std::time::Duration::from_millis(1));
    }
    Err(format!("{who} did not begin"))
}
