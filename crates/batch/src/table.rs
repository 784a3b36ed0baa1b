//! The columns, read where they are.

use crate::unit::Unit;
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use vorrang_time::Duration;

/// Tasks of one set: of so many, each with at most one job more than its utilisation in a window of the
/// longest time that may be stated, the work is below 2^63 ns.
pub const MOST_TASKS: usize = 4_096;

/// What is wrong with a batch, in the first row that has something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Counted from zero.
    pub row: usize,
    /// The column.
    pub column: Column,
    /// What is wrong, as the rest of a sentence that begins with the column.
    pub why: String,
}

/// A column of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The number of the set.
    Set,
    /// Longest execution time.
    Wcet,
    /// Least inter-arrival time.
    Period,
    /// Relative deadline.
    Deadline,
    /// Larger is more urgent.
    Priority,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Set => "set",
            Self::Wcet => "wcet",
            Self::Period => "period",
            Self::Deadline => "deadline",
            Self::Priority => "priority",
        })
    }
}

/// Some rows of all columns, equally many in each.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Numbers of sets.
    pub set: &'a [i64],
    /// Longest execution times.
    pub wcet: &'a [i64],
    /// Least inter-arrival times.
    pub period: &'a [i64],
    /// Relative deadlines; the periods if left out.
    pub deadline: Option<&'a [i64]>,
    /// Priorities, larger is more urgent.
    pub priority: Option<&'a [i64]>,
}

/// All rows.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    pieces: Vec<Piece<'a>>,
    /// Where each piece begins, and the end.
    begins: Vec<usize>,
    units: [Unit; 3],
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) wcet: Duration,
    pub(crate) period: Duration,
    pub(crate) deadline: Duration,
    pub(crate) priority: i64,
}

impl<'a> Table<'a> {
    /// Pieces in their order; the units are those of `wcet`, `period` and `deadline`.
    ///
    /// # Panics
    /// If the columns of a piece differ in length, or pieces in their columns.
    pub fn new(pieces: Vec<Piece<'a>>, units: [Unit; 3]) -> Self {
        let mut begins = vec![0];
        for piece in &pieces {
            let rows = piece.set.len();
            let optional = [piece.deadline, piece.priority];
            let lengths =
                [piece.wcet, piece.period].into_iter().chain(optional.into_iter().flatten());
            assert!(lengths.into_iter().all(|column| column.len() == rows), "columns are as long");
            let shape = |piece: &Piece<'_>| (piece.deadline.is_some(), piece.priority.is_some());
            assert_eq!(shape(piece), shape(&pieces[0]), "all pieces have the same columns");
            begins.push(begins[begins.len() - 1] + rows);
        }
        Self { pieces, begins, units }
    }

    /// How many.
    pub fn rows(&self) -> usize {
        self.begins[self.pieces.len()]
    }

    /// Whether there is a column of priorities.
    pub fn has_priorities(&self) -> bool {
        self.pieces.first().is_none_or(|piece| piece.priority.is_some())
    }

    /// The number of the set of a row.
    pub(crate) fn set(&self, row: usize) -> i64 {
        let (piece, place) = self.place(row);
        piece.set[place]
    }

    fn place(&self, row: usize) -> (&Piece<'a>, usize) {
        let piece = match self.pieces.len() {
            1 => 0,
            _ => self.begins.partition_point(|begin| *begin <= row) - 1,
        };
        (&self.pieces[piece], row - self.begins[piece])
    }

    /// Where sets begin, and the end of the last.
    ///
    /// # Errors
    /// The number of a set is less than one before it, or a set has too many tasks.
    pub(crate) fn sets(&self) -> Result<Vec<usize>, Wrong> {
        let descends = |row: usize, before: i64, number: i64| Wrong {
            row,
            column: Column::Set,
            why: format!("is {number} after {before}: sort the rows by it"),
        };
        let mut sets: Vec<usize> = Vec::new();
        let mut last = None;
        for (piece, begin) in self.pieces.iter().zip(&self.begins) {
            if let (Some(&first), Some(before)) = (piece.set.first(), last)
                && first < before
            {
                return Err(descends(*begin, before, first));
            }
            if piece.set.first().is_some_and(|first| last != Some(*first)) {
                sets.push(*begin);
            }
            let inside = (1..piece.set.len()).into_par_iter().with_min_len(1 << 14);
            let steps: Vec<usize> =
                inside.filter(|row| piece.set[*row - 1] != piece.set[*row]).collect();
            if let Some(&row) = steps.iter().find(|row| piece.set[**row] < piece.set[**row - 1]) {
                return Err(descends(begin + row, piece.set[row - 1], piece.set[row]));
            }
            sets.extend(steps.into_iter().map(|row| begin + row));
            last = piece.set.last().copied().or(last);
        }
        sets.push(self.rows());
        match sets.windows(2).find(|ends| ends[1] - ends[0] > MOST_TASKS) {
            None => Ok(sets),
            Some(ends) => Err(Wrong {
                row: ends[0] + MOST_TASKS,
                column: Column::Set,
                why: format!("is one of more than {MOST_TASKS} tasks"),
            }),
        }
    }

    /// The rows of one set, put into `into`, which is cleared.
    ///
    /// # Errors
    /// A time is out of range.
    pub(crate) fn read(&self, rows: Range<usize>, into: &mut Vec<Row>) -> Result<(), Wrong> {
        into.clear();
        let mut row = rows.start;
        while row < rows.end {
            let (piece, from) = self.place(row);
            let to = piece.set.len().min(from + (rows.end - row));
            if !self.are_stated(piece, from..to, into) {
                return Err(self.first_wrong(piece, from..to, row));
            }
            row += to - from;
        }
        Ok(())
    }

    /// The unit of each column of times; deadlines that are left out are the periods.
    fn times(&self, piece: &Piece<'a>) -> [(Column, &'a [i64], Unit); 3] {
        let [wcet, period, deadline] = self.units;
        [
            (Column::Period, piece.period, period),
            (Column::Wcet, piece.wcet, wcet),
            piece.deadline.map_or((Column::Period, piece.period, period), |values| {
                (Column::Deadline, values, deadline)
            }),
        ]
    }

    /// Appends rows of a piece; false: a time is out of range, and what was appended means nothing. Without a
    /// branch for each row, and the range is looked at before the unit is multiplied.
    fn are_stated(&self, piece: &Piece<'a>, rows: Range<usize>, into: &mut Vec<Row>) -> bool {
        let mut is_stated = true;
        let mut time = |value: i64, ns: u64, most: u64| {
            is_stated &= value.cast_unsigned().wrapping_sub(1) < most;
            Duration::from_ns(value.cast_unsigned().wrapping_mul(ns))
        };
        let [period, wcet, deadline] = self.times(piece).map(|(_, values, unit)| {
            let ns = unit.ns().unsigned_abs();
            (&values[rows.clone()], ns, Duration::MAX_STATED.as_ns() / ns)
        });
        // Where there are no priorities, nothing looks at them.
        let priority = &piece.priority.unwrap_or(piece.set)[rows];
        let cells = wcet.0.iter().zip(period.0).zip(deadline.0).zip(priority);
        into.extend(cells.map(|(((own, every), by), priority)| Row {
            wcet: time(*own, wcet.1, wcet.2),
            period: time(*every, period.1, period.2),
            deadline: time(*by, deadline.1, deadline.2),
            priority: *priority,
        }));
        is_stated
    }

    /// The first time that is out of range in rows of a piece, of which the first is row `first` of all.
    fn first_wrong(&self, piece: &Piece<'a>, rows: Range<usize>, first: usize) -> Wrong {
        let columns = self.times(piece);
        let wrong = |(place, row): (usize, usize)| {
            let (column, values, unit) = columns
                .into_iter()
                .find(|(_, values, unit)| stated(values[place], *unit).is_none())?;
            Some(Wrong { row, column, why: out_of_range(values[place], unit) })
        };
        rows.zip(first..).find_map(wrong).expect("only called where one is")
    }
}

fn stated(number: i64, unit: Unit) -> Option<Duration> {
    let ns = u64::try_from(number.checked_mul(unit.ns())?).ok()?;
    let time = Duration::from_ns(ns);
    (Duration::ZERO < time && time <= Duration::MAX_STATED).then_some(time)
}

fn out_of_range(number: i64, unit: Unit) -> String {
    let unit = match unit {
        Unit::Nanosecond => "ns",
        Unit::Microsecond => "us",
        Unit::Millisecond => "ms",
        Unit::Second => "s",
    };
    format!("is {number} {unit}: a time is from 1 ns to {}", Duration::MAX_STATED)
}
