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

/// `struct sched_attr` in its first version (`include/uapi/linux/sched/types.h`).
#[repr(C)]
struct Attributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime: u64,
    deadline: u64,
    period: u64,
}

/// Gives this thread so much of each period before all priorities (`SCHED_DEADLINE`), until it ends.
///
/// # Errors
/// The kernel does not admit it: this process may not, there is not so much left, or the thread may not run on all
/// processors of its domain.
#[expect(unsafe_code, reason = "the system call is a foreign function")]
pub fn reserve(runtime_ns: u64, period_ns: u64) -> Result<(), Unable> {
    let attributes = Attributes {
        size: 48,
        policy: libc::SCHED_DEADLINE.cast_unsigned(),
        flags: 0,
        nice: 0,
        priority: 0,
        runtime: runtime_ns,
        deadline: period_ns,
        period: period_ns,
    };
    // SAFETY: 0 is this thread; the kernel reads `size` bytes, which is the size of the structure.
    let done = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    if done == 0 {
        return Ok(());
    }
    let why = std::io::Error::last_os_error();
    Err(Unable(format!("SCHED_DEADLINE, {runtime_ns} of {period_ns} ns, is refused: {why}")))
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

    /// In a thread, which ends with what it has.
    #[test]
    fn a_reservation_is_held_or_refused() {
        let thread = std::thread::spawn(|| {
            let more_than_all = reserve(2_000_000, 1_000_000);
            assert!(more_than_all.is_err_and(|Unable(why)| why.contains("SCHED_DEADLINE")));
            let before = held();
            let is_held = match reserve(1_000_000, 100_000_000) {
                Ok(()) => libc::SCHED_DEADLINE,
                Err(_) => before.0,
            };
            assert_eq!(held().0, is_held);
        });
        thread.join().unwrap();
    }

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
