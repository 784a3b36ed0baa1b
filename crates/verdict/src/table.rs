//! Tables for people: one unit per column, in its header; numbers to the right.
//!
//! **Model.** Times are printed in microseconds, with three decimals where some time of the column
//! is no whole number of them: always exact, and every column keeps its one unit and precision.
//! A table that is wider than the screen has its longest words elided, never its numbers.

use crate::prose::elided;
use crate::screen::{Screen, Tone};
use std::borrow::Cow;
use vorrang_time::Duration;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// The least width of a column of words.
const LEAST_WIDTH: usize = 12;

/// A column: its header and what stands in each row.
#[derive(Clone, Debug)]
pub struct Column {
    header: String,
    unit: Cow<'static, str>,
    cells: Vec<String>,
    /// Of each cell, if they have colours.
    tones: Vec<Tone>,
    alignment: Alignment,
}

impl Column {
    fn new(
        header: &str,
        unit: impl Into<Cow<'static, str>>,
        alignment: Alignment,
        cells: Vec<String>,
    ) -> Self {
        let (header, unit) = (header.to_owned(), unit.into());
        Self { header, unit, cells, tones: Vec::new(), alignment }
    }

    /// Words, to the left.
    pub fn words(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self::new(header, "", Alignment::Left, cells.into_iter().collect())
    }

    /// Words, to the left, in the colours of what they say.
    pub fn toned(header: &str, cells: impl IntoIterator<Item = (&'static str, Tone)>) -> Self {
        let (words, tones): (Vec<_>, _) = cells.into_iter().unzip();
        Self { tones, ..Self::words(header, words.into_iter().map(str::to_owned)) }
    }

    /// Counts, to the right.
    pub fn counts(header: &str, cells: impl IntoIterator<Item = u64>) -> Self {
        let cells = cells.into_iter().map(|count| count.to_string()).collect();
        Self::new(header, "", Alignment::Right, cells)
    }

    /// Counts, to the right; a dash where there is none.
    pub fn some_counts(header: &str, cells: impl IntoIterator<Item = Option<u64>>) -> Self {
        let text = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
        Self::new(header, "", Alignment::Right, cells.into_iter().map(text).collect())
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
        Self::new(header, "[%]", Alignment::Right, cells.collect())
    }

    /// Numbers as they are written, to the right. A unit in brackets ends the header.
    pub fn numbers(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self { alignment: Alignment::Right, ..Self::titled(header, cells) }
    }

    /// Words, to the left; a unit in brackets ends the header.
    pub fn titled(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let place = header.find(" [").unwrap_or(header.len());
        let (header, unit) = header.split_at(place);
        let unit = Cow::Owned(unit.trim_start().to_owned());
        Self::new(header, unit, Alignment::Left, cells.into_iter().collect())
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
        Self::new(header, "[us]", Alignment::Right, cells.collect())
    }
}

impl Column {
    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.header]);
        texts.map(|text| text.chars().count()).max().unwrap_or(0).max(self.unit.chars().count())
    }

    fn aligned(&self, text: &str, width: usize) -> String {
        match self.alignment {
            Alignment::Left => format!("{text:<width$}"),
            Alignment::Right => format!("{text:>width$}"),
        }
    }

    fn cell(&self, screen: Screen, row: usize, width: usize) -> String {
        let text = self.cells.get(row).map_or("", String::as_str);
        let aligned = self.aligned(text, width);
        match self.tones.get(row) {
            Some(&tone) => aligned.replacen(text, &screen.toned(text, tone), 1),
            None => aligned,
        }
    }

    fn elide(&mut self, width: usize) {
        for text in self.cells.iter_mut().chain([&mut self.header]) {
            *text = elided(text, width);
        }
    }
}

/// What was seen of a whole in percent, to the nearer of two decimals; `None`: there is no whole.
pub fn percent(part: Duration, whole: Duration) -> Option<String> {
    hundredths(part, whole, u128::from(whole.as_ns()) / 2)
}

/// A bound in percent of the whole, rounded up to two decimals; `None`: there is no whole.
pub fn percent_at_most(bound: Duration, whole: Duration) -> Option<String> {
    hundredths(bound, whole, u128::from(whole.as_ns()).saturating_sub(1))
}

fn hundredths(part: Duration, whole: Duration, round: u128) -> Option<String> {
    let (part, whole) = (u128::from(part.as_ns()), u128::from(whole.as_ns()));
    let parts = (part * 10_000 + round).checked_div(whole)?;
    Some(format!("{}.{:02}", parts / 100, parts % 100))
}

/// The columns side by side, under their headers and units, without spaces at the ends of lines.
///
/// One space is enough to tell columns apart where two would not fit.
pub fn draw(screen: Screen, columns: &[Column]) -> String {
    let width = screen.width;
    let columns = elided_to(columns, width);
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let gaps = columns.len().saturating_sub(1);
    let gap = if widths.iter().sum::<usize>() + 2 * gaps <= width { "  " } else { " " };
    let line = |text: &dyn Fn(&Column, usize) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, &width)| text(column, width));
        cells.collect::<Vec<_>>().join(gap).trim_end().to_owned() + "\n"
    };
    let mut out = line(&|column, width| column.aligned(&column.header, width));
    if columns.iter().any(|column| !column.unit.is_empty()) {
        out += &line(&|column, width| column.aligned(&column.unit, width));
    }
    out += &line(&|_, width| "-".repeat(width));
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    for row in 0..rows {
        out += &line(&|column, width| column.cell(screen, row, width));
    }
    out
}

/// The longest words are elided, as far as that helps, until a line has no more characters.
fn elided_to(columns: &[Column], width: usize) -> Vec<Column> {
    let mut columns = columns.to_vec();
    let gaps = columns.len().saturating_sub(1);
    loop {
        let excess =
            (columns.iter().map(Column::width).sum::<usize>() + gaps).saturating_sub(width);
        let words = columns.iter_mut().filter(|column| column.alignment == Alignment::Left);
        let Some(longest) = words.max_by_key(|column| column.width()) else { return columns };
        if excess == 0 || longest.width() <= LEAST_WIDTH {
            return columns;
        }
        let own = longest.width();
        longest.elide(own.saturating_sub(excess).max(LEAST_WIDTH));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::PLAIN;

    #[test]
    fn a_column_of_times_keeps_one_unit_and_one_precision() {
        let times = [Some(Duration::from_ns(1_500)), None, Some(Duration::from_ms(20))];
        let names = ["task.short", "task.unbounded", "task.long"].map(str::to_owned);
        let drawn = draw(PLAIN, &[Column::words("task", names), Column::times("bound", times)]);
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
        let table = |count: usize| draw(PLAIN, &vec![Column::counts(&"x".repeat(10), [1]); count]);
        assert_eq!(table(8).lines().next().map(str::len), Some(8 * 10 + 7 * 2));
        assert_eq!(table(9).lines().next().map(str::len), Some(9 * 10 + 8));
    }

    #[test]
    fn words_are_elided_where_they_do_not_fit_and_numbers_never() {
        let names = ["task.of-a-machine-with-a-long-name-1", "task.short"].map(str::to_owned);
        let columns = [Column::words("task", names), Column::counts("jobs", [1_000_000, 2])];
        insta::assert_snapshot!(draw(Screen { width: 30, ..PLAIN }, &columns), @r"
        task                      jobs
        ---------------------- -------
        task.of-a-m…ong-name-1 1000000
        task.short                   2
        ");
        insta::assert_snapshot!(draw(Screen { width: 1, ..PLAIN }, &columns), @r"
        task            jobs
        ------------ -------
        task.o…ame-1 1000000
        task.short         2
        ");
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

    #[test]
    fn what_was_seen_is_rounded_to_the_nearer_and_a_bound_up() {
        let [part, whole] = [1, 30_000].map(Duration::from_ns);
        assert_eq!(percent(part, whole).as_deref(), Some("0.00"));
        assert_eq!(percent_at_most(part, whole).as_deref(), Some("0.01"));
        assert_eq!(percent_at_most(whole, whole).as_deref(), Some("100.00"));
        assert_eq!(percent_at_most(part, Duration::ZERO), None);
    }
}
