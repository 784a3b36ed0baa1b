//! Event-driven, deterministic simulation of a core, with the cores that paths connect to it.
//!
//! **Model.** `docs/model.md`. At every instant at which something happens on a core:
//!
//! ```text
//!   advance   1. what ran until now is charged; a job whose work is done completes
//!             2. budgets that reached zero are exhausted
//!   fire      3. replenishments   4. releases of interrupts, then tasks
//!   settle    5. levels, wake-ups and sleeps of servers, innermost first
//!   choose       what runs: a section of the kernel, a routine, or from the core down to a job
//!   stop         servers of seL4 that ran until now and do not run any more
//! ```
//!
//! Steps 1 and 2 of an instant come on all cores, in the order of declaration, before step 3 of any. What the end of
//! a job wakes is released in step 4, on whatever core it is. A core on which nothing happens at an instant is left
//! as it is.
//!
//! **Assumptions.**
//! 1. All of these cores are covered ([`crate::covered`]); they do not interact with others.
//!
//! **Cost.** Logarithmic in the number of entities per event, plus the depth of nesting, plus the
//! number of sporadic servers on a supply on which something happened: each gets its level. Each instant looks at
//! each core that a path connects. Nothing is allocated per event; memory does not grow with the horizon
//! (`allowance.rs`).
//!
//! **Does not cover** what [`crate::NotCovered`] names.

mod advance;
mod allowance;
mod budget_timer;
mod choose;
mod fire;
mod interrupt_level;
mod kernel;
mod link;
mod node_set;
mod one_core;
mod packets;
mod pseudo_vcpus;
mod real_time;
mod settle;
mod stepping;
mod stop;
mod throttling;
mod timer_interrupt;
mod unfinished;
mod wake;

pub use allowance::End;

use crate::coverage::{NotCovered, covered};
use crate::history::History;
use crate::observer::{Observer, OnlyOn};
use crate::own::Own;
use one_core::OneCore;
use std::sync::Arc;
use vorrang_model::system::{SupplyId, System};
use vorrang_time::Instant;

/// Runs `history` on one core, and on those that paths connect to it, up to `horizon`. The observer is told what
/// happens on this core.
///
/// # Errors
/// What on these cores cannot be simulated.
pub fn simulate(
    system: &System,
    core: SupplyId,
    history: &History,
    horizon: Instant,
    observer: &mut impl Observer,
) -> Result<(), NotCovered> {
    Simulator::new(system, core)?.run(history, horizon, observer);
    Ok(())
}

/// A core and those that paths connect to it, ready to run one history after the other without building their tables
/// anew.
#[derive(Clone, Debug)]
pub struct Simulator<'s> {
    system: &'s System,
    core: SupplyId,
    /// All of them, in the order of declaration.
    ids: Vec<SupplyId>,
    cores: Vec<OneCore<'s>>,
    own: Arc<Own>,
    /// The one whose turn it is: it has the steps that are left.
    turn: usize,
}

impl<'s> Simulator<'s> {
    /// Builds the tables of a core and of those that paths connect to it.
    ///
    /// # Errors
    /// What on these cores cannot be simulated.
    pub fn new(system: &'s System, core: SupplyId) -> Result<Self, NotCovered> {
        covered(system, core)?;
        let ids = system.connected(core);
        let mut cores: Vec<_> = ids.iter().map(|&id| OneCore::new(system, id)).collect();
        link::link(system, &mut cores);
        let own = Arc::new(Own::of(system, &ids));
        Ok(Self { system, core, ids, cores, own, turn: 0 })
    }

    /// The system that the cores are part of.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The core that it was made for.
    pub fn core(&self) -> SupplyId {
        self.core
    }

    /// This core and those that paths connect to it, in the order of declaration.
    pub fn cores(&self) -> &[SupplyId] {
        &self.ids
    }

    /// What is on them.
    pub(crate) fn own(&self) -> &Arc<Own> {
        &self.own
    }

    /// Runs a history up to `horizon`: work that is done there is complete, nothing begins there.
    /// Where it ends early ([`End`]), the same holds there. The observer is told what happens on the core that this
    /// was made for.
    ///
    /// # Panics
    /// If the history is of another system.
    pub fn run(
        &mut self,
        history: &History,
        horizon: Instant,
        observer: &mut impl Observer,
    ) -> End {
        let own = self.core;
        self.run_together(history, horizon, &mut OnlyOn::new(own, observer))
    }

    /// The same; the observer is told what happens on all of these cores.
    ///
    /// # Panics
    /// If the history is of another system.
    pub fn run_together(
        &mut self,
        history: &History,
        horizon: Instant,
        observer: &mut impl Observer,
    ) -> End {
        self.begin(history, observer);
        let mut now = Instant::ZERO;
        while now < horizon && !observer.has_seen_enough() && !self.is_over() {
            self.decide(now, observer);
            if self.is_stuck() {
                break;
            }
            let next = self.cores.iter().map(OneCore::next).fold(horizon, Instant::min);
            assert!(next > now, "nothing that is due at {now} may be left there");
            self.advance(next, observer);
            now = next;
        }
        let end = self.cores[self.turn].end(now == horizon);
        for place in 0..self.cores.len() {
            let core = self.turn_to(place, observer);
            core.go_to(now, observer);
            core.finish(end, observer);
        }
        end
    }

    fn begin(&mut self, history: &History, observer: &mut impl Observer) {
        observer.on(self.ids[self.turn]);
        for place in 0..self.cores.len() {
            let core = self.turn_to(place, observer);
            core.set_up();
            core.reset(history);
            observer.began(core.core(), history);
            core.report_budgets(observer);
        }
    }

    /// Steps 1 and 2 of an instant, on all cores on which something happens then.
    #[inline]
    fn advance(&mut self, next: Instant, observer: &mut impl Observer) {
        for place in 0..self.cores.len() {
            if self.cores[place].next() <= next {
                self.turn_to(place, observer).go_to(next, observer);
            }
        }
        for place in 0..self.cores.len() {
            if !self.cores[place].wakes.is_empty() {
                self.wake(place, next, observer);
            }
        }
    }

    /// Steps 3 to 5 of an instant, on all cores that have come to it.
    #[inline]
    fn decide(&mut self, now: Instant, observer: &mut impl Observer) {
        for place in 0..self.cores.len() {
            if self.cores[place].now == now && !self.is_stuck() {
                self.turn_to(place, observer).decide(observer);
            }
        }
    }

    /// The core at a place, whose turn it is from here on.
    #[inline]
    fn turn_to(&mut self, place: usize, observer: &mut impl Observer) -> &mut OneCore<'s> {
        let before = core::mem::replace(&mut self.turn, place);
        if before != place {
            self.cores[place].allowance = self.cores[before].allowance;
            observer.on(self.ids[place]);
        }
        &mut self.cores[place]
    }
}
