//! What a budget leaves for the work of its guest, if interrupts are charged to it.
//!
//! **Model.** The server has the core in *execution intervals*: each begins with a decision, when no routine is
//! requested, and ends with the next one for something else. What is requested in an execution interval of length
//! `l` is at most `ceil((l + J) / T)` routines, and all of them are charged to the server. With `m`
//! execution intervals in which it uses `R` of its budgets altogether that is at most
//! `floor((R + m (J + T − 1)) / T)`, and what runs in the window is a limit, too:
//!
//! ```text
//!   R = w + 2 B + sum min(occurrences in x, floor((R + m (J + T − 1)) / T)) C
//!   x = parent(R)        m = 1 + ceil(R / Q) + what may interrupt it in x
//!
//!     interval    another      interval        budget gone
//!   |####▒▒##▒▒|·············|▒▒######▒▒##|··················   ▒ charged
//! ```
//!
//! `B` is the longest time for which routines run one after the other: one that was under way when
//! the window begins is charged in it, and the last of an earlier budget may have been overdrawn by
//! as much, which the next one pays.
//!
//! Sections of the kernel are charged to no server, but what is requested in them runs after them: in
//! those that lead to an execution interval, and in those within it. So they lengthen what requests find:
//! `R + m S + sections in x` for `R`.
//!
//! A runtime before the window may have ended late, by `X`, which the next ones pay as well: by as much more
//! is used. So `m` counts budgets of `Q` still: those of a window sum to `R` and the overrun at most. Where a budget is exceeded by
//! `y = X + B` with `y >= Q`, several budgets are due together, and may be used at their beginning: then the next one may come
//! `floor(y / Q) T` later. So `X + max(B, floor(y / Q) Q) - B` is used besides.
//!
//! **Assumptions.** 1. An execution interval ends with the budget, or because something else is ready with an
//! earlier deadline, which each of the `breaks` may be once. 2. Of the parent as of any supply.
//!
//! **Cost.** An evaluation of the parent for each step of the iteration.
//!
//! Derived in docs/theory/charged-interrupts.md, docs/theory/late-runtimes.md.

use super::Supply;
use crate::arrival::Arrivals;
use crate::demand::Load;
use crate::derivation::{Derivation, OfSupply};
use crate::ground::Rate;
use crate::ground::Source;
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, least_fixed_point};
use vorrang_time::Duration;

/// The routines charged to a server.
#[derive(Clone, Debug)]
pub struct Charges<'a> {
    /// Its budget.
    pub budget: Duration,
    /// How often each is requested in windows that begin when none is.
    pub requested: Vec<Load<'a>>,
    /// How often each runs in any window, in the same order.
    pub run: Vec<Load<'a>>,
    /// The longest time for which they run one after the other.
    pub block: Duration,
    /// The longest time by which it may have overrun an earlier budget, which the next ones pay.
    pub overrun: Duration,
    /// What ends or lengthens execution intervals; `None`: they are not counted.
    pub stretches: Option<Stretches<'a>>,
}

/// The execution intervals in which a server has the core, in any window.
#[derive(Clone, Debug)]
pub struct Stretches<'a> {
    /// What may interrupt the server.
    pub breaks: Vec<Arrivals<'a>>,
    /// The longest section of the kernel that leads to one.
    pub section: Duration,
    /// Other sections that may lie in them, with what they take.
    pub sections: Vec<Load<'a>>,
    /// Those that may when a window begins.
    pub at_first: Duration,
}

impl Stretches<'_> {
    /// How many of them there are, if so many end by themselves, and how long all sections are.
    fn within(&self, ends: u64, window: Duration) -> Result<(u64, Duration), NoBound> {
        let breaks = self.breaks.iter().map(|event| event.in_window(window));
        let count = breaks.fold(ends.saturating_add(1), u64::saturating_add);
        let before = self.section.checked_mul(count).and_then(|sum| sum.checked_add(self.at_first));
        let before = before.ok_or(NoBound::TooLong)?;
        let sections = self.sections.iter().try_fold(before, |sum, load| {
            sum.checked_add(load.in_window(window)?).ok_or(NoBound::TooLong)
        })?;
        Ok((count, sections))
    }
}

/// What else may be charged in a window.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    /// Routines one after the other that were under way, or overdrawn, before the window.
    pub blocks: u64,
    /// How often the guest sleeps in the window.
    pub sleeps: u64,
}

impl Charges<'_> {
    /// Those of a server that is charged for its overrun only.
    pub fn of_overrun(budget: Duration, overrun: Duration) -> Self {
        let (requested, run, stretches) = (Vec::new(), Vec::new(), None);
        Self { budget, requested, run, block: Duration::ZERO, overrun, stretches }
    }

    /// What earlier budgets may have been exceeded by besides two blocks of routines: the last one by an overrun and a block,
    /// and the one before by so much that others are due with it.
    fn paid_before(&self) -> Duration {
        let Self { budget, block, overrun, .. } = *self;
        overrun + at_once(budget, overrun + block).saturating_sub(block)
    }

    /// The most that is charged to a server that uses so much time in a window.
    fn within(&self, used: Duration, sleeps: u64, window: Duration) -> Result<Duration, NoBound> {
        if window > LONGEST_WINDOW {
            return Err(NoBound::TooLong);
        }
        let ends = used.div_ceil(self.budget).saturating_add(sleeps);
        let stretches = self.stretches.as_ref().map(|all| all.within(ends, window)).transpose()?;
        let mut sum = Duration::ZERO;
        for (requested, run) in self.requested.iter().zip(&self.run) {
            let mut count = run.occurrences(window);
            if let Some((stretches, sections)) = stretches {
                let length = used.checked_add(sections).ok_or(NoBound::TooLong)?;
                count = count.min(in_stretches(requested, length, stretches)?);
            }
            let charged = run.cost.checked_mul(count).ok_or(NoBound::TooLong)?;
            sum = sum.checked_add(charged).ok_or(NoBound::TooLong)?;
        }
        Ok(sum)
    }

    /// The budget that is used until so much work is done, given how long it takes to use so much.
    ///
    /// # Errors
    /// Why there is no such time.
    pub fn used_for(
        &self,
        (work, others): (Duration, Others),
        effort: &Effort,
        time_for: impl Fn(Duration) -> Result<Duration, NoBound>,
    ) -> Result<Duration, NoBound> {
        let rate = self.run.iter().fold(Rate::ZERO, |sum, load| sum.plus(load.rate_floor()));
        if rate >= Rate::ONE {
            return Err(NoBound::Overload);
        }
        let stretches = self.stretches.as_ref();
        let besides = stretches.map_or(0, |all| all.breaks.len() + all.sections.len());
        let terms = 2 * self.run.len() + besides;
        let before = self.block.checked_mul(others.blocks).ok_or(NoBound::TooLong)?;
        let work = work.checked_add(before).ok_or(NoBound::TooLong)?;
        least_fixed_point(effort, terms, work, |used| {
            let charged = self.within(used, others.sleeps, time_for(used)?)?;
            work.checked_add(charged).ok_or(NoBound::TooLong)
        })
    }
}

/// `floor((l + m (J + T − 1)) / T)` in `m` execution intervals of the length `l` together.
fn in_stretches(load: &Load<'_>, length: Duration, stretches: u64) -> Result<u64, NoBound> {
    let Arrivals { period, jitter, .. } = load.arrivals;
    let (period, jitter) = (u128::from(period.as_ns()), u128::from(jitter.as_ns()));
    let longer = u128::from(stretches) * (jitter + period - 1);
    u64::try_from((u128::from(length.as_ns()) + longer) / period).map_err(|_| NoBound::TooLong)
}

/// A supply less the routines charged to it.
#[derive(Clone, Copy)]
pub struct Interrupted<'a> {
    of: Source,
    parent: &'a dyn Supply,
    charges: &'a Charges<'a>,
    effort: &'a Effort,
}

impl<'a> Interrupted<'a> {
    /// What `charges` leave of `parent`, the time of the server `of`.
    pub fn new(
        of: Source,
        parent: &'a dyn Supply,
        charges: &'a Charges<'a>,
        effort: &'a Effort,
    ) -> Self {
        Self { of, parent, charges, effort }
    }

    fn used(&self, work: Duration) -> Result<Duration, NoBound> {
        let others = Others { blocks: 2, sleeps: 0 };
        let work = work.checked_add(self.charges.paid_before()).ok_or(NoBound::TooLong)?;
        self.charges.used_for((work, others), self.effort, |used| self.parent.time_for(used))
    }
}

impl Supply for Interrupted<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        self.parent.time_for(self.used(work)?)
    }

    fn rate_ceil(&self) -> Rate {
        self.parent.rate_ceil()
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(used) = self.used(work) else { return };
        if work.is_zero() {
            return;
        }
        let Charges { run, block, .. } = self.charges;
        let for_interrupts = !run.is_empty();
        to.push(OfSupply::Pays { of: self.of, for_interrupts, work, used });
        to.indented(|to| {
            if for_interrupts {
                to.push(OfSupply::UnderWay(*block));
            }
            let late = self.charges.paid_before();
            if !late.is_zero() {
                to.push(OfSupply::LateRuntime(late));
            }
        });
        self.parent.derive(used, to);
    }
}

/// The budgets that come at once with another, or are due with it, after a budget was exceeded by so much.
pub(crate) fn at_once(budget: Duration, overdrawn: Duration) -> Duration {
    budget * overdrawn.div_floor(budget)
}
