//! All sets, on the threads of the current pool.

use crate::answer::{Bench, Scheduler};
use crate::table::{Column, Table, Wrong};
use rayon::prelude::*;

/// Sets that one thread takes at once. A thread checks after as many whether it is to end.
const BLOCK: usize = 256;

/// What is asked of every set.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Of every core.
    pub scheduler: Scheduler,
    /// Whether the bounds on the responses are wanted, too, not only the verdicts.
    pub bounds: bool,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Numbers of sets, in their order.
    pub sets: Vec<i64>,
    /// Whether all tasks of a set are proven to meet their deadlines.
    pub proven: Vec<bool>,
    /// For each row an upper bound on the worst-case response time in ns, and 0 where there is none within
    /// the deadline; empty if bounds were not asked for.
    pub bounds: Vec<i64>,
}

/// Why there are no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Something is wrong with the rows.
    Wrong(Wrong),
    /// It was interrupted.
    Interrupted,
}

/// The answers about all sets of a table.
///
/// # Errors
/// See [`Stopped`]; of several wrong rows the first.
pub fn answered(
    table: &Table<'_>,
    asked: Asked,
    is_end_wanted: impl Fn() -> bool + Sync,
) -> Result<Answers, Stopped> {
    if asked.scheduler == Scheduler::FixedPriority && !table.has_priorities() {
        let why = "is not there".to_owned();
        return Err(Stopped::Wrong(Wrong { row: 0, column: Column::Priority, why }));
    }
    let ends = table.sets().map_err(Stopped::Wrong)?;
    let count = ends.len() - 1;
    let mut answers = Answers {
        sets: ends[..count].par_iter().map(|row| table.set(*row)).collect(),
        proven: vec![false; count],
        bounds: vec![0; if asked.bounds { table.rows() } else { 0 }],
    };
    let jobs = blocks(&ends, &mut answers, asked.bounds);
    let stopped = jobs
        .into_par_iter()
        .map_init(Bench::default, |bench, job| {
            if is_end_wanted() { Some(Stopped::Interrupted) } else { job.work(table, asked, bench) }
        })
        .reduce(|| None, first);
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

/// Some sets that follow each other, and where their answers go.
struct Job<'a> {
    ends: &'a [usize],
    proven: &'a mut [bool],
    bounds: &'a mut [i64],
}

fn blocks<'a>(ends: &'a [usize], answers: &'a mut Answers, has_bounds: bool) -> Vec<Job<'a>> {
    let mut rest = &mut answers.bounds[..];
    let firsts = (0..).step_by(BLOCK);
    let job = |(proven, first): (&'a mut [bool], usize)| {
        let ends = &ends[first..=first + proven.len()];
        let rows = if has_bounds { ends[proven.len()] - ends[0] } else { 0 };
        let bounds;
        (bounds, rest) = std::mem::take(&mut rest).split_at_mut(rows);
        Job { ends, proven, bounds }
    };
    answers.proven.chunks_mut(BLOCK).zip(firsts).map(job).collect()
}

impl Job<'_> {
    fn work(self, table: &Table<'_>, asked: Asked, bench: &mut Bench) -> Option<Stopped> {
        for (number, proven) in self.proven.iter_mut().enumerate() {
            let rows = self.ends[number]..self.ends[number + 1];
            let row = rows.start;
            let cells = row - self.ends[0]..rows.end - self.ends[0];
            if let Err(wrong) = table.read(rows, &mut bench.rows) {
                return Some(Stopped::Wrong(wrong));
            }
            let bounds = asked.bounds.then(|| &mut self.bounds[cells]);
            match bench.answer(asked.scheduler, bounds) {
                Ok(is_proven) => *proven = is_proven,
                Err(why) => {
                    let why = format!("begins a set that is refused as a description: {why}");
                    return Some(Stopped::Wrong(Wrong { row, column: Column::Set, why }));
                }
            }
        }
        None
    }
}
