//! Restoring changes, however the program ends.
//!
//! **Model.** Every change of the system has a [`Restore`]; dropping it, also while a panic unwinds, undoes
//! the change. A program that ends without unwinding calls [`all`] first.
//!
//! **Does not cover** a signal that no program can catch: the next run finds the remaining changes.

use std::sync::{Mutex, MutexGuard, PoisonError};

type Action = Box<dyn FnOnce() + Send>;

/// The pending restorations, with the numbers of their values.
static PENDING: Mutex<(u64, Vec<(u64, Action)>)> = Mutex::new((0, Vec::new()));

/// Puts something back when it is dropped.
#[derive(Debug)]
pub struct Restore {
    number: u64,
}

impl Restore {
    /// This puts it back.
    pub fn with(action: impl FnOnce() + Send + 'static) -> Self {
        let mut pending = pending();
        pending.0 += 1;
        let number = pending.0;
        pending.1.push((number, Box::new(action)));
        Self { number }
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        let taken = {
            let mut pending = pending();
            let place = pending.1.iter().position(|(number, _)| *number == self.number);
            place.map(|place| pending.1.remove(place))
        };
        // Not there any more if everything was put back before.
        if let Some((_, action)) = taken {
            action();
        }
    }
}

/// Restores everything, the last change first.
pub fn all() {
    loop {
        let Some((_, action)) = pending().1.pop() else { return };
        action();
    }
}

/// A panic while the list was held leaves it whole: it is only pushed to and popped from.
fn pending() -> MutexGuard<'static, (u64, Vec<(u64, Action)>)> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn it_is_put_back_once_also_by_a_panic() {
        let count = Arc::new(AtomicU32::new(0));
        let restore = || {
            let own = Arc::clone(&count);
            Restore::with(move || {
                own.fetch_add(1, Ordering::Relaxed);
            })
        };
        drop(restore());
        assert_eq!(count.load(Ordering::Relaxed), 1);
        let kept = restore();
        let panicked = std::panic::catch_unwind(move || {
            let _kept = kept;
            panic!("on purpose");
        });
        assert!(panicked.is_err());
        assert_eq!(count.load(Ordering::Relaxed), 2);
        let kept = restore();
        all();
        drop(kept);
        assert_eq!(count.load(Ordering::Relaxed), 3);
    }
}
