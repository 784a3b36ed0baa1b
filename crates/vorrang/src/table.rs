//! Tables for people: one unit per column, in its header; numbers to the right.
//!
//! **Model.** Times are printed in microseconds, with three decimals where some time of the column
//! is no whole number of them: always exact, and every column keeps its one unit and precision.

use vorrang_time::Duration;

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// Two spaces between columns.
const GAP: &str = "  ";

/// A column: its header and what stands in each row.
pub struct Column {
    header: String,
    unit: &'static str,
    cells: Vec<String>,
    alignment: Alignment,
}

impl Column {
    /// Words, to the left.
    pub fn words(header: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let cells = cells.into_iter().collect();
        Self { header: header.to_owned(), unit: "", cells, alignment: Alignment::Left }
    }

    /// Counts, to the right.
    pub fn counts(header: &str, cells: impl IntoIterator<Item = u64>) -> Self {
        let cells = cells.into_iter().map(|count| count.to_string()).collect();
        Self { header: header.to_owned(), unit: "", cells, alignment: Alignment::Right }
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
            unit: "[us]",
            cells: cells.collect(),
            alignment: Alignment::Right,
        }
    }
}

impl Column {
    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.header]);
        texts.map(|text| text.chars().count()).max().unwrap_or(0).max(self.unit.len())
    }

    fn aligned(&self, text: &str) -> String {
        let width = self.width();
        match self.alignment {
            Alignment::Left => format!("{text:<width$}"),
            Alignment::Right => format!("{text:>width$}"),
        }
    }
}

/// The columns side by side, under their headers and units, without spaces at the ends of lines.
pub fn draw(columns: &[Column]) -> String {
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let mut out = line(columns, |column| column.aligned(&column.header));
    if columns.iter().any(|column| !column.unit.is_empty()) {
        out += &line(columns, |column| column.aligned(column.unit));
    }
    out += &line(columns, |column| "-".repeat(column.width()));
    for row in 0..rows {
        out += &line(columns, |column| {
            column.aligned(column.cells.get(row).map_or("", String::as_str))
        });
    }
    out
}

fn line(columns: &[Column], text: impl Fn(&Column) -> String) -> String {
    let cells: Vec<String> = columns.iter().map(text).collect();
    cells.join(GAP).trim_end().to_owned() + "\n"
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
    fn whole_microseconds_have_no_decimals() {
        let times = [Some(Duration::from_us(7)), Some(Duration::from_ms(1))];
        assert_eq!(Column::times("bound", times).cells, ["7", "1000"]);
    }
}
