//! Before whom this thread runs: real-time priorities, where they are allowed.

use super::Unable;

/// While it lives this thread has a real-time priority; then it has the policy that it had.
#[derive(Debug)]
pub struct Fifo {
    before: (i32, libc::sched_param),
}

impl Fifo {
    /// Runs this thread, and those that it starts, before all with a smaller number.
    ///
    /// # Errors
    /// The priority does not exist, or this process may not have it.
    #[expect(unsafe_code, reason = "the system calls are foreign functions")]
    pub fn at(priority: i32) -> Result<Self, Unable> {
        let mut had = libc::sched_param { sched_priority: 0 };
        // SAFETY: 0 is this thread; the parameter is a live value of the type that is written.
        let policy = unsafe {
            libc::sched_getparam(0, &raw mut had);
            libc::sched_getscheduler(0)
        };
        set(libc::SCHED_FIFO, libc::sched_param { sched_priority: priority }).map_err(|why| {
            Unable(format!("the kernel refuses the real-time priority {priority}: {why}"))
        })?;
        Ok(Self { before: (policy.max(0), had) })
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
    let _ = set(libc::SCHED_IDLE, libc::sched_param { sched_priority: 0 });
}

#[expect(unsafe_code, reason = "the system call is a foreign function")]
fn set(policy: i32, parameter: libc::sched_param) -> std::io::Result<()> {
    // SAFETY: 0 is this thread; the parameter is a live value that is only read.
    match unsafe { libc::sched_setscheduler(0, policy, &raw const parameter) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> i32 {
        #[expect(unsafe_code, reason = "the system call is a foreign function")]
        // SAFETY: 0 is this thread; nothing is written.
        unsafe {
            libc::sched_getscheduler(0)
        }
    }

    #[test]
    fn a_thread_has_the_policy_it_had() {
        let before = policy();
        // Where it is refused, it says so and nothing has changed.
        match Fifo::at(10) {
            Ok(_held) => assert_eq!(policy(), libc::SCHED_FIFO),
            Err(Unable(said)) => assert!(said.contains("priority 10"), "{said}"),
        }
        assert_eq!(policy(), before);
        assert!(Fifo::at(1000).is_err());
    }
}
