//! The policy of this thread: real-time priorities, where they are allowed.

use super::Unable;
use std::hint::black_box;
use vorrang_sched::{Policy, get, set};

/// While it lives this thread has a real-time priority; then it has the policy that it had.
#[derive(Debug)]
pub struct Fifo {
    before: Policy,
}

impl Fifo {
    /// Runs this thread, and those that it starts, before all with a smaller number.
    ///
    /// # Errors
    /// The priority does not exist, or this process may not have it.
    pub fn at(priority: u32) -> Result<Self, Unable> {
        let refused = |why| Unable(format!("The real-time priority {priority} is refused: {why}"));
        let before = get(0).map_err(refused)?;
        set(0, Policy::fifo(priority)).map_err(refused)?;
        Ok(Self { before })
    }
}

impl Drop for Fifo {
    fn drop(&mut self) {
        // Giving up a priority is always permitted.
        let _ = set(0, self.before);
    }
}

/// Gives this thread a reservation (`SCHED_DEADLINE`), until it ends.
///
/// # Errors
/// The kernel does not admit it: this process has no permission, the bandwidth is exceeded, or the thread may
/// not run on all processors of its domain.
pub fn reserve(runtime_ns: u64, period_ns: u64) -> Result<(), Unable> {
    set(0, Policy::deadline(runtime_ns, period_ns, period_ns)).map_err(|why| {
        Unable(format!("SCHED_DEADLINE, {runtime_ns} of {period_ns} ns, is refused: {why}"))
    })
}

/// Runs this thread only when no other is ready; this is always permitted.
pub fn behind_all_others() {
    let _ = set(0, Policy::plain(Policy::IDLE));
}

/// Keeps the processor busy for less than a microsecond. Without `pause`: a hypervisor takes a processor that pauses again and
/// again for one that waits for a lock, and gives its time to others; and an emulator stops at each.
pub fn compute() {
    let mut value = black_box(1_u64);
    for _ in 0..200 {
        value = black_box(value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held() -> Policy {
        get(0).expect("a thread may ask for its own")
    }

    /// In a thread, which ends with what it has.
    #[test]
    fn a_reservation_is_held_or_refused() {
        let thread = std::thread::spawn(|| {
            let more_than_all = reserve(2_000_000, 1_000_000);
            assert!(more_than_all.is_err_and(|Unable(why)| why.contains("SCHED_DEADLINE")));
            let before = held();
            let is_held = match reserve(1_000_000, 100_000_000) {
                Ok(()) => Policy::DEADLINE,
                Err(_) => before.policy,
            };
            assert_eq!(held().policy, is_held);
        });
        thread.join().unwrap();
    }

    #[test]
    fn a_thread_has_the_policy_it_had() {
        let before = held();
        // A refusal is reported, and nothing has changed.
        match Fifo::at(10) {
            Ok(_fifo) => assert_eq!(held(), Policy::fifo(10)),
            Err(Unable(said)) => assert!(said.contains("priority 10"), "{said}"),
        }
        assert_eq!(held(), before);
        assert!(Fifo::at(1000).is_err());
    }
}
