//! One set that does not go from the columns to the theorem in one pass (`in_order.rs`): its verdict and its bounds.
//!
//! **Model.** It is read row by row ([`Row`]), sorted, and asked of the theorem that covers it, or becomes a
//! description.

use crate::bounds::{Memory, cell, each_bound};
use crate::counted::Counted;
use crate::scheduler::Scheduler;
use crate::table::{Column, Row, Table, Wrong};
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::ops::Range;
use vorrang_analysis::edf::{Contender, ResponseTimes, Work, meets_all_deadlines};
use vorrang_analysis::fixed_priority::{SporadicTask, all_within_limits};
use vorrang_analysis::supply::Dedicated;
use vorrang_analysis::{Effort, Source, bounds};
use vorrang_model::Format;
use vorrang_model::system::TaskId;
use vorrang_time::Duration;

/// Memory that is used again from set to set.
#[derive(Default)]
pub(crate) struct Bench {
    rows: Vec<Row>,
    /// Rows by urgency.
    order: Vec<usize>,
    set: Vec<SporadicTask>,
    pub(crate) memory: Memory,
    /// Bounds by urgency.
    sorted: Vec<i64>,
}

/// Whether every task of a set is proven to meet its deadline; or what the reader of descriptions says of it.
type Answer = Result<bool, String>;

impl Bench {
    /// Of rows that do not stand in order, whether every task is proven to meet its deadline; into `bounds`, if
    /// asked for, the bound on each response in ns, and nothing where that is beyond the deadline.
    pub(crate) fn answer(
        &mut self,
        table: &Table<'_>,
        rows: Range<usize>,
        scheduler: Scheduler,
        mut bounds: Option<&mut [i64]>,
    ) -> Result<bool, Wrong> {
        let row = rows.start;
        // Some of a set that was not whole are written.
        if let Some(bounds) = bounds.as_deref_mut() {
            bounds.fill(0);
        }
        table.read(rows, &mut self.rows)?;
        self.of_rows(scheduler, bounds).map_err(|why| {
            let why = format!("begins a set that is refused as a description: {why}");
            Wrong { row, column: Column::Set, why }
        })
    }

    /// All other sets, row by row.
    fn of_rows(&mut self, scheduler: Scheduler, mut bounds: Option<&mut [i64]>) -> Answer {
        let (mut is_hopeless, mut is_constrained) = (false, true);
        for row in &self.rows {
            is_hopeless |= row.wcet > row.deadline;
            is_constrained &= row.deadline <= row.period;
        }
        if is_hopeless {
            return Ok(false);
        }
        if !is_constrained {
            return described(&self.rows, scheduler, bounds);
        }
        if scheduler == Scheduler::Edf {
            return by_deadline(&self.rows, bounds);
        }
        let proven = if self.sort(scheduler) { self.sorted(bounds.as_deref_mut()) } else { None };
        proven.map_or_else(|| described(&self.rows, scheduler, bounds), Ok)
    }

    /// Sorts by urgency; false: two tasks are equally urgent.
    fn sort(&mut self, scheduler: Scheduler) -> bool {
        let rows = &self.rows;
        let task =
            |row: &Row| SporadicTask { wcet: row.wcet, period: row.period, limit: row.deadline };
        self.order.clear();
        self.set.clear();
        self.order.extend(0..rows.len());
        match scheduler {
            Scheduler::DeadlineMonotonic => self.order.sort_by_key(|row| rows[*row].deadline),
            Scheduler::RateMonotonic => self.order.sort_by_key(|row| rows[*row].period),
            Scheduler::FixedPriority | Scheduler::Edf => {
                self.order.sort_by_key(|row| Reverse(rows[*row].priority));
            }
        }
        self.set.extend(self.order.iter().map(|row| task(&rows[*row])));
        let is_distinct = |pair: &[usize]| rows[pair[0]].priority != rows[pair[1]].priority;
        scheduler != Scheduler::FixedPriority || self.order.windows(2).all(is_distinct)
    }

    /// The set as it is sorted, its bounds to their rows; `None`: after so many steps it is not known.
    fn sorted(&mut self, bounds: Option<&mut [i64]>) -> Option<bool> {
        let Self { order, set, memory: Memory { scratch, .. }, sorted, .. } = self;
        let supply = Counted::default();
        let proven = if let Some(bounds) = bounds {
            sorted.resize(order.len(), 0);
            let proven = each_bound(&supply, set.iter().copied(), sorted, scratch);
            for (place, bound) in order.iter().zip(sorted) {
                bounds[*place] = *bound;
            }
            proven
        } else {
            all_within_limits(&supply, set, scratch)
        };
        supply.is_within().then_some(proven)
    }
}

fn by_deadline(rows: &[Row], bounds: Option<&mut [i64]>) -> Answer {
    let contender = |row: &Row| Contender {
        of: Source::Unnamed,
        cost: row.wcet,
        period: row.period,
        distances: None,
        work: Work::Jobs {
            deadline: row.deadline,
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
        },
    };
    let contenders: Vec<Contender> = rows.iter().map(contender).collect();
    let Some(bounds) = bounds else {
        let met = meets_all_deadlines(&Dedicated, true, &contenders, &Effort::default());
        return met.or_else(|_| described(rows, Scheduler::Edf, None));
    };
    described_if_given_up(rows, bounds, &contenders)
}

/// The response times under EDF; where the analysis gives up, what `vorrang check` makes of it.
fn described_if_given_up(rows: &[Row], bounds: &mut [i64], contenders: &[Contender]) -> Answer {
    let effort = Effort::default();
    let Ok(all) = ResponseTimes::new(&Dedicated, contenders, &effort) else {
        return described(rows, Scheduler::Edf, Some(bounds));
    };
    for (place, row) in rows.iter().enumerate() {
        effort.restart(rows.len());
        match all.of(place, &effort) {
            Ok(found) => {
                bounds[place] = if found.bound <= row.deadline { cell(found.bound) } else { 0 };
            }
            Err(_) => return described(rows, Scheduler::Edf, Some(bounds)),
        }
    }
    Ok(bounds.iter().all(|bound| *bound != 0))
}

/// As a description, which knows deadlines beyond periods and equal priorities.
fn described(rows: &[Row], scheduler: Scheduler, into: Option<&mut [i64]>) -> Answer {
    let system = vorrang_model::read(text(rows, scheduler).as_bytes(), Format::Toml)
        .map_err(|found| found.first().map(|first| first.message.clone()).unwrap_or_default())?;
    let found = bounds(&system);
    let within = |(id, row): (usize, &Row)| {
        found.task(TaskId(id)).bound().filter(|bound| *bound <= row.deadline)
    };
    let Some(into) = into else {
        return Ok(rows.iter().enumerate().all(|row| within(row).is_some()));
    };
    for (row, bound) in rows.iter().enumerate().zip(&mut *into) {
        *bound = within(row).map_or(0, cell);
    }
    Ok(into.iter().all(|bound| *bound != 0))
}

fn text(rows: &[Row], scheduler: Scheduler) -> String {
    let mut priorities: Vec<i64> = rows.iter().map(|row| row.priority).collect();
    priorities.sort_unstable();
    priorities.dedup();
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{}\"\n", scheduler.word());
    for (number, row) in rows.iter().enumerate() {
        let _ = write!(
            text,
            "[task.{number}]\non = \"core.0\"\nwcet = \"{}\"\nperiod = \"{}\"\ndeadline = \"{}\"\n",
            row.wcet, row.period, row.deadline
        );
        if scheduler == Scheduler::FixedPriority {
            // Their order is what counts, and descriptions have no more than a million.
            let rank = priorities.partition_point(|known| *known < row.priority);
            let _ = writeln!(text, "priority = {rank}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_reader_refuses_is_said() {
        let (time, never) = (Duration::from_ns(5), Duration::ZERO);
        let row = Row { wcet: never, period: time, deadline: time, priority: 1 };
        let said = described(&[row], Scheduler::FixedPriority, None).unwrap_err();
        assert!(!said.is_empty());
    }
}
