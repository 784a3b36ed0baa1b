//! One member among those of its priority, where some of them take turns of a slice.
//!
//! **Model.** Each equal whose slices end takes at most a visit of `V_k` for each of the `n` times that the member goes to the
//! back, and at most the work `A_k(x)` that it has in a window of `x` that begins anywhere. The member goes to the back when it
//! has used a slice of `V`; its first one may have begun before the window. So `time_for(w)` is the least `x` with
//!
//! ```text
//! x = parent(w + B + H(x) + sum over k of min(n V_k, A_k(x))),   n = 1 + ceil((w − 1) / V), 1 without slices
//! ```
//!
//! where `H` is what is more urgent, in windows in which that begins to be ready, and `B` less urgent work.
//!
//! **Assumptions.** 1. The member wants time throughout the window. 2. An equal that has used up its slice is behind the member
//! until that has gone to the back; what is left of a slice is kept. 3. Nothing else takes the parent's time.
//!
//! **Cost.** One evaluation of the parent and of all loads per step of the iteration.
//!
//! Theory: docs/theory/slices.md.

use super::Supply;
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfRule};
use crate::ground::Rate;
use crate::ground::{Effort, NoBound, least_fixed_point};
use vorrang_time::Duration;

/// What an equally urgent member takes; at least one of both is known.
#[derive(Clone, Debug)]
pub(crate) struct Visited<'a> {
    /// The most before it is behind; none: that is not known.
    pub(crate) visit: Option<Duration>,
    /// All of its work, in windows that begin anywhere; none: that is not known.
    pub(crate) work: Option<Vec<Load<'a>>>,
}

impl Visited<'_> {
    /// The most in a window in which there are so many visits.
    fn before(&self, visits: u64, window: Duration) -> Result<Duration, NoBound> {
        let turns = self.visit.and_then(|visit| visit.checked_mul(visits));
        let work = self.work.as_deref().map(|work| Loads::new(work).in_window(window)).transpose();
        match (turns, work) {
            (Some(turns), Ok(Some(work))) => Ok(turns.min(work)),
            (Some(turns), _) => Ok(turns),
            (None, Ok(Some(work))) => Ok(work),
            (None, _) => Err(NoBound::TooLong),
        }
    }

    /// What it takes in the long run, whatever the member has.
    fn rate_floor(&self) -> Rate {
        let work = self.work.as_deref().filter(|_| self.visit.is_none());
        work.map_or(Loads::new(&[]).rate_floor(), |work| Loads::new(work).rate_floor())
    }

    fn terms(&self) -> usize {
        1 + self.work.as_ref().map_or(0, Vec::len)
    }
}

/// A priority of a supply as one of its members has it.
#[derive(Clone, Copy)]
pub(crate) struct Slices<'a> {
    pub(crate) parent: &'a dyn Supply,
    /// What is more urgent.
    pub(crate) urgent: Loads<'a>,
    /// Less urgent work that is under way.
    pub(crate) blocking: Duration,
    /// The slice after which it goes to the back; none: it keeps its place.
    pub(crate) own: Option<Duration>,
    /// The others of its priority.
    pub(crate) equals: &'a [Visited<'a>],
    pub(crate) effort: &'a Effort,
}

impl Slices<'_> {
    /// How often the others may come first while the member receives so much.
    fn visits(&self, work: Duration) -> u64 {
        let rest = work.saturating_sub(Duration::RESOLUTION);
        self.own.map_or(1, |own| 1 + rest.div_ceil(own))
    }

    /// What the others take of the window.
    fn others(&self, visits: u64, window: Duration) -> Result<Duration, NoBound> {
        self.equals.iter().try_fold(Duration::ZERO, |sum, equal| {
            sum.checked_add(equal.before(visits, window)?).ok_or(NoBound::TooLong)
        })
    }
}

impl Supply for Slices<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        if work.is_zero() {
            return Ok(Duration::ZERO);
        }
        let equals = self.equals.iter().map(Visited::rate_floor);
        if equals.fold(self.urgent.rate_floor(), Rate::plus) > self.parent.rate_ceil() {
            return Err(NoBound::Overload);
        }
        let visits = self.visits(work);
        let first = work.checked_add(self.blocking).ok_or(NoBound::TooLong)?;
        let start = self.parent.time_for(first)?;
        let terms: usize = self.equals.iter().map(Visited::terms).sum();
        least_fixed_point(self.effort, 1 + self.urgent.len() + terms, start, |window| {
            let before = self.others(visits, window)?.checked_add(self.urgent.in_window(window)?);
            let demand = before.and_then(|before| first.checked_add(before));
            self.parent.time_for(demand.ok_or(NoBound::TooLong)?)
        })
    }

    fn rate_ceil(&self) -> Rate {
        self.parent.rate_ceil().minus(self.urgent.rate_floor())
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        let Ok(window) = self.time_for(work) else { return };
        let visits = self.visits(work);
        let Ok(others) = self.others(visits, window) else { return };
        to.push(OfRule::Slices { work, visits, others, window });
        to.indented(|to| to.blocking(self.blocking));
        to.cite("slices among equals, docs/theory/slices.md");
        let demand = to.terms(work + self.blocking + others, self.urgent, window);
        self.parent.derive(demand, to);
    }
}
