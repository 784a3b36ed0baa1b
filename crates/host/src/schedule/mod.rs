//! A run: lenders, guards and dispatchers, from their beginning to their end.
//!
//! ```text
//!   keeper       starts the others; waits for a signal, a guard's end or the time; ends the run
//!   guard        of each processor, a process of its own
//!   dispatcher   of each processor, decides until it is stopped, or until another run takes its place
//! ```
//!
//! Dispatchers share nothing: each has the servers of one processor. What ends one ends all, but for one that has given
//! way: then the others go on until they have, too.

mod begin;
mod keeper;
mod kept;

pub use begin::Managed;

use crate::around::Around;
use crate::changeover::Changeover;
use crate::linux::{Beginning, Ending, Linux};
use crate::ran::{Ran, Statistics};
use begin::{Begins, Ended, Guarded, guarded};
use keeper::{Keeper, Woken};
use std::thread::{self, JoinHandle};
use vorrang_time::{Duration, Instant};

/// Less budget is not lent: the time to begin and end a loan.
pub const GRAIN: Duration = Duration::from_us(8);

/// Runs the servers until a signal, or for so long, or until another run takes its place. Nothing is lent afterwards.
///
/// # Errors
/// It could not begin, as a sentence.
pub fn run(
    processors: Vec<Managed<'_>>,
    length: Option<Duration>,
    look: Duration,
    around: &dyn Around,
) -> Result<Ran, String> {
    let signals = keeper::signals()?;
    let (guarded, guards) = guarded(processors, around)?;
    let soon = Linux::soon();
    let end = length.and_then(|length| Instant::ZERO.checked_add(length));
    let endings: Vec<Ending> = guarded.iter().map(|one| one.machine.ending()).collect();
    let keeper = Keeper::new(signals, guards.into_iter().zip(endings.iter().copied()).collect());
    let (mut dispatchers, mut children, mut refused) = (Vec::new(), Vec::new(), None);
    for Guarded { mut machine, guard, managed } in guarded {
        children.push(guard);
        // Not begun, it has nothing to end; its guard goes with it.
        if refused.is_some() {
            machine.finish();
            continue;
        }
        let begins = Begins {
            processor: managed.scope.processor(look, GRAIN),
            at: managed.before.map_or(Beginning::At(soon), Beginning::After),
            end: end.unwrap_or(Instant::NEVER),
            changeover: Changeover::of_scope(managed.scope),
        };
        match begins.dispatcher(machine) {
            Ok(dispatcher) => dispatchers.push(dispatcher),
            Err(why) => refused = Some(format!("a thread: {why}")),
        }
    }
    let placed = match refused {
        Some(why) => Err(why),
        None => take_place(&keeper, around),
    };
    let (kept, is_off) = match placed {
        // One that has come to its end is the planned end of all.
        Ok(()) => (keeper.keep(end.map(|end| Linux::soon().saturating_add(end.as_ns()))), false),
        Err(why) => (Woken::Failed(why), around.follows() && around.call_off()),
    };
    for ending in &endings {
        ending.end();
    }
    let joined: Vec<_> = dispatchers.into_iter().map(JoinHandle::join).collect();
    for mut guard in children {
        let _it_has_ended = guard.wait();
    }
    // What follows takes long, and another run may go on.
    crate::linux::rest();
    let successor = endings.first().and_then(|ending| ending.successor());
    let processors = joined.into_iter().map(statistics).collect::<Result<_, String>>()?;
    match kept {
        Woken::Failed(why) if is_off => Err(why),
        Woken::Failed(why) => Ok(Ran { processors, ended: Some(why), successor }),
        Woken::Signal | Woken::Planned => Ok(Ran { processors, ended: None, successor }),
    }
}

/// If it follows another run, that is asked to give way.
fn take_place(keeper: &Keeper, around: &dyn Around) -> Result<(), String> {
    if !around.follows() {
        return Ok(());
    }
    around.ask();
    let mut failed = None;
    let woken = keeper.keep_until(|| {
        around.has_given_way().unwrap_or_else(|why| {
            failed = Some(why);
            true
        })
    });
    match (woken, failed) {
        (None, None) => crate::linux::at_leisure(|| around.took_place()),
        (None, Some(why)) | (Some(Woken::Failed(why)), _) => Err(why),
        (Some(Woken::Signal | Woken::Planned), _) => {
            Err("it was ended before it could begin".to_owned())
        }
    }
}

/// What a dispatcher left.
fn statistics(joined: thread::Result<Ended>) -> Result<Statistics, String> {
    let (course, processor, taken) = joined.map_err(|_| "the dispatcher panicked".to_owned())?;
    let (origin, course) = course.map_err(|why| format!("the dispatcher: {why}"))?;
    let (accounts, interrupts) = (processor.accounts().collect(), processor.interrupts().to_vec());
    Ok(Statistics { origin, course, taken, accounts, interrupts })
}
