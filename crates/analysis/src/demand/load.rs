//! The most that one competitor takes from a supply in a window.
//!
//! **Model.** A window of length `x` starts when its level of urgency becomes busy: nothing at
//! least as urgent was ready on the supply just before. In it a competitor with cost `C`, least
//! distance `T` and jitter `J` takes at most `ceil((x + J) / T) * C`.
//!
//! | competitor | C | T | J | source |
//! |---|---|---|---|---|
//! | task, service routine | execution time | least inter-arrival | release jitter | Audsley et al. 1993 |
//! | periodic, polling, sporadic server | budget | period | 0 | Davis, Burns 2005; Sprunt et al. 1989 |
//! | `SCHED_DEADLINE` server, on Linux | budget | period | 0, and a kept budget before | docs/theory/linux.md |
//! | queue of refills | budget | period | 0 | docs/theory/refill-queue.md |
//! | deferrable server | budget | period | period − budget | Davis, Burns 2005 |
//! | server without a budget, server that reclaims | all that is asked for in it ([`Load::used_by`]); everything where that is not known | | | docs/theory/levels.md, docs/theory/reclaiming.md |
//!
//! A `SCHED_DEADLINE` server with deadline `D` may have kept a part of a budget when the window
//! begins: with `e` left until its deadline at most `e C / D`, and the next whole budget comes at
//! `e − D + T`. So `n = ceil(x / T)` whole ones come, and before them `floor(max(0, x − 1 + D − n T) C / D)`.
//!
//! A server takes no more than what is in it asks for ([`Load::used_by`]), in windows that begin anywhere: every job counts
//! from its arrival to its longest response time.
//!
//! **Assumptions.** 1. Arrivals are as the description says. 2. The sporadic server
//! keeps a time for every piece of budget (see docs/model.md); as published it takes more.
//!
//! Theory: docs/theory/loads.md, docs/theory/sporadic-server.md, docs/theory/work-in-servers.md,
//! docs/theory/linux.md.

use crate::arrival::{Arrivals, Limit};
use crate::ground::Rate;
use crate::ground::Source;
use crate::ground::{LONGEST_WINDOW, NoBound};
use crate::server_kind::{Sheet, Takes};
use vorrang_model::system::{Interrupt, InterruptId, Member, System, Task, TaskId};
use vorrang_time::Duration;

/// One competitor for the time of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load<'a> {
    /// What it is.
    pub source: Source,
    /// Time taken at each occurrence.
    pub cost: Duration,
    /// How often.
    pub arrivals: Arrivals<'a>,
    /// The deadline of a `SCHED_DEADLINE` server, which may keep a part of a budget until then.
    pub kept_until: Option<Duration>,
    /// All that a server is used for; none where that is not known.
    pub used_by: Option<&'a [Load<'a>]>,
}

impl<'a> Load<'a> {
    /// `cost` at least `period` apart, each up to `jitter` late.
    pub const fn new(source: Source, cost: Duration, period: Duration, jitter: Duration) -> Self {
        Self::of(source, cost, Arrivals::new(period, jitter))
    }

    /// `cost` for each of them.
    pub const fn of(source: Source, cost: Duration, arrivals: Arrivals<'a>) -> Self {
        Self { source, cost, arrivals, kept_until: None, used_by: None }
    }

    /// The jobs of a task.
    pub fn of_task(id: TaskId, task: &'a Task) -> Self {
        let arrivals = Arrivals::new(task.min_interarrival, task.jitter);
        Self::of(Source::Task(id), task.wcet, arrivals.spaced(task.distances.as_ref()))
    }

    /// The service routine of an interrupt.
    pub fn of_interrupt(id: InterruptId, interrupt: &'a Interrupt) -> Self {
        let arrivals = Arrivals::new(interrupt.min_interarrival, interrupt.jitter);
        let arrivals = arrivals.spaced(interrupt.distances.as_ref());
        Self::of(Source::Interrupt(id), interrupt.isr, arrivals)
    }

    /// A member of a supply; `None` if its kind has no meaning where priority decides, or in turns, or is not covered.
    pub fn of_member(system: &'a System, member: Member) -> Option<Self> {
        let id = match member {
            Member::Task(id) => return Some(Self::of_task(id, system.task(id))),
            Member::Server(id) => id,
        };
        let kind = &system.supply(id).kind;
        let everything =
            Self::new(Source::Server(id), LONGEST_WINDOW, LONGEST_WINDOW, Duration::ZERO);
        if kind.level().is_some() || kind.weight().is_some() {
            return Some(everything);
        }
        let server = system.supply(id).server()?;
        let (jitter, kept_until) = match Sheet::of_server(server).takes? {
            _ if server.reclaims() => return Some(everything),
            Takes::Budgets => (Duration::ZERO, None),
            Takes::BackToBack => (server.period - server.budget, None),
            Takes::BeforePriorities => (Duration::ZERO, Some(server.relative_deadline())),
        };
        let budgets = Self::new(Source::Server(id), server.budget, server.period, jitter);
        Some(Self { kept_until, ..budgets })
    }

    /// Whether it is of a server without a budget, or one that reclaims: it takes what is asked for in it.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.cost == LONGEST_WINDOW && self.arrivals.period == LONGEST_WINDOW
    }

    /// The same whatever is known of response times in a server.
    pub(crate) fn by_budgets(&self) -> Self {
        if self.is_unlimited() { *self } else { Self { used_by: None, ..*self } }
    }

    /// How often it occurs in a window.
    #[inline]
    pub fn occurrences(&self, window: Duration) -> u64 {
        self.arrivals.in_window(window)
    }

    /// The most it takes in a window of at most [`LONGEST_WINDOW`].
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    #[inline]
    pub fn in_window(&self, window: Duration) -> Result<Duration, NoBound> {
        debug_assert!(window <= LONGEST_WINDOW);
        let whole = self.cost.checked_mul(self.occurrences(window)).ok_or(NoBound::TooLong)?;
        let budgets = match self.kept_until {
            None => whole,
            Some(deadline) => {
                whole.checked_add(self.kept(window, deadline)).ok_or(NoBound::TooLong)?
            }
        };
        match self.used_by {
            None => Ok(budgets),
            Some(inside) => Ok(budgets.min(Loads::new(inside).in_window(window)?)),
        }
    }

    /// Whether what it is used for takes less in a window than its budgets.
    pub(crate) fn is_used_less(&self, window: Duration) -> bool {
        let budgets = Self { used_by: None, ..*self };
        self.in_window(window).is_ok_and(|used| budgets.in_window(window) != Ok(used))
    }

    /// The most that is left of a budget when the window begins, if as many whole ones come in it
    /// as can.
    pub fn kept(&self, window: Duration, deadline: Duration) -> Duration {
        let whole = self.arrivals.period * self.occurrences(window);
        let left = (window + deadline).saturating_sub(whole + Duration::RESOLUTION);
        let part = u128::from(left.as_ns()) * u128::from(self.cost.as_ns());
        let part = part / u128::from(deadline.as_ns());
        Duration::from_ns(u64::try_from(part).expect("at most a budget"))
    }

    /// Its share in the long run, rounded down.
    pub fn rate_floor(&self) -> Rate {
        let arriving = self.each_cycle().map_or(Rate::ONE, |(cost, time)| Rate::floor(cost, time));
        let let_through = |limit: Limit| {
            let cost = self.cost.checked_mul(limit.count);
            cost.map_or(arriving, |cost| Rate::floor(cost, limit.period))
        };
        let budgets =
            self.arrivals.limit.map_or(arriving, |limit| arriving.min(let_through(limit)));
        self.used_by.map_or(budgets, |inside| budgets.min(Loads::new(inside).rate_floor()))
    }

    /// What its arrivals take at most in each cycle of them, and how long that is; `None` if that is out of range.
    pub(crate) fn each_cycle(&self) -> Option<(Duration, Duration)> {
        let (count, time) = self.arrivals.spacing().cycle();
        Some((self.cost.checked_mul(count)?, time))
    }

    /// The most it has taken by an instant of a window, whatever begins at that instant included.
    ///
    /// # Errors
    /// As [`Load::in_window`].
    #[inline]
    pub fn begun_by(&self, instant: Duration) -> Result<Duration, NoBound> {
        let window = instant + Duration::RESOLUTION;
        let budgets = self.cost.checked_mul(self.occurrences(window)).ok_or(NoBound::TooLong)?;
        match self.used_by {
            None => Ok(budgets),
            Some(inside) => Ok(budgets.min(Loads::new(inside).in_window(window)?)),
        }
    }

    /// The next instant after `instant` at which [`Load::begun_by`] may grow.
    pub fn next_begin(&self, instant: Duration) -> Duration {
        let inside = self.used_by.unwrap_or_default().iter().map(|load| load.next_begin(instant));
        inside.fold(self.arrivals.next_after(instant), Duration::min)
    }

    /// The same occurrences of something else.
    #[must_use]
    pub fn with(&self, source: Source, cost: Duration) -> Self {
        Load { source, cost, arrivals: self.arrivals, kept_until: self.kept_until, used_by: None }
    }

    /// The same in windows that begin anywhere, of what ends within `late` of its arrival.
    #[must_use]
    pub fn anywhere(&self, late: Duration) -> Self {
        Self { arrivals: self.arrivals.anywhere(late), ..*self }
    }

    /// What follows each occurrence, up to `delay` later than it.
    #[must_use]
    pub fn later(&self, delay: Duration) -> Self {
        Self { arrivals: self.arrivals.later(delay), used_by: None, ..*self }
    }
}

/// All competitors of one entity: a slice with, perhaps, that entity itself left out, and what
/// comes before all of them.
#[derive(Clone, Copy, Debug)]
pub struct Loads<'a> {
    first: &'a [Load<'a>],
    all: &'a [Load<'a>],
    except: Option<usize>,
    /// How many of `all`, the excepted one not among them, take in every window what `together` does.
    summed: usize,
    together: &'a [Load<'a>],
}

impl<'a> Loads<'a> {
    /// Every one of `all`.
    pub fn new(all: &'a [Load<'a>]) -> Self {
        Self { first: &[], all, except: None, summed: 0, together: &[] }
    }

    /// All but the one at `index`.
    pub fn without(all: &'a [Load<'a>], index: usize) -> Self {
        Self { except: Some(index), ..Self::new(all) }
    }

    /// The same where the first `summed`, the one that is left out not among them, take in every window what
    /// `together` does.
    #[must_use]
    pub(super) fn summed(self, summed: usize, together: &'a [Load<'a>]) -> Self {
        debug_assert!(self.except.is_none_or(|except| summed <= except), "it is none of these");
        Self { summed, together, ..self }
    }

    /// The same after `first`.
    #[must_use]
    pub fn after(self, first: &'a [Load<'a>]) -> Self {
        Self { first, ..self }
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &'a Load<'a>> + use<'a> {
        let except = self.except;
        let all = self.all.iter().enumerate();
        let others = all.filter(move |(index, _)| Some(*index) != except).map(|(_, load)| load);
        self.first.iter().chain(others)
    }

    /// The terms of their sum.
    pub(super) fn terms(&self) -> impl Iterator<Item = &'a Load<'a>> + use<'a> {
        let (summed, except) = (self.summed, self.except.map(|except| except - self.summed));
        let others = Self { first: &[], all: &self.all[summed..], except, ..*self };
        self.first.iter().chain(self.together).chain(others.iter())
    }

    /// How many terms their sum has, at most.
    pub fn len(&self) -> usize {
        self.first.len() + self.together.len() + self.all.len() - self.summed
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The most they take together in a window.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is out of range.
    #[inline]
    pub fn in_window(&self, window: Duration) -> Result<Duration, NoBound> {
        self.terms().try_fold(Duration::ZERO, |sum, load| {
            sum.checked_add(load.in_window(window)?).ok_or(NoBound::TooLong)
        })
    }

    /// Their share in the long run, rounded down.
    pub fn rate_floor(&self) -> Rate {
        self.terms().fold(Rate::ZERO, |sum, load| sum.plus(load.rate_floor()))
    }
}

/// The jobs of a task in windows that begin anywhere, each with what may hold it up in the same server.
pub(crate) fn task_anywhere<'a>(
    system: &System,
    id: TaskId,
    jobs: Load<'a>,
    late: Duration,
) -> Load<'a> {
    let blocking = system.task(id).blocking;
    Load { cost: jobs.cost + blocking, ..jobs }.anywhere(late)
}
