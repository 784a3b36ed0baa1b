//! A small Gantt chart in the terminal.
//!
//! ```text
//!  [ms]         5050      5070      5090      5110      5130      5150
//!               |         |         |         |         |         |
//!  vcpu.b       ▒▒▒▒▒          ███▓                    █████
//!               ↑                                                 ✗
//!    task.c                    ███▓                    █████
//! ```
//!
//! **Model.** A window of time is divided into at most [`COLUMNS`] columns of one round length. A
//! row has a bar, which says how much of each column it ran, and a line of marks above it where
//! there are any. A column shows the most important mark that falls into it.
//!
//! **Does not cover** exact instants inside a column: the text around the chart gives those.

use crate::prose::wrapped;
use crate::screen::Screen;
use crate::unit::Unit;
use std::fmt::Write as _;
use vorrang_time::{Duration, Instant};

/// The most columns of a chart: with the names beside it, it fits a terminal of 80.
pub const COLUMNS: u64 = 60;

/// How many columns lie between two labels of the scale.
const COLUMNS_PER_LABEL: u64 = 10;

/// The characters to draw with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// Blocks and arrows.
    Unicode,
    /// For terminals and files that have nothing else.
    Ascii,
}

/// Something that happened at an instant. Of two in one column the later in this order is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A job arrived, and was held back by jitter.
    Arrival,
    /// A server got its budget back.
    Replenished,
    /// A server's budget was exhausted.
    Exhausted,
    /// A request was held back.
    HeldBack,
    /// A job was released.
    Release,
    /// A job had to be complete, and was.
    Deadline,
    /// A job had to be complete, as the next one was released.
    DeadlineAndRelease,
    /// A job had to be complete, and was not.
    Miss,
}

/// What a row did during a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It executed; for a server: something in it did.
    Ran,
    /// A server consumed budget without work.
    Idled,
}

/// One line of the chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub name: String,
    /// How many servers it stands in: the indentation of its name.
    pub depth: usize,
    /// What it did, in order of time; within a column only how much of it.
    pub stretches: Vec<(Instant, Instant, Activity)>,
    /// Its events.
    pub marks: Vec<(Instant, Mark)>,
}

/// A window of time and what happened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The start of the window; the chart starts at the column that contains it.
    pub from: Instant,
    /// The end of the window.
    pub to: Instant,
    /// The rows, from the top.
    pub rows: Vec<Row>,
}

impl Chart {
    /// The chart as lines of text, with its scale and a key to the characters used.
    pub fn draw(&self, screen: Screen, characters: Characters) -> String {
        let grid = Grid::over(self.from, self.to);
        let names = self.rows.iter().map(Row::label).collect::<Vec<_>>();
        let margin = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4) + 2;
        let mut out = grid.scale(margin);
        let mut used = Vec::new();
        for (row, name) in self.rows.iter().zip(&names) {
            let marks = grid.marks(row);
            if marks.iter().any(Option::is_some) {
                used.extend(marks.iter().flatten().copied());
                let line = marks.iter().map(|mark| mark.map_or(' ', |mark| mark.sign(characters)));
                push_line(&mut out, "", margin, line);
            }
            push_line(&mut out, name, margin, grid.bar(row, characters));
        }
        out.push('\n');
        let idled = self.rows.iter().flat_map(|row| &row.stretches).any(|s| s.2 == Activity::Idled);
        out + &key(screen, grid.column, used, idled, characters)
    }
}

/// Where the last column of a chart of this window ends: not before the window does.
pub fn end_of_columns(from: Instant, to: Instant) -> Instant {
    let grid = Grid::over(from, to);
    let length = grid.column.checked_mul(grid.count as u64);
    length.and_then(|length| grid.start.checked_add(length)).unwrap_or(Instant::NEVER)
}

impl Row {
    fn label(&self) -> String {
        format!("{:1$}{2}", "", self.depth * 2, self.name)
    }
}

impl Mark {
    fn sign(self, characters: Characters) -> char {
        let (unicode, ascii) = match self {
            Self::Arrival => ('∘', 'o'),
            Self::Replenished => ('+', '+'),
            Self::Exhausted => ('0', '0'),
            Self::HeldBack => ('⊘', '%'),
            Self::Release => ('↑', '^'),
            Self::Deadline => ('↓', 'v'),
            Self::DeadlineAndRelease => ('↕', '*'),
            Self::Miss => ('✗', 'X'),
        };
        if characters == Characters::Unicode { unicode } else { ascii }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Arrival => "arrival, released later",
            Self::Replenished => "budget replenished",
            Self::Exhausted => "budget exhausted",
            Self::HeldBack => "request held back",
            Self::Release => "release",
            Self::Deadline => "deadline, met",
            Self::DeadlineAndRelease => "deadline, met, and release",
            Self::Miss => "deadline, missed",
        }
    }
}

/// The columns of a chart.
pub struct Grid {
    start: Instant,
    column: Duration,
    count: usize,
}

impl Grid {
    /// Columns of the shortest round length with which the window needs at most [`COLUMNS`].
    pub fn over(from: Instant, to: Instant) -> Self {
        let window = to.saturating_since(from);
        let column = round_lengths()
            .find(|&length| window.div_ceil(length) < COLUMNS)
            .unwrap_or(Duration::MAX);
        // The scale reads well if it starts at a round instant.
        let offset = Duration::from_ns(from.as_ns()).modulo(column);
        let start = from - offset;
        let count = to.saturating_since(start).div_ceil(column).max(1);
        Self { start, column, count: usize::try_from(count).expect("at most COLUMNS") }
    }

    /// The column that shows an instant, if one does.
    pub fn column_of(&self, at: Instant) -> Option<usize> {
        let since = at.as_ns().checked_sub(self.start.as_ns())?;
        let index = usize::try_from(Duration::from_ns(since).div_floor(self.column)).ok()?;
        // What happens at the very end of the window belongs to its last column.
        let is_end = index == self.count && Duration::from_ns(since).modulo(self.column).is_zero();
        if is_end { Some(index - 1) } else { (index < self.count).then_some(index) }
    }

    /// Two lines: labels in one unit, and ticks under them, at multiples of some columns.
    fn scale(&self, margin: usize) -> String {
        let step = self.column * COLUMNS_PER_LABEL;
        let unit = Unit::of(step);
        let mut labels = format!("{:margin$}", format!("[{}]", unit.name()));
        let mut ticks = " ".repeat(margin);
        for index in 0..self.count {
            let at = (self.start + self.column * index as u64).saturating_since(Instant::ZERO);
            let tick = at.modulo(step).is_zero();
            ticks.push(if tick { '|' } else { ' ' });
            // A long label takes the place of those behind it.
            if tick && (labels.len() < margin + index || index == 0) {
                labels = format!("{labels:width$}{}", unit.whole(at), width = margin + index);
            }
        }
        format!("{labels}\n{}\n", ticks.trim_end())
    }

    fn marks(&self, row: &Row) -> Vec<Option<Mark>> {
        let mut line = vec![None; self.count];
        for &(at, mark) in &row.marks {
            if let Some(index) = self.column_of(at) {
                line[index] = Some(match (line[index], mark) {
                    (Some(Mark::Release), Mark::Deadline)
                    | (Some(Mark::Deadline), Mark::Release) => Mark::DeadlineAndRelease,
                    (Some(before), mark) => mark.max(before),
                    (None, mark) => mark,
                });
            }
        }
        line
    }

    fn bar<'a>(&self, row: &'a Row, characters: Characters) -> impl Iterator<Item = char> + 'a {
        let (start, column) = (self.start, self.column);
        (0..self.count).map(move |index| {
            let from = start + column * index as u64;
            let to = from + column;
            let (mut ran, mut idled) = (Duration::ZERO, Duration::ZERO);
            for &(begin, end, activity) in &row.stretches {
                let part = end.min(to).saturating_since(begin.max(from));
                match activity {
                    Activity::Ran => ran += part,
                    Activity::Idled => idled += part,
                }
            }
            shade(ran, idled, column, characters)
        })
    }
}

/// The character of a column whose row ran and idled for this long.
fn shade(ran: Duration, idled: Duration, column: Duration, characters: Characters) -> char {
    let (unicode, ascii) = if ran.is_zero() && idled.is_zero() {
        (' ', ' ')
    } else if idled > ran {
        ('~', '~')
    } else if ran >= column {
        ('█', '#')
    } else if ran * 2 >= column {
        ('▓', '=')
    } else {
        ('░', '-')
    };
    if characters == Characters::Unicode { unicode } else { ascii }
}

/// 1, 2, 5, 10, 20, 25, 40, 50, 100, 200, 250 … nanoseconds, to the end of the range.
pub fn round_lengths() -> impl Iterator<Item = Duration> {
    let tens = (0..17).flat_map(|power| [10, 20, 25, 40, 50].map(|ns| ns * 10_u64.pow(power)));
    [1, 2, 5].into_iter().chain(tens).map(Duration::from_ns)
}

fn key(
    screen: Screen,
    column: Duration,
    mut used: Vec<Mark>,
    idled: bool,
    characters: Characters,
) -> String {
    let signs = match characters {
        Characters::Unicode => ['█', '▓', '░'],
        Characters::Ascii => ['#', '=', '-'],
    };
    let [whole, half, some] = signs;
    let mut out =
        format!("1 column = {column}; ran {whole} all of it, {half} at least half, {some} less");
    if idled {
        out.push_str(", ~ budget idled away");
    }
    out.push('\n');
    used.sort_unstable();
    used.dedup();
    let marks: Vec<String> =
        used.iter().map(|mark| format!("{} {}", mark.sign(characters), mark.meaning())).collect();
    if !marks.is_empty() {
        out += &wrapped(screen, &marks.join("; "), "", "");
    }
    out
}

fn push_line(out: &mut String, name: &str, margin: usize, cells: impl Iterator<Item = char>) {
    let line: String = cells.collect();
    let _ = writeln!(out, "{}", format!("{name:margin$}{line}").trim_end());
}

#[cfg(test)]
mod tests;
