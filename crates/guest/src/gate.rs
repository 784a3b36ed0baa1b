//! What the jobs of a thread wait for that others wake: as many jobs of each of them.
//!
//! **Model.** The thread sleeps in the kernel, and is woken once for a job: by the one of its predecessors that is last.

use std::sync::{Condvar, Mutex, PoisonError};

/// The gate of a thread.
#[derive(Debug)]
pub(crate) struct Gate {
    /// Of each predecessor, how many of its jobs are complete.
    done: Mutex<Vec<u64>>,
    opened: Condvar,
}

impl Gate {
    pub(crate) fn behind(predecessors: usize) -> Self {
        Self { done: Mutex::new(vec![0; predecessors]), opened: Condvar::new() }
    }

    /// Waits until so many jobs of each predecessor are complete.
    pub(crate) fn pass(&self, jobs: u64) {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let is_closed = |done: &mut Vec<u64>| done.iter().any(|&done| done < jobs);
        let _open = self.opened.wait_while(done, is_closed).unwrap_or_else(PoisonError::into_inner);
    }

    /// One of the predecessors has done so many.
    pub(crate) fn done(&self, predecessor: usize, jobs: u64) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let before = done.iter().min().copied();
        done[predecessor] = jobs;
        let is_opened = done.iter().min().copied() > before;
        // Who is woken is not to wait for the lock.
        drop(done);
        if is_opened {
            self.opened.notify_one();
        }
    }
}
