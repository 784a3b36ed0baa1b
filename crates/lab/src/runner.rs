//! Several machines at once, with results in the order of the runs.
//!
//! **Model.** A run is a scenario on a kernel. As many threads as machines may be on take the next run
//! each until none is left; early results are held back. Under counted time no check depends on the number of
//! machines.
//!
//! **Cost.** Of each machine that is on, its memory ([`crate::emulator::Machine::memory`]) and a processor of the host.

use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::kernel::Kernel;
use crate::scenario::Programs;
use crate::written::Scenario;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// A scenario on a kernel.
#[derive(Clone, Debug)]
pub struct Run {
    /// The scenario.
    pub scenario: Scenario,
    /// The kernel.
    pub kernel: Kernel,
    /// The stride of the calls at which faults are tried.
    pub stride: u32,
}

/// Executes all runs, up to `machines` at once; `done` receives each in their order.
///
/// # Errors
/// The first failure in that order; runs that have not begun by then do not.
pub fn run(
    runs: &[Run],
    programs: &Programs,
    machines: NonZero<usize>,
    mut done: impl FnMut(&Run, &Evidence),
) -> Result<(), Failure> {
    let one = |place: usize| {
        let Run { scenario, kernel, stride } = &runs[place];
        scenario.run(kernel, programs, *stride).map_err(|Failure(why)| {
            Failure(format!("{} on {}: {why}", scenario.name, kernel.release))
        })
    };
    in_order(runs.len(), machines, one, |place, evidence| done(&runs[place], &evidence))
}

/// Executes work for the places 0, 1, … in several threads; `done` receives each in their order.
fn in_order<T: Send>(
    places: usize,
    threads: NonZero<usize>,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
    mut done: impl FnMut(usize, T),
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.get().min(places) {
            let (next, send, work) = (&next, send.clone(), &work);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    if place >= places {
                        break;
                    }
                    let result = work(place);
                    if result.is_err() {
                        next.store(places, Ordering::Relaxed);
                    }
                    // After a failure there is no receiver.
                    if send.send((place, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        for place in 0..places {
            while !early.contains_key(&place) {
                let (place, result) = receive.recv().expect("every place is told of");
                early.insert(place, result);
            }
            done(place, early.remove(&place).expect("it is there")?);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    const TWO: NonZero<usize> = NonZero::new(2).expect("two");

    #[test]
    fn what_comes_early_waits_for_its_turn() {
        // Both threads are in the first two places at once: one of them is sometimes early.
        let both = Barrier::new(2);
        let work = |place| {
            if place < 2 {
                both.wait();
            }
            Ok(place * 10)
        };
        let mut heard = Vec::new();
        in_order(5, TWO, work, |place, result| heard.push((place, result))).expect("no failure");
        assert_eq!(heard, [(0, 0), (1, 10), (2, 20), (3, 30), (4, 40)]);
    }

    #[test]
    fn after_a_failure_nothing_is_told_and_nothing_begins() {
        let begun = AtomicUsize::new(0);
        let work = |place| {
            begun.fetch_add(1, Ordering::Relaxed);
            if place == 1 { Err(Failure("no".to_owned())) } else { Ok(place) }
        };
        let mut heard = Vec::new();
        let one = NonZero::<usize>::MIN;
        let failure = in_order(100, one, work, |place, _| heard.push(place));
        assert_eq!(failure, Err(Failure("no".to_owned())));
        assert_eq!(heard, [0]);
        assert_eq!(begun.load(Ordering::Relaxed), 2, "the rest was not begun");
    }
}
