//! A schedule that takes the place of another one, which another process runs.
//!
//! **Model.** The process that is to follow announces itself, which only one can, prepares everything, and then asks each
//! dispatcher to give way. The word of a processor goes from [`NONE`] to [`ASKED`], and from there either back or to
//! [`DONE`], by an exchange, so that both sides know of the same. The instant is written before. When all processors have given
//! way, it goes to [`SETTLED`]; until then a dispatcher that has given way stays, and goes on if the process that was to follow is
//! killed.

use super::call::{self, Among};
use super::shared::{Place, Shared};
use super::{Alive, Ending, clock};
use std::io;
use std::sync::atomic::Ordering::SeqCst;

const NONE: u32 = 0;
const ASKED: u32 = 1;
const DONE: u32 = 2;
const SETTLED: u32 = 3;

/// How often it is checked whether the one that waits is to end, in nanoseconds.
const EVERY: u64 = 20_000_000;

/// The schedule of a processor that another process runs, and that is to be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Predecessor(&'static Shared);

impl Predecessor {
    /// That of a process, by the number that its shared memory has there.
    ///
    /// # Errors
    /// It is not there, or it is of another version of this program.
    pub fn of(process: i32, number: i32) -> io::Result<Self> {
        Ok(Self(Place::of_process(process, number)?.shared))
    }

    /// Announces a process that is to follow. Another one that is announced, and still there, comes first: its number.
    ///
    /// # Errors
    /// That number.
    pub fn announce(self, own: i32, is_there: impl Fn(i32) -> bool) -> Result<(), i32> {
        let before = self.0.successor.load(SeqCst);
        if before != 0 && is_there(before) {
            return Err(before);
        }
        self.0.successor.compare_exchange(before, own, SeqCst, SeqCst).map(|_| ())
    }

    /// It will not follow.
    pub fn leave(self) {
        self.0.successor.store(0, SeqCst);
    }

    /// Asks it to give way.
    pub fn ask(self) {
        self.0.handover.store(ASKED, SeqCst);
    }

    /// Calls that off; `false`: it has given way already.
    pub fn call_off(self) -> bool {
        let before = self.0.handover.compare_exchange(ASKED, NONE, SeqCst, SeqCst);
        !matches!(before, Err(DONE | SETTLED))
    }

    /// All processors have given way, and it need not stay any longer.
    pub fn settle(self) {
        let _unless_it_goes_on = self.0.handover.compare_exchange(DONE, SETTLED, SeqCst, SeqCst);
        call::wake(&self.0.handover, Among::Processes);
    }

    /// When it gave way, by the monotonic clock in nanoseconds.
    pub fn gave_way(self) -> Option<u64> {
        let has = matches!(self.0.handover.load(SeqCst), DONE | SETTLED);
        has.then(|| self.0.gave_way.load(SeqCst))
    }

    /// Waits until it gives way, and says when; `None`: the one that waits is to end.
    pub(super) fn wait(self, own: Ending) -> Option<u64> {
        loop {
            if let Some(at) = self.gave_way() {
                return Some(at);
            }
            if own.is_wanted() {
                return None;
            }
            let word = self.0.handover.load(SeqCst);
            if !matches!(word, DONE | SETTLED) {
                call::wait(&self.0.handover, word, Among::Processes, Some(clock::now() + EVERY));
            }
        }
    }
}

impl Ending {
    /// Whether another schedule is to take its place. One whose process was killed is not.
    pub fn is_followed(self) -> bool {
        if self.0.handover.load(SeqCst) != ASKED {
            return false;
        }
        let successor = self.successor().and_then(|process| Alive::of(process).ok());
        let is_there = successor.is_some_and(|process| process.is_there());
        if !is_there {
            let _unless_it_is_called_off =
                self.0.handover.compare_exchange(ASKED, NONE, SeqCst, SeqCst);
        }
        is_there
    }

    /// The process that has been announced to follow.
    pub fn successor(self) -> Option<i32> {
        Some(self.0.successor.load(SeqCst)).filter(|&process| process != 0)
    }

    /// It has given way to another schedule.
    pub fn has_given_way(self) -> bool {
        matches!(self.0.handover.load(SeqCst), DONE | SETTLED)
    }

    /// It gives way at an instant of the monotonic clock; `false`: that has been called off.
    pub fn give_way(self, at: u64) -> bool {
        self.0.gave_way.store(at, SeqCst);
        let given = self.0.handover.compare_exchange(ASKED, DONE, SeqCst, SeqCst).is_ok();
        if given {
            call::wake(&self.0.handover, Among::Processes);
        }
        given
    }

    /// After it has given way, waits until that has been done everywhere. Returns whether it is to go on instead: the process
    /// that was to follow was killed before.
    pub fn goes_on_after_all(self) -> bool {
        let successor = self.successor().and_then(|process| Alive::of(process).ok());
        loop {
            // Its guard sees that it is awake.
            let until = clock::now() + EVERY;
            self.0.deadline.store(until, SeqCst);
            if self.is_wanted() || self.0.handover.load(SeqCst) != DONE {
                return false;
            }
            if !successor.as_ref().is_some_and(Alive::is_there) {
                return self.0.handover.compare_exchange(DONE, NONE, SeqCst, SeqCst).is_ok();
            }
            call::wait(&self.0.handover, DONE, Among::Processes, Some(until));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::notice::Notice;

    fn pair() -> (Predecessor, Ending) {
        let shared = Place::new().expect("memory").shared;
        (Predecessor(shared), Ending(shared, Notice::alone()))
    }

    #[test]
    fn both_sides_know_of_the_same() {
        let (outside, inside) = pair();
        assert!(!inside.give_way(5), "it was not asked");
        outside.ask();
        assert!(outside.call_off());
        assert!(!inside.give_way(6), "it was called off");
        assert_eq!(outside.gave_way(), None);
        outside.ask();
        assert!(inside.give_way(7));
        assert!(!outside.call_off(), "too late");
        assert_eq!(outside.gave_way(), Some(7));
    }

    #[test]
    fn one_that_has_given_way_goes_on_unless_that_is_settled() {
        let own = i32::try_from(std::process::id()).expect("a number of a process");
        let mut ended =
            std::process::Command::new("/bin/true").spawn().expect("every machine has it");
        let (outside, inside) = pair();
        for (successor, settled, goes_on) in
            [(own, true, false), (i32::try_from(ended.id()).expect("a number"), false, true)]
        {
            outside.leave();
            assert_eq!(outside.announce(successor, |_| true), Ok(()));
            outside.ask();
            assert!(inside.give_way(7));
            if settled {
                outside.settle();
            }
            assert_eq!(inside.goes_on_after_all(), goes_on);
            assert_eq!(outside.gave_way().is_none(), goes_on);
        }
        ended.wait().expect("it is ours");
        outside.ask();
        assert!(!inside.is_followed(), "by one that has ended");
    }

    #[test]
    fn one_follows_at_a_time() {
        let (outside, inside) = pair();
        assert_eq!(outside.announce(10, |_| true), Ok(()));
        assert_eq!(outside.announce(11, |process| process == 10), Err(10));
        assert_eq!(outside.announce(11, |_| false), Ok(()), "it was killed");
        assert_eq!(inside.successor(), Some(11));
        outside.leave();
        assert_eq!(inside.successor(), None);
    }

    #[test]
    fn who_waits_is_woken_or_ends() {
        let (outside, inside) = pair();
        outside.ask();
        let waits = std::thread::spawn(move || outside.wait(pair().1));
        inside.give_way(9);
        assert_eq!(waits.join().expect("it waits"), Some(9));
        let (outside, own) = (pair().0, pair().1);
        own.end();
        assert_eq!(outside.wait(own), None);
    }
}
