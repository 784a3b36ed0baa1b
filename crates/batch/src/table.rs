//! The columns, read where they are.

use crate::unit::Unit;
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
    scales: [Scale; 3],
}

/// How the numbers of a column become times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    ns: u64,
    most: u64,
}

impl Scale {
    fn of(unit: Unit) -> Self {
        let ns = unit.ns().unsigned_abs();
        Self { ns, most: Duration::MAX_STATED.as_ns() / ns }
    }

    /// The largest number that may be stated.
    pub(crate) fn most(self) -> i64 {
        self.most.cast_signed()
    }

    /// A number as a time, and whether it may be stated: without a branch, and the range is looked at before
    /// the unit is multiplied.
    #[inline]
    pub(crate) fn time(self, number: i64) -> (Duration, bool) {
        let is_stated = number.cast_unsigned().wrapping_sub(1) < self.most;
        (Duration::from_ns(number.cast_unsigned().wrapping_mul(self.ns)), is_stated)
    }
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
        let [wcet, period, deadline] = units.map(Scale::of);
        let has_deadlines = pieces.first().is_some_and(|piece| piece.deadline.is_some());
        let scales = [period, wcet, if has_deadlines { deadline } else { period }];
        Self { pieces, begins, units, scales }
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

    /// The number of the set that begins at a row, behind one with a number `before`, and how many rows it
    /// has, which is soon found if they are `likely` many.
    ///
    /// # Errors
    /// Its number is less, or it has too many tasks.
    pub(crate) fn set_from(
        &self,
        row: usize,
        before: i64,
        likely: usize,
    ) -> Result<(i64, usize), Wrong> {
        let wrong = |row: usize, why: String| Wrong { row, column: Column::Set, why };
        let (piece, place) = self.place(row);
        let number = piece.set[place];
        if number < before {
            return Err(wrong(row, format!("is {number} after {before}: sort the rows by it")));
        }
        let rest = &piece.set[place..];
        let mut end = row + run(rest, likely);
        if end == row + rest.len() {
            let more = (end..self.rows()).take(MOST_TASKS + 1);
            end += more.take_while(|row| self.set(*row) == number).count();
        }
        if end - row > MOST_TASKS {
            return Err(wrong(row + MOST_TASKS, format!("is one of more than {MOST_TASKS} tasks")));
        }
        Ok((number, end - row))
    }

    /// A piece and the rows in it, if they are in one.
    #[inline]
    pub(crate) fn in_a_piece(&self, rows: &Range<usize>) -> Option<(&Piece<'a>, Range<usize>)> {
        let (piece, from) = self.place(rows.start);
        let rows = from..from + rows.len();
        (rows.end <= piece.set.len()).then_some((piece, rows))
    }

    /// What periods, execution times and deadlines are counted in; deadlines that are left out are the periods.
    #[inline]
    pub(crate) fn scales(&self) -> &[Scale; 3] {
        &self.scales
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

    /// Appends rows of a piece; false: a time is out of range, and what was appended means nothing.
    fn are_stated(&self, piece: &Piece<'a>, rows: Range<usize>, into: &mut Vec<Row>) -> bool {
        let mut is_stated = true;
        let mut time = |scale: Scale, number: i64| {
            let (time, is_one) = scale.time(number);
            is_stated &= is_one;
            time
        };
        let [period, wcet, deadline] = self.scales;
        let deadlines = piece.deadline.unwrap_or(piece.period);
        // Where there are no priorities, nothing looks at them.
        let priority = piece.priority.unwrap_or(piece.set);
        into.extend(rows.map(|place| Row {
            wcet: time(wcet, piece.wcet[place]),
            period: time(period, piece.period[place]),
            deadline: time(deadline, deadlines[place]),
            priority: priority[place],
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

/// How many numbers equal the first, up to one more than a set may have.
#[inline]
pub(crate) fn run(numbers: &[i64], likely: usize) -> usize {
    let first = numbers[0];
    if let Some((same, [next, ..])) = numbers.split_at_checked(likely)
        && *next != first
        && same.iter().fold(0, |differences, number| differences | (number ^ first)) == 0
    {
        return likely;
    }
    let numbers = &numbers[..numbers.len().min(MOST_TASKS + 1)];
    numbers.iter().position(|number| *number != first).unwrap_or(numbers.len())
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
