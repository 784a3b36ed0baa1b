//! The watchers: threads that report that others do not run.
//!
//! **Model.** A watcher has the next lower priority than a lent thread: if it runs, that thread does not. A thread that is lent to
//! before another one has a higher priority than the watcher of that, and a watcher of its own. Each level has its own
//! watchers ([`levels`](crate::levels)), so that no less urgent task keeps one from running. Where tasks are above a level, another
//! watcher has a higher priority than everything of that level: if it runs, none of these tasks does.

use super::begun::await_that;
use super::lenders::pin;
use super::notice::Notice;
use super::privileges::{self, Needs};
use super::shared::Shared;
use super::urgency;
use crate::levels::Levels;
use std::io;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;

/// Memory is locked: no more stack than these threads need.
const STACK: usize = 64 << 10;

/// Where a watcher is among all: of the lent thread of a level, or of the one that is lent to first.
pub(super) fn of_loan(level: usize, is_first: bool) -> usize {
    3 * level + usize::from(is_first)
}

/// That of the tasks above a level.
pub(super) fn of_tasks(level: usize) -> usize {
    3 * level + 2
}

/// Starts all watchers of a processor. Only interrupts of guests, if there are any, are lent to first.
///
/// # Errors
/// One cannot be started, or gets no priority: as a sentence.
pub(super) fn start(
    (shared, notice): (&'static Shared, &'static Notice),
    cpu: u32,
    levels: &Levels,
    awaits: bool,
) -> Result<(), String> {
    let mut all = Vec::new();
    for level in levels.all() {
        all.push((of_loan(level, false), levels.watcher(level, false)));
        if awaits {
            all.push((of_loan(level, true), levels.watcher(level, true)));
        }
        if levels.tasks_above(level) > 0 {
            all.push((of_tasks(level), levels.watcher_of_tasks(level)));
        }
    }
    for &(place, priority) in &all {
        watch((shared, notice), cpu, place, priority).map_err(|why| format!("a thread: {why}"))?;
    }
    for (place, _) in all {
        let watching = &shared.watching[place];
        await_that("the watcher", || watching.load(SeqCst) != 0)?;
        if let error @ ..0 = watching.load(SeqCst) {
            let why = io::Error::from_raw_os_error(error.saturating_neg());
            return Err(format!("priorities of SCHED_FIFO: {why}"));
        }
    }
    Ok(())
}

fn watch(
    (shared, notice): (&'static Shared, &'static Notice),
    cpu: u32,
    place: usize,
    priority: u32,
) -> io::Result<()> {
    let (watched, watching) = (&shared.watched[place], &shared.watching[place]);
    let watch = move || {
        let raised = pin(cpu).and_then(|()| urgency::raise(0, priority));
        match raised.and_then(|()| privileges::keep(Needs::Nothing)) {
            Ok(()) => watching.store(1, SeqCst),
            Err(why) => {
                return watching.store(-why.raw_os_error().unwrap_or(1), SeqCst);
            }
        }
        while shared.stop.load(SeqCst) == 0 {
            if watched.tell_or_wait() {
                notice.give();
            }
        }
    };
    thread::Builder::new().name("watcher".to_owned()).stack_size(STACK).spawn(watch)?;
    Ok(())
}
