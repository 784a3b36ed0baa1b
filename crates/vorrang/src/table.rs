//! Tables for people: one unit per column, in its header; numbers to the right.
//!
//! **Model.** Times are printed in microseconds, with three decimals where some time of the column
//! is no whole number of them: always exact, and every column keeps its one unit and precision.

use std::borrow::Cow;
use vorrang_time::Duration;

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// The width of a terminal that a table should fit.
const WIDTH: usize = 100;

/// A column: its header and what stands in each row.
#[derive(Clone, Debug)]
pub struct Column {
    header: String,
    unit: Cow<'static, str>,
    cells: Vec<String>,
    alignment: Alignment,
}

impl Column {
    /// Words, to the left.
    pub fn words(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let cells = cells.into_iter().collect();
        Self { header: header.to_owned(), unit: "".into(), cells, alignment: Alignment::Left }
    }

    /// Counts, to the right.
    pub fn counts(header: &str, cells: impl IntoIterator<Item = u64>) -> Self {
        let cells = cells.into_iter().map(|count| count.to_string()).collect();
        Self { header: header.to_owned(), unit: "".into(), cells, alignment: Alignment::Right }
    }

    /// Counts, to the right; a dash where there is none.
    pub fn some_counts(header: &str, cells: impl IntoIterator<Item = Option<u64>>) -> Self {
        let text = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
        let cells = cells.into_iter().map(text).collect();
        Self { header: header.to_owned(), unit: "".into(), cells, alignment: Alignment::Right }
    }

    /// Rates in some unit, to the right.
    pub fn rates(header: &str, unit: &'static str, cells: impl IntoIterator<Item = u64>) -> Self {
        Self { unit: unit.into(), ..Self::counts(header, cells) }
    }

    /// Parts of a whole in percent, to the right; a dash where there is no whole.
    pub fn shares(
        header: &str,
        shares: impl IntoIterator<Item = Option<(Duration, Duration)>>,
    ) -> Self {
        let text = |(part, whole)| percent(part, whole).unwrap_or("-".to_owned());
        let cells = shares.into_iter().map(|share| share.map_or("-".to_owned(), text));
        let cells = cells.collect();
        Self { header: header.to_owned(), unit: "[%]".into(), cells, alignment: Alignment::Right }
    }

    /// Numbers as they are written, to the right. A unit in brackets ends the header.
    pub fn numbers(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self { alignment: Alignment::Right, ..Self::titled(header, cells) }
    }

    /// Words, to the left; a unit in brackets ends the header.
    pub fn titled(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let place = header.find(" [").unwrap_or(header.len());
        let (header, unit) = header.split_at(place);
        let cells = cells.into_iter().collect();
        let (header, unit) = (header.to_owned(), unit.trim_start().to_owned());
        Self { header, unit: unit.into(), cells, alignment: Alignment::Left }
    }

    /// Times in microseconds, to the right; a dash where there is none.
    pub fn times(header: &str, times: impl IntoIterator<Item = Option<Duration>>) -> Self {
        let times: Vec<_> = times.into_iter().collect();
        let whole = times.iter().flatten().all(|time| time.as_ns().is_multiple_of(1_000));
        let cells = times.iter().map(|time| match time {
            Some(time) if whole => (time.as_ns() / 1_000).to_string(),
            Some(time) => format!("{}.{:03}", time.as_ns() / 1_000, time.as_ns() % 1_000),
            None => "-".to_owned(),
        });
        Self {
            header: header.to_owned(),
            unit: "[us]".into(),
            cells: cells.collect(),
            alignment: Alignment::Right,
        }
    }
}

impl Column {
    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.header]);
        texts.map(|text| text.chars().count()).max().unwrap_or(0).max(self.unit.chars().count())
    }

    fn aligned(&self, text: &str) -> String {
        let width = self.width();
        match self.alignment {
            Alignment::Left => format!("{text:<width$}"),
            Alignment::Right => format!("{text:>width$}"),
        }
    }
}

/// A part in percent of the whole, to two decimals; `None`: there is no whole.
pub fn percent(part: Duration, whole: Duration) -> Option<String> {
    let (part, whole) = (u128::from(part.as_ns()), u128::from(whole.as_ns()));
    let parts = (part * 10_000 + whole / 2).checked_div(whole)?;
    Some(format!("{}.{:02}", parts / 100, parts % 100))
}

/// The columns side by side, under their headers and units, without spaces at the ends of lines.
pub fn draw(columns: &[Column]) -> String {
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let widths: usize = columns.iter().map(Column::width).sum();
    // One space is enough to tell columns apart where two would not fit.
    let fits = widths + 2 * columns.len().saturating_sub(1) <= WIDTH;
    let line =
        |text: &dyn Fn(&Column) -> String| line(columns, if fits { "  " } else { " " }, text);
    let mut out = line(&|column| column.aligned(&column.header));
    if columns.iter().any(|column| !column.unit.is_empty()) {
        out += &line(&|column| column.aligned(&column.unit));
    }
    out += &line(&|column| "-".repeat(column.width()));
    for row in 0..rows {
        out += &line(&|column| column.aligned(column.cells.get(row).map_or("", String::as_str)));
    }
    out
}

fn line(columns: &[Column], gap: &str, text: impl Fn(&Column) -> String) -> String {
    let cells: Vec<String> = columns.iter().map(text).collect();
    cells.join(gap).trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_times_keeps_one_unit_and_one_precision() {
        let times = [Some(Duration::from_ns(1_500)), None, Some(Duration::from_ms(20))];
        let names = ["task.short", "task.unbounded", "task.long"].map(str::to_owned);
        let drawn = draw(&[Column::words("task", names), Column::times("bound", times)]);
        insta::assert_snapshot!(drawn, @r"
        task                bound
                             [us]
        --------------  ---------
        task.short          1.500
        task.unbounded          -
        task.long       20000.000
        ");
    }

    #[test]
    fn a_table_that_would_be_too_wide_is_narrower() {
        let table = |count: usize| draw(&vec![Column::counts(&"x".repeat(10), [1]); count]);
        assert_eq!(table(8).lines().next().map(str::len), Some(8 * 10 + 7 * 2));
        assert_eq!(table(9).lines().next().map(str::len), Some(9 * 10 + 8));
    }

    #[test]
    fn shares_have_two_decimals_and_a_dash_without_a_whole() {
        let us = Duration::from_us;
        let shares = [Some((us(1), us(3))), Some((us(5), us(4))), Some((us(0), us(0))), None];
        assert_eq!(Column::shares("used", shares).cells, ["33.33", "125.00", "-", "-"]);
    }

    #[test]
    fn whole_microseconds_have_no_decimals() {
        let times = [Some(Duration::from_us(7)), Some(Duration::from_ms(1))];
        assert_eq!(Column::times("bound", times).cells, ["7", "1000"]);
    }
}
