//! Sets that stand in the order of urgency already: from the columns to the theorem in one pass.
//!
//! **Model.** A row is read when the theorem takes its task, and not stored:
//!
//! ```text
//!   wcet, period, deadline ─▶ in range? ──────────┐
//!                                                 ├▶ the next task, or the end
//!   urgency of the row before ─▶ more urgent? ────┘
//! ```
//!
//! A row that ends it is left to what reads rows one by one, sorts them, and says what is wrong.
//!
//! **Steps.** Every step of the search for a response time counts an arrival more in a window up to the
//! deadline. So for n tasks whose periods lie within a factor of f, with deadlines within them, a level takes
//! no more than n (f + 1) steps, and a set n^2 (f + 1). Where that is little, nothing has to be counted
//! ([`Reach::Near`]); the range of periods takes the place of the range of times that may be stated.

use crate::counted::Counted;
use crate::table::{Piece, Scale};
use std::ops::Range;
use vorrang_analysis::fixed_priority::{
    Scratch, SporadicTask, all_within_limits, each_response_time,
};
use vorrang_analysis::supply::{Dedicated, Linear, Supply};
use vorrang_time::Duration;

/// Tasks of a set whose steps need not be counted: at most a million, each of a few terms, some 10 ms.
const FEW: usize = 16;

/// No period of theirs is shorter than a quarter of the first one, or longer than this many.
const LONGEST: i64 = 1_024;

/// Memory that is used again from set to set.
#[derive(Default)]
pub(crate) struct Memory {
    set: Vec<SporadicTask>,
    pub(crate) scratch: Scratch,
}

/// A set in a piece.
pub(crate) struct InOrder<'a> {
    pub(crate) piece: &'a Piece<'a>,
    pub(crate) rows: Range<usize>,
    pub(crate) scales: &'a [Scale; 3],
}

/// Which periods are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Those near to that of the most urgent task.
    Near,
    /// All that may be stated.
    All,
}

/// What says how urgent each row is, what precedes the first, and whether one may follow another.
struct Urgency<'a, Follows> {
    of: &'a [i64],
    before: i64,
    follows: Follows,
}

impl InOrder<'_> {
    /// Whether all tasks are proven to meet their deadlines, with the larger of two priorities more urgent;
    /// `None`: they do not stand so, or it is not known after so many steps, and bounds mean nothing.
    pub(crate) fn by_priority(
        &self,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let of = &self.piece.priority?[self.rows.clone()];
        // The largest number of all has none above it: its set is read row by row.
        let before = of[0].saturating_add(1);
        let follows = |before: i64, next: i64| before > next;
        self.by_urgency(&Urgency { of, before, follows }, bounds, memory)
    }

    /// The same with the shorter of two deadlines more urgent.
    pub(crate) fn by_deadline(
        &self,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        self.ascending(self.piece.deadline.unwrap_or(self.piece.period), bounds, memory)
    }

    /// The same with the shorter of two periods more urgent.
    pub(crate) fn by_period(
        &self,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        self.ascending(self.piece.period, bounds, memory)
    }

    fn ascending(
        &self,
        column: &[i64],
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let of = &column[self.rows.clone()];
        let follows = |before: i64, next: i64| before <= next;
        self.by_urgency(&Urgency { of, before: of[0], follows }, bounds, memory)
    }

    #[inline]
    fn by_urgency(
        &self,
        urgency: &Urgency<'_, impl Fn(i64, i64) -> bool>,
        mut bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let is_implicit = self.piece.deadline.is_none();
        if self.rows.len() <= FEW {
            let (reach, bounds) = (Reach::Near, bounds.as_deref_mut());
            let near = if is_implicit {
                self.implicit(&Dedicated, reach, urgency, bounds, memory)
            } else {
                self.constrained(&Dedicated, reach, urgency, bounds, memory)
            };
            if near.is_some() {
                return near;
            }
        }
        let supply = Counted::default();
        let found = if is_implicit {
            self.implicit(&supply, Reach::All, urgency, bounds, memory)
        } else {
            self.constrained(&supply, Reach::All, urgency, bounds, memory)
        };
        found.filter(|_| supply.is_within())
    }

    /// With the periods as deadlines.
    // Not inlined, as the next: together with their callers they would need far more registers than there are.
    #[inline(never)]
    fn implicit<S: Linear>(
        &self,
        supply: &S,
        reach: Reach,
        urgency: &Urgency<'_, impl Fn(i64, i64) -> bool>,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let [periods, wcets, _] = *self.scales;
        let [wcet, period] =
            [self.piece.wcet, self.piece.period].map(|column| &column[self.rows.clone()]);
        let taken = Taken::of(periods, reach, period[0]);
        let rows = wcet.iter().zip(period).zip(urgency.of);
        let mut before = urgency.before;
        proven(supply, bounds, memory, rows, |((wcet, period), own)| {
            let ((wcet, is_stated), (limit, _)) = (wcets.time(*wcet), periods.time(*period));
            let follows = (urgency.follows)(before, *own);
            before = *own;
            (is_stated && taken.has(*period) && wcet <= limit && follows).then_some(SporadicTask {
                wcet,
                period: limit,
                limit,
            })
        })
    }

    #[inline(never)]
    fn constrained<S: Linear>(
        &self,
        supply: &S,
        reach: Reach,
        urgency: &Urgency<'_, impl Fn(i64, i64) -> bool>,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let [periods, wcets, deadlines] = *self.scales;
        let deadline = self.piece.deadline.unwrap_or(self.piece.period);
        let [wcet, period, deadline] =
            [self.piece.wcet, self.piece.period, deadline].map(|column| &column[self.rows.clone()]);
        let taken = Taken::of(periods, reach, period[0]);
        let rows = wcet.iter().zip(period).zip(deadline).zip(urgency.of);
        let mut before = urgency.before;
        proven(supply, bounds, memory, rows, |(((wcet, number), deadline), own)| {
            let ((wcet, is_stated), (period, _)) = (wcets.time(*wcet), periods.time(*number));
            let (limit, is_limit) = deadlines.time(*deadline);
            let is_in_range = is_stated && is_limit && taken.has(*number);
            let follows = (urgency.follows)(before, *own);
            before = *own;
            (is_in_range && wcet <= limit && limit <= period && follows).then_some(SporadicTask {
                wcet,
                period,
                limit,
            })
        })
    }
}

/// The theorem about rows that are read when it takes them; `None`: one of them is no task.
#[inline]
fn proven<S: Linear, Row>(
    supply: &S,
    bounds: Option<&mut [i64]>,
    memory: &mut Memory,
    rows: impl Iterator<Item = Row>,
    mut task: impl FnMut(Row) -> Option<SporadicTask>,
) -> Option<bool> {
    let mut is_whole = true;
    let tasks = rows.map_while(|row| {
        let task = task(row);
        is_whole = task.is_some();
        task
    });
    let Some(bounds) = bounds else {
        memory.set.clear();
        memory.set.extend(tasks);
        return is_whole.then(|| all_within_limits(supply, &memory.set, &mut memory.scratch));
    };
    let all = each_bound(supply, tasks, bounds, &mut memory.scratch);
    is_whole.then_some(all)
}

/// Joseph and Pandya 1986, most urgent first, each bound to its place; whether there are all.
#[inline]
pub(crate) fn each_bound(
    supply: &impl Supply,
    tasks: impl Iterator<Item = SporadicTask>,
    bounds: &mut [i64],
    scratch: &mut Scratch,
) -> bool {
    let (mut all, mut cells) = (true, bounds.iter_mut());
    each_response_time(supply, tasks, scratch, |response| {
        all &= response.is_some();
        *cells.next().expect("as many as tasks") = response.map_or(0, cell);
    });
    all
}

/// A bound within a deadline that was stated, which is below 2^50 ns.
pub(crate) fn cell(bound: Duration) -> i64 {
    bound.as_ns().cast_signed()
}

/// Numbers of a column that are taken, from the least to the most.
#[derive(Clone, Copy, Debug)]
struct Taken {
    least: i64,
    span: u64,
}

impl Taken {
    fn of(scale: Scale, reach: Reach, first: i64) -> Self {
        let (least, most) = match reach {
            Reach::Near => ((first / 4).max(1), first.saturating_mul(LONGEST).min(scale.most())),
            Reach::All => (1, scale.most()),
        };
        // Nothing but the least if the first is no time: then that is not taken.
        Self { least, span: most.saturating_sub(least).max(0).cast_unsigned() }
    }

    #[inline]
    fn has(self, number: i64) -> bool {
        number.wrapping_sub(self.least).cast_unsigned() <= self.span
    }
}
