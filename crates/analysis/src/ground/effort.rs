//! Why a computation ends without a bound, and the count of steps that makes it end.
//!
//! **Why it is a cell that is restarted.** A search evaluates the supply that it is on, which evaluates the one below, down
//! to the core. All of that is work of the search, so all of it has to count, and the supplies were made before the search
//! began: they hold a reference to the effort of their core, and the search restarts it. An effort for each search as a
//! value would have to be an argument of every evaluation of every supply and load, to the innermost loop.
//!
//! **What forgetting to restart costs.** Never a wrong bound: an effort only ends searches, and what was not found
//! is no bound ([`NoBound::Effort`]). A search that is not restarted has the terms that the one before it left, which is
//! the same on every machine, and no more than those of the whole analysis.

use crate::ground::Rate;
use core::cell::{Cell, RefCell};
use core::fmt;
use std::rc::Rc;
use vorrang_time::Duration;

/// Windows longer than this (36 years) are not considered: it keeps every sum of a window with
/// a stated duration within the range of [`Duration`].
pub const LONGEST_WINDOW: Duration = Duration::from_ns(1 << 60);

/// Terms that the search for one bound may evaluate: some 5 ms of work.
const MOST: u64 = 1_000_000;

/// Terms that all members of a supply may evaluate together, as long as each can still go
/// through [`ITERATIONS`] iterations over all others.
const TOGETHER: u64 = 20_000_000;

/// Terms that all searches of one analysis may evaluate together for each core: some tenths of a second.
const IN_ALL: u64 = 80_000_000;

/// Terms that a picture of one bound may evaluate.
const PICTURE: u64 = 8_000_000;

/// What an evaluation of an equation takes besides its terms, in terms of all searches together: where there
/// are few of them, it is most.
const BESIDES: u64 = 4;

/// What a fixed point needs that is not found at the edge of overload.
const ITERATIONS: u64 = 200;

/// Iterations at full load, where the window mostly never ends: what ends, ends soon.
const ITERATIONS_AT_FULL_LOAD: u64 = 4_000;

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBound {
    /// More work arrives in the long run than the supply provides.
    Overload,
    /// The window exceeds [`LONGEST_WINDOW`].
    TooLong,
    /// The search took more steps than it may.
    Effort,
    /// The same where the work takes all that the supply provides.
    FullLoad,
}

impl fmt::Display for NoBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overload => "more work arrives in the long run than the supply provides",
            Self::TooLong => "the busy window is longer than 36 years",
            Self::Effort => "the search for the busy window exhausts its iteration budget",
            Self::FullLoad => {
                "the work takes all that the supply provides in the long run, and when it repeats is not found within the iteration budget"
            }
        })
    }
}

/// How much is wanted of a supply in the long run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongRun {
    /// Less than there is.
    Less,
    /// All of it, to a billionth: busy windows need not end.
    All,
}

impl LongRun {
    /// Why there is no bound, where a search found this.
    pub(crate) fn reason(self, why: NoBound) -> NoBound {
        match (self, why) {
            (Self::All, NoBound::Effort | NoBound::TooLong) => NoBound::FullLoad,
            _ => why,
        }
    }
}

/// The terms that one search may still evaluate, and those of all searches of an analysis.
/// Deterministic, unlike a time limit.
#[derive(Debug)]
pub struct Effort {
    left: Cell<u64>,
    left_in_all: Rc<Cell<u64>>,
    /// Of each core that was begun, what it had left when the next one was; `None`: all have what there is together.
    apart: Option<Rc<RefCell<Apart>>>,
    /// The terms that a picture may still evaluate, while one is made.
    drawing: Rc<Cell<Option<u64>>>,
}

/// What each core has for itself, so that none decides what is found on another.
#[derive(Debug, Default)]
struct Apart {
    /// Terms that are left, by place of the core.
    left: Vec<u64>,
    /// The core that is gone through.
    begun: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self::sharing(IN_ALL, None)
    }
}

impl Effort {
    /// With at most so many terms for all searches of an analysis.
    pub fn in_all(terms: u64) -> Self {
        Self::sharing(terms.min(IN_ALL), None)
    }

    /// For an analysis in which each core has as many, whatever the others take.
    pub(crate) fn of_each_core() -> Self {
        Self::sharing(IN_ALL, Some(Rc::default()))
    }

    /// The core in this place is gone through from now on.
    pub(crate) fn begin_core(&self, place: usize) {
        let Some(apart) = &self.apart else { return };
        let mut apart = apart.borrow_mut();
        let begun = apart.begun;
        let cores = apart.left.len().max(place + 1).max(begun + 1);
        apart.left.resize(cores, IN_ALL);
        apart.left[begun] = self.left_in_all.get();
        apart.begun = place;
        self.left_in_all.set(apart.left[place]);
    }

    /// Terms that all searches of the analysis may still evaluate; where each core has its own, on the core that was
    /// begun last.
    pub fn left_in_all(&self) -> u64 {
        self.left_in_all.get()
    }

    /// Terms that were evaluated on cores that have their own.
    pub(crate) fn taken_apart(&self) -> u64 {
        let Some(apart) = &self.apart else { return 0 };
        let apart = apart.borrow();
        let others = apart.left.iter().enumerate().filter(|(place, _)| *place != apart.begun);
        let of_others: u64 = others.map(|(_, left)| IN_ALL - left).sum();
        of_others + IN_ALL - self.left_in_all.get()
    }

    /// For searches of the same analysis on another supply.
    #[must_use]
    pub fn another(&self) -> Self {
        let (left_in_all, drawing) = (Rc::clone(&self.left_in_all), Rc::clone(&self.drawing));
        Self { left: Cell::new(MOST), left_in_all, apart: self.apart.clone(), drawing }
    }

    fn sharing(terms: u64, apart: Option<Rc<RefCell<Apart>>>) -> Self {
        let (left_in_all, drawing) = (Rc::new(Cell::new(terms)), Rc::default());
        Self { left: Cell::new(MOST), left_in_all, apart, drawing }
    }

    /// Evaluates for a picture: that takes nothing from what bounds are looked for with, here and in all
    /// searches of the analysis, and ends after [`PICTURE`] terms.
    pub(crate) fn for_a_picture<T>(&self, draw: impl FnOnce() -> T) -> T {
        self.drawing.set(Some(PICTURE));
        let drawn = draw();
        self.drawing.set(None);
        drawn
    }

    /// Evaluates `terms` terms of an equation.
    ///
    /// # Errors
    /// [`NoBound::Effort`] if fewer are left.
    #[inline]
    pub fn spend(&self, terms: usize) -> Result<(), NoBound> {
        let terms = terms as u64;
        if let Some(left) = self.drawing.get() {
            let left = left.checked_sub(terms);
            self.drawing.set(Some(left.unwrap_or(0)));
            return left.map(|_| ()).ok_or(NoBound::Effort);
        }
        for (of, terms) in [(&self.left, terms), (&*self.left_in_all, terms + BESIDES)] {
            let left = of.get().checked_sub(terms);
            of.set(left.unwrap_or(0));
            left.ok_or(NoBound::Effort)?;
        }
        Ok(())
    }

    /// A window that is its own fixed point, since nothing of it depends on its length.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] or [`NoBound::Effort`].
    pub(crate) fn known(&self, window: Duration) -> Result<Duration, NoBound> {
        self.spend(1)?;
        if window > LONGEST_WINDOW { Err(NoBound::TooLong) } else { Ok(window) }
    }

    /// Compares the load with what the supply provides, both in the long run, before a search
    /// with `terms` terms: at an overload there is no fixed point, at full load one that is
    /// soon found or none.
    ///
    /// # Errors
    /// [`NoBound::Overload`] if more arrives than the supply provides.
    pub fn expect(&self, load: Rate, supply: Rate, terms: usize) -> Result<LongRun, NoBound> {
        if load > supply {
            return Err(NoBound::Overload);
        }
        if load.is_nearly(supply) {
            self.left.set(self.left.get().min(ITERATIONS_AT_FULL_LOAD * terms as u64));
            return Ok(LongRun::All);
        }
        Ok(LongRun::Less)
    }

    /// Begins another search at full load, after one with as many terms that found no end.
    pub(crate) fn restart_at_full_load(&self, terms: usize) {
        self.left.set(ITERATIONS_AT_FULL_LOAD * terms as u64);
    }

    /// Begins a search that answers for all members of a supply at once.
    pub fn restart_for_all(&self) {
        self.left.set(TOGETHER);
    }

    /// Begins the search for the bound of one of `members` members of a supply.
    pub fn restart(&self, members: usize) {
        let members = (members as u64).max(1);
        self.left.set((TOGETHER / members).min(MOST).max(ITERATIONS * members));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A core does not lose its bounds because there are others, nor gain any.
    #[test]
    fn every_core_has_its_own() {
        let effort = Effort::of_each_core();
        let another = effort.another();
        let takes = |terms: usize| {
            another.restart_for_all();
            another.spend(terms).unwrap();
            terms as u64 + BESIDES
        };
        effort.begin_core(0);
        let first = takes(1000);
        effort.begin_core(2);
        assert_eq!(effort.left_in_all(), IN_ALL);
        let third = takes(10);
        effort.begin_core(0);
        assert_eq!(another.left_in_all(), IN_ALL - first);
        assert_eq!(effort.taken_apart(), first + third);
        effort.begin_core(2);
        assert_eq!((effort.left_in_all(), effort.taken_apart()), (IN_ALL - third, first + third));
    }

    #[test]
    fn searches_of_one_analysis_share_what_they_may_do() {
        let first = Effort::default();
        let second = first.another();
        for effort in [&first, &second] {
            effort.restart_for_all();
        }
        let steps = |effort: &Effort| {
            effort.restart_for_all();
            (0..100).take_while(|_| effort.spend(1_000_000).is_ok()).count()
        };
        let rounds: Vec<usize> =
            (0..12).map(|round| steps(if round % 2 == 0 { &first } else { &second })).collect();
        assert_eq!(rounds, [20, 20, 20, 19, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
