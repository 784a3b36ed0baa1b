//! Which processor this thread runs on.

use super::Unable;

/// While it lives this thread stays on one processor; then it may run where it might before.
#[derive(Debug)]
pub struct Pinned {
    /// The number of the processor.
    pub cpu: usize,
    #[cfg(target_os = "linux")]
    before: rustix::thread::CpuSet,
}

#[cfg(target_os = "linux")]
impl Pinned {
    /// Stays on this processor; on the last permitted one if none is named, since the first ones
    /// take most interrupts.
    ///
    /// # Errors
    /// This thread may not run there.
    pub fn to(cpu: Option<usize>) -> Result<Self, Unable> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let before = sched_getaffinity(None)
            .map_err(|why| Unable(format!("the permitted processors are not known: {why}")))?;
        let permitted = |cpu: &usize| before.is_set(*cpu);
        let cpu = match cpu {
            Some(cpu) => Some(cpu).filter(|cpu| *cpu < CpuSet::MAX_CPU && permitted(cpu)),
            None => (0..CpuSet::MAX_CPU).rev().find(permitted),
        };
        let cpu = cpu.ok_or_else(|| Unable("this process may not run on that CPU".to_owned()))?;
        let mut only = CpuSet::new();
        only.set(cpu);
        sched_setaffinity(None, &only)
            .map_err(|why| Unable(format!("this process cannot stay on CPU {cpu}: {why}")))?;
        Ok(Self { cpu, before })
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // It was permitted before, and stays so unless an administrator has just changed it.
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}

#[cfg(not(target_os = "linux"))]
impl Pinned {
    /// Only Linux is known here.
    ///
    /// # Errors
    /// Always.
    pub fn to(_cpu: Option<usize>) -> Result<Self, Unable> {
        Err(Unable("staying on one CPU needs Linux".to_owned()))
    }
}

/// The processors on which this thread may run.
#[cfg(target_os = "linux")]
pub fn permitted() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).ok();
    let is_set = |cpu: &usize| set.as_ref().is_some_and(|set| set.is_set(*cpu));
    (0..CpuSet::MAX_CPU).filter(is_set).collect()
}

/// How often the processor was taken from this thread so far.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system writes into a value of this function")]
pub fn preemptions() -> i64 {
    // SAFETY: all of it is numbers, of which zero is one.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the value is valid for writing, and outlives the call.
    let told = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
    if told == 0 { usage.ru_nivcsw } else { 0 }
}

/// How often the processor was taken from this thread so far: not known here.
#[cfg(not(target_os = "linux"))]
pub fn preemptions() -> i64 {
    0
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn another_thread_on_the_processor_is_noticed() {
        let pinned = Pinned::to(None).unwrap();
        let compute = |until: i64| {
            let since = std::time::Instant::now();
            while preemptions() < until && since.elapsed().as_secs() < 60 {}
            preemptions()
        };
        let before = preemptions();
        let cpu = pinned.cpu;
        let seen = std::thread::scope(|scope| {
            scope.spawn(move || {
                let _own = Pinned::to(Some(cpu)).unwrap();
                compute(preemptions() + 2);
            });
            compute(before + 2)
        });
        assert!(seen >= before + 2, "{seen} of {before}");
    }

    #[test]
    fn it_may_run_where_it_might_before() {
        let before = sched_getaffinity(None).unwrap();
        let pinned = Pinned::to(None).unwrap();
        let during = sched_getaffinity(None).unwrap();
        assert!(during.count() == 1 && during.is_set(pinned.cpu));
        drop(pinned);
        assert!(sched_getaffinity(None).unwrap() == before);
        assert!(Pinned::to(Some(usize::MAX)).is_err());
    }
}
