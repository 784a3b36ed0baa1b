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

use crate::bounds::{Memory, each_bound};
use crate::counted::Counted;
use crate::scheduler::Scheduler;
use crate::table::{MOST_TASKS, Scale, Table, run};
use std::ops::Range;
use vorrang_analysis::fixed_priority::{SporadicTask, all_within_limits};
use vorrang_analysis::supply::{Dedicated, Linear};

/// Tasks of a set whose steps need not be counted: at most a million, each of a few terms, some 10 ms.
const FEW: usize = 16;

/// No period of theirs is shorter than a quarter of the first one, or longer than this many.
const LONGEST: i64 = 1_024;

/// Rows of one piece, by sets that are expected to stand in order.
pub(crate) struct InOrder<'a> {
    set: &'a [i64],
    wcet: &'a [i64],
    period: &'a [i64],
    /// Left out: the periods.
    deadline: Option<&'a [i64]>,
    urgency: Urgency<'a>,
    scales: [Scale; 3],
}

/// Which number says how urgent a row is.
#[derive(Clone, Copy)]
enum Urgency<'a> {
    /// The larger of two is more urgent; none are equal.
    Descending(&'a [i64]),
    /// The less of two, or the earlier row.
    Ascending(&'a [i64]),
}

/// Which periods are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Those near to that of the most urgent task.
    Near,
    /// All that may be stated.
    All,
}

/// The rows of one set.
struct Rows<'a> {
    wcet: &'a [i64],
    period: &'a [i64],
    deadline: Option<&'a [i64]>,
    scales: &'a [Scale; 3],
}

/// How urgent each row of a set is, what precedes the first, and whether one may follow another.
struct Order<'a, Follows> {
    of: &'a [i64],
    before: i64,
    follows: Follows,
}

impl<'a> InOrder<'a> {
    /// Nothing if there are none, they lie in several pieces, or no column orders them.
    pub(crate) fn of(table: &Table<'a>, rows: &Range<usize>, scheduler: Scheduler) -> Option<Self> {
        if rows.is_empty() {
            return None;
        }
        let (piece, rows) = table.in_a_piece(rows)?;
        let part = |column: &'a [i64]| &column[rows.clone()];
        let urgency = match scheduler {
            Scheduler::FixedPriority => Urgency::Descending(part(piece.priority?)),
            Scheduler::DeadlineMonotonic => {
                Urgency::Ascending(part(piece.deadline.unwrap_or(piece.period)))
            }
            Scheduler::RateMonotonic => Urgency::Ascending(part(piece.period)),
            Scheduler::Edf => return None,
        };
        Some(Self {
            set: part(piece.set),
            wcet: part(piece.wcet),
            period: part(piece.period),
            deadline: piece.deadline.map(part),
            urgency,
            scales: *table.scales(),
        })
    }

    /// The number of the set that begins at a row, behind one with a number `before`, and how many rows it
    /// has, which is soon found if they are `likely` many; `None`: it is less, or they are too many.
    #[inline]
    pub(crate) fn next(&self, from: usize, before: i64, likely: usize) -> Option<(i64, usize)> {
        let rest = &self.set[from..];
        let (number, count) = (rest[0], run(rest, likely));
        (before <= number && count <= MOST_TASKS).then_some((number, count))
    }

    /// Whether all tasks of a set are proven to meet their deadlines; `None`: they do not stand in order, or it
    /// is not known after so many steps, and bounds mean nothing.
    #[inline]
    pub(crate) fn answer(
        &self,
        rows: Range<usize>,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let part = |column: &'a [i64]| &column[rows.clone()];
        let of = match self.urgency {
            Urgency::Descending(of) | Urgency::Ascending(of) => part(of),
        };
        let set = Rows {
            wcet: part(self.wcet),
            period: part(self.period),
            deadline: self.deadline.map(part),
            scales: &self.scales,
        };
        match self.urgency {
            Urgency::Descending(_) => {
                // The largest number of all has none above it: its set is read row by row.
                let before = of[0].saturating_add(1);
                let follows = |before: i64, next: i64| before > next;
                set.answer(&Order { of, before, follows }, bounds, memory)
            }
            Urgency::Ascending(_) => {
                let follows = |before: i64, next: i64| before <= next;
                set.answer(&Order { of, before: of[0], follows }, bounds, memory)
            }
        }
    }
}

impl Rows<'_> {
    #[inline]
    fn answer(
        &self,
        order: &Order<'_, impl Fn(i64, i64) -> bool>,
        mut bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        if self.wcet.len() <= FEW {
            let (reach, bounds) = (Reach::Near, bounds.as_deref_mut());
            let near = match self.deadline {
                None => self.implicit(&Dedicated, reach, order, bounds, memory),
                Some(deadline) => {
                    self.constrained(deadline, &Dedicated, reach, order, bounds, memory)
                }
            };
            if near.is_some() {
                return near;
            }
        }
        let supply = Counted::default();
        let found = match self.deadline {
            None => self.implicit(&supply, Reach::All, order, bounds, memory),
            Some(deadline) => {
                self.constrained(deadline, &supply, Reach::All, order, bounds, memory)
            }
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
        order: &Order<'_, impl Fn(i64, i64) -> bool>,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let [periods, wcets, _] = *self.scales;
        let taken = Taken::of(periods, reach, self.period[0]);
        let rows = self.wcet.iter().zip(self.period).zip(order.of);
        let mut before = order.before;
        proven(supply, bounds, memory, rows, |((wcet, period), own)| {
            let ((wcet, is_stated), (limit, _)) = (wcets.time(*wcet), periods.time(*period));
            let follows = (order.follows)(before, *own);
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
        deadline: &[i64],
        supply: &S,
        reach: Reach,
        order: &Order<'_, impl Fn(i64, i64) -> bool>,
        bounds: Option<&mut [i64]>,
        memory: &mut Memory,
    ) -> Option<bool> {
        let [periods, wcets, deadlines] = *self.scales;
        let taken = Taken::of(periods, reach, self.period[0]);
        let rows = self.wcet.iter().zip(self.period).zip(deadline).zip(order.of);
        let mut before = order.before;
        proven(supply, bounds, memory, rows, |(((wcet, number), deadline), own)| {
            let ((wcet, is_stated), (period, _)) = (wcets.time(*wcet), periods.time(*number));
            let (limit, is_limit) = deadlines.time(*deadline);
            let is_in_range = is_stated && is_limit && taken.has(*number);
            let follows = (order.follows)(before, *own);
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
