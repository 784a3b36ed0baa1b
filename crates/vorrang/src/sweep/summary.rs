//! The results of a study, point by point, read back from its shards one after the other.

use super::folder::Folder;
use crate::destination::unwritable;
use parquet::column::reader::{ColumnReader, get_typed_column_reader};
use parquet::data_type::{BoolType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};
use std::fs::File;
use vorrang_command::exit::Failure;
use vorrang_command::screen;
use vorrang_quote::name::shown;
use vorrang_sweep::{Axis, Study, Unit};
use vorrang_verdict::table::Column;

/// The answers to one question at one point.
#[derive(Clone, Copy, Default)]
struct Tally {
    systems: u64,
    /// Those with an answer.
    answered: u64,
    /// Of all answers; yes counts as one.
    sum: i128,
}

/// A table of all points.
///
/// # Errors
/// A shard cannot be read.
pub(super) fn table(study: &Study, folder: &Folder) -> Result<String, Failure> {
    let asks = study.asks().len();
    let mut tallies = vec![vec![Tally::default(); asks]; study.points().len()];
    for (number, file) in (0..).zip(folder.files()) {
        let points: Vec<usize> =
            study.systems_of(number).map(|system| study.place(system).0).collect();
        let opened = File::open(&file).map_err(|why| unwritable(&file, &why))?;
        add(study, opened, &points, &mut tallies).map_err(|why| {
            Failure::bad_input(format!("error: {} cannot be read: {why}\n", shown(&file)))
        })?;
    }
    let mut columns: Vec<Column> = study
        .axes()
        .iter()
        .enumerate()
        .map(|(number, axis)| of_axis(study, number, axis))
        .collect();
    for (number, ask) in study.asks().iter().enumerate() {
        let tallies = || tallies.iter().map(|point| point[number]);
        // Yes in hundredths of a per cent; numbers are in millionths.
        let mean = |tally: Tally| {
            let sum = if ask.is_yes_no() { tally.sum * 10_000 } else { tally.sum / 100 };
            hundredths(sum, tally.answered)
        };
        columns.push(Column::numbers(&format!("{} [%]", ask.name), tallies().map(mean)));
        if tallies().any(|tally| tally.answered < tally.systems) {
            let known =
                |tally: Tally| hundredths(i128::from(tally.answered) * 10_000, tally.systems);
            columns.push(Column::numbers("known [%]", tallies().map(known)));
        }
    }
    columns.push(Column::counts("systems", tallies.iter().map(|point| point[0].systems)));
    Ok(screen::draw(&columns))
}

/// The cells of one axis.
fn of_axis(study: &Study, number: usize, axis: &Axis) -> Column {
    let cells = (0..study.points().len()).map(|point| study.coordinates(point)[number]);
    match axis.unit {
        Unit::Word => Column::titled(&axis.name, cells.map(|value| axis.words[value].clone())),
        Unit::Ppm => {
            let cells = cells.map(|value| hundredths(i128::from(axis.numbers[value]) / 100, 1));
            Column::numbers(&format!("{} [%]", axis.name), cells)
        }
        Unit::Ns | Unit::Number => {
            Column::numbers(&axis.name, cells.map(|value| axis.words[value].clone()))
        }
    }
}

/// A quotient counted in hundredths; a dash where there is none.
fn hundredths(sum: i128, count: u64) -> String {
    match sum.checked_div(i128::from(count)) {
        Some(mean) => format!("{}.{:02}", mean / 100, mean % 100),
        None => "-".to_owned(),
    }
}

/// Adds the answers of one shard, whose rows are at these points.
fn add(
    study: &Study,
    file: File,
    points: &[usize],
    tallies: &mut [Vec<Tally>],
) -> Result<(), ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let group = reader.get_row_group(0)?;
    let first = 2 + study.axes().len();
    for (number, column) in (first..first + study.asks().len()).enumerate() {
        let answers = answers(&*group, column, points.len())?;
        for (point, answer) in points.iter().zip(answers) {
            let tally = &mut tallies[*point][number];
            tally.systems += 1;
            tally.answered += u64::from(answer.is_some());
            tally.sum += i128::from(answer.unwrap_or(0));
        }
    }
    Ok(())
}

/// A column of answers.
fn answers(
    group: &dyn RowGroupReader,
    column: usize,
    rows: usize,
) -> Result<Vec<Option<i64>>, ParquetError> {
    let mut levels = Vec::new();
    let values: Vec<i64> = match group.get_column_reader(column)? {
        reader @ ColumnReader::BoolColumnReader(_) => {
            let mut values = Vec::new();
            let mut reader = get_typed_column_reader::<BoolType>(reader);
            reader.read_records(rows, Some(&mut levels), None, &mut values)?;
            values.into_iter().map(i64::from).collect()
        }
        reader => {
            let mut values = Vec::new();
            let mut reader = get_typed_column_reader::<Int64Type>(reader);
            reader.read_records(rows, Some(&mut levels), None, &mut values)?;
            values
        }
    };
    let mut values = values.into_iter();
    Ok(levels.into_iter().map(|level| if level > 0 { values.next() } else { None }).collect())
}
