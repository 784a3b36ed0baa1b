//! Before whom this thread runs: real-time priorities, where they are allowed.

use super::Unable;

/// While it lives this thread has a real-time priority; then it has the policy that it had.
#[derive(Debug)]
pub struct Fifo {
    before: (i32, i32),
}

impl Fifo {
    /// Runs this thread, and those that it starts, before all with a smaller number.
    ///
    /// # Errors
    /// The priority does not exist, or this process may not have it.
    pub fn at(priority: i32) -> Result<Self, Unable> {
        let before = held();
        set(libc::SCHED_FIFO, priority).map_err(|why| {
            Unable(format!("The real-time priority {priority} is refused: {why}"))
        })?;
        Ok(Self { before })
    }
}

impl Drop for Fifo {
    fn drop(&mut self) {
        // Giving up a priority is always permitted.
        let _ = set(self.before.0, self.before.1);
    }
}

/// Runs this thread only when no other wants to; nobody is refused that.
pub fn behind_all_others() {
    let _ = set(libc::SCHED_IDLE, 0);
}

/// Policy and priority of this thread. The system calls themselves: what the C library of musl calls
/// by these names does nothing.
#[expect(unsafe_code, reason = "the system calls are foreign functions")]
fn held() -> (i32, i32) {
    // The kernel's parameter is one number.
    let mut had = 0_i32;
    // SAFETY: 0 is this thread; the parameter is a live number, which is written.
    let policy = unsafe {
        libc::syscall(libc::SYS_sched_getparam, 0, &raw mut had);
        libc::syscall(libc::SYS_sched_getscheduler, 0)
    };
    (i32::try_from(policy).unwrap_or(0).max(0), had)
}

#[expect(unsafe_code, reason = "the system call is a foreign function")]
fn set(policy: i32, priority: i32) -> std::io::Result<()> {
    // SAFETY: 0 is this thread; the parameter is a live number, which is only read.
    let done =
        unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const priority) };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_the_policy_it_had() {
        let before = held();
        // Where it is refused, it says so and nothing has changed.
        match Fifo::at(10) {
            Ok(_fifo) => assert_eq!(held(), (libc::SCHED_FIFO, 10)),
            Err(Unable(said)) => assert!(said.contains("priority 10"), "{said}"),
        }
        assert_eq!(held(), before);
        assert!(Fifo::at(1000).is_err());
    }
}
