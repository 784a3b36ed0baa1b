//! All sets, on the threads of the current pool.

use crate::answer::Bench;
use crate::in_order::InOrder;
use crate::room::Room;
use crate::scheduler::Scheduler;
use crate::table::{Column, MOST_TASKS, Table, Wrong};
use rayon::prelude::*;
use std::ops::Range;

/// Rows that one thread takes at once, besides the rest of the last set.
const BLOCK: usize = 2_048;

/// What is asked of every set.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Of every core.
    pub scheduler: Scheduler,
    /// Whether the bounds on the responses are wanted, too, not only the verdicts.
    pub bounds: bool,
}

/// What came out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Numbers of sets, in their order.
    pub sets: Vec<i64>,
    /// Whether all tasks of a set are proven to meet their deadlines.
    pub proven: Vec<bool>,
    /// For each row an upper bound on the worst-case response time in ns, and 0 where there is none within
    /// the deadline; empty if bounds were not asked for.
    pub bounds: Room,
    /// The rows without a bound, ascending; none if bounds were not asked for.
    pub unbounded: Vec<usize>,
}

/// Why there are no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Something is wrong with the rows.
    Wrong(Wrong),
    /// It was interrupted.
    Interrupted,
}

/// The answers about all sets of a table; `room` is used for their bounds if it fits.
///
/// # Errors
/// See [`Stopped`]; of several wrong rows the first.
pub fn answered(
    table: &Table<'_>,
    asked: Asked,
    room: Room,
    is_end_wanted: impl Fn() -> bool + Sync,
) -> Result<Answers, Stopped> {
    if asked.scheduler == Scheduler::FixedPriority && !table.has_priorities() {
        let why = "is not there".to_owned();
        return Err(Stopped::Wrong(Wrong { row: 0, column: Column::Priority, why }));
    }
    let cuts = cuts(table);
    let mut bounds = room.again(if asked.bounds { table.rows() } else { 0 });
    let found: Vec<Result<Found, Stopped>> = jobs(&cuts, &mut bounds)
        .into_par_iter()
        .map_init(Bench::default, |bench, job| job.work(table, asked, bench, &is_end_wanted))
        .collect();
    let count = found.iter().flatten().map(|found| found.sets.len()).sum();
    let (sets, proven) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut answers = Answers { sets, proven, bounds, unbounded: Vec::new() };
    let mut stopped = None;
    for found in found {
        match found {
            Ok(found) => {
                answers.sets.extend(found.sets);
                answers.proven.extend(found.proven);
                answers.unbounded.extend(found.unbounded);
            }
            Err(why) => stopped = first(stopped, Some(why)),
        }
    }
    stopped.map_or(Ok(answers), Err)
}

/// The end counts more than what is wrong, the first row more than others: this does not depend on threads.
fn first(one: Option<Stopped>, other: Option<Stopped>) -> Option<Stopped> {
    match (one, other) {
        (Some(Stopped::Wrong(one)), Some(Stopped::Wrong(other))) => {
            Some(Stopped::Wrong(if one.row <= other.row { one } else { other }))
        }
        (Some(Stopped::Interrupted), _) | (_, Some(Stopped::Interrupted)) => {
            Some(Stopped::Interrupted)
        }
        (one, other) => one.or(other),
    }
}

/// The answers about some sets that follow each other.
#[derive(Default)]
struct Found {
    sets: Vec<i64>,
    proven: Vec<bool>,
    unbounded: Vec<usize>,
}

/// Some sets that follow each other, and where their bounds go.
struct Job<'a> {
    rows: Range<usize>,
    bounds: &'a mut [i64],
}

/// Where jobs begin, and the end of the last: with a set each, unless one has too many tasks, which is then
/// found in the job that it begins in.
fn cuts(table: &Table<'_>) -> Vec<usize> {
    let mut cuts = vec![0];
    let mut row = BLOCK;
    while row < table.rows() {
        let number = table.set(row - 1);
        let same = (row..table.rows()).take(MOST_TASKS).take_while(|row| table.set(*row) == number);
        row += same.count();
        if row < table.rows() {
            cuts.push(row);
        }
        row += BLOCK;
    }
    cuts.push(table.rows());
    cuts
}

fn jobs<'a>(cuts: &[usize], mut bounds: &'a mut [i64]) -> Vec<Job<'a>> {
    let job = |ends: &[usize]| {
        let rows = ends[0]..ends[1];
        let count = rows.len().min(bounds.len());
        let own;
        (own, bounds) = std::mem::take(&mut bounds).split_at_mut(count);
        Job { rows, bounds: own }
    };
    cuts.windows(2).map(job).collect()
}

impl Job<'_> {
    fn work(
        self,
        table: &Table<'_>,
        asked: Asked,
        bench: &mut Bench,
        is_end_wanted: impl Fn() -> bool,
    ) -> Result<Found, Stopped> {
        let first = self.rows.start;
        let in_order = InOrder::of(table, &self.rows, asked.scheduler);
        let mut found = Found::default();
        let (mut row, mut likely) = (first, 0);
        let mut before = if row > 0 { table.set(row - 1) } else { i64::MIN };
        while row < self.rows.end {
            if is_end_wanted() {
                return Err(Stopped::Interrupted);
            }
            let next = in_order.as_ref().and_then(|all| all.next(row - first, before, likely));
            let (number, count) = match next {
                Some(next) => next,
                None => table.set_from(row, before, likely).map_err(Stopped::Wrong)?,
            };
            let rows = row..row + count;
            let cells = row - first..row - first + count;
            let mut bounds = asked.bounds.then(|| &mut self.bounds[cells.clone()]);
            let quick = in_order.as_ref().and_then(|all| {
                all.answer(cells.clone(), bounds.as_deref_mut(), &mut bench.memory)
            });
            let is_proven = match quick {
                Some(is_proven) => is_proven,
                None => bench
                    .answer(table, rows.clone(), asked.scheduler, bounds)
                    .map_err(Stopped::Wrong)?,
            };
            if !is_proven && asked.bounds {
                let cells = rows.zip(&self.bounds[cells]);
                found.unbounded.extend(cells.filter(|(_, bound)| **bound == 0).map(|(row, _)| row));
            }
            found.sets.push(number);
            found.proven.push(is_proven);
            (row, before, likely) = (row + count, number, count);
        }
        Ok(found)
    }
}
