//! A shard as a Parquet file.
//!
//! **Model.** One row for each system: its point, its index, the value of each axis, and the answers. The file
//! says which study it is of, and holds the study's text. Nothing in it depends on when or where it was
//! written.

use crate::answer::Found;
use crate::axis::{Axis, Unit};
use crate::question::Ask;
use crate::study::Study;
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::fmt::Write as _;
use std::sync::Arc;

/// The columns of a study.
struct Shape<'a> {
    axes: &'a [Axis],
    asks: &'a [Ask],
}

impl Shape<'_> {
    fn message(&self) -> String {
        let mut text = "message study { REQUIRED INT64 point; REQUIRED INT64 sample;".to_owned();
        for axis in self.axes {
            let name = axis.column();
            let _ = match axis.unit {
                Unit::Word => write!(text, " REQUIRED BYTE_ARRAY {name} (UTF8);"),
                _ => write!(text, " REQUIRED INT64 {name};"),
            };
        }
        for ask in self.asks {
            let kind = if ask.is_yes_no() { "BOOLEAN" } else { "INT64" };
            let _ = write!(text, " OPTIONAL {kind} {};", ask.column());
        }
        for column in self.asks.iter().filter_map(Ask::reasons) {
            let _ = write!(text, " OPTIONAL BYTE_ARRAY {column} (UTF8);");
        }
        text + " }"
    }

    /// The place of a system, and axes that are numbers.
    fn steady(&self) -> impl Iterator<Item = ColumnPath> {
        let axes = self.axes.iter().filter(|axis| axis.unit != Unit::Word).map(Axis::column);
        ["point", "sample"].map(str::to_owned).into_iter().chain(axes).map(ColumnPath::from)
    }
}

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

/// The file.
pub(crate) fn file(study: &Study, shard: u64, answers: &[Found], tool: &str) -> Vec<u8> {
    let shape = Shape { axes: study.axes(), asks: study.asks() };
    let pair = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let text = String::from_utf8(study.text().to_vec()).expect("read as text");
    let pairs = vec![
        pair("vorrang.study.identity", study.identity(tool)),
        pair("vorrang.study", text),
        pair("vorrang.shard", shard.to_string()),
        pair("vorrang.tool", tool.to_owned()),
    ];
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(tool.to_owned())
        .set_key_value_metadata(Some(pairs));
    // Numbers that stay the same or grow by one for long.
    for column in shape.steady() {
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    let properties = properties.build();
    let schema = parse_message_type(&shape.message()).expect("names were checked");
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))
        .expect("nothing is written yet");
    let places: Vec<(usize, u64)> =
        study.systems_of(shard).map(|system| study.place(system)).collect();
    let mut group = writer.next_row_group().expect("memory");
    let as_number = |number: u64| i64::try_from(number).expect("limited");
    numbers(&mut group, &places.iter().map(|place| as_number(place.0 as u64)).collect::<Vec<_>>());
    numbers(&mut group, &places.iter().map(|place| as_number(place.1)).collect::<Vec<_>>());
    for (number, axis) in shape.axes.iter().enumerate() {
        // Places of one point stand together.
        let mut known = (usize::MAX, 0);
        let values = places.iter().map(|(point, _)| {
            if known.0 != *point {
                known = (*point, study.coordinates(*point)[number]);
            }
            known.1
        });
        match axis.unit {
            Unit::Word => {
                let of = |value: usize| ByteArray::from(axis.words[value].as_str());
                words(&mut group, &values.map(of).collect::<Vec<_>>());
            }
            _ => numbers(&mut group, &values.map(|value| axis.numbers[value]).collect::<Vec<_>>()),
        }
    }
    let asked = || shape.asks.iter().enumerate();
    let column = |number| answers.iter().skip(number).step_by(shape.asks.len());
    for (number, ask) in asked() {
        answered(&mut group, ask, column(number));
    }
    for (number, _) in asked().filter(|(_, ask)| ask.reasons().is_some()) {
        reasons(&mut group, column(number));
    }
    group.close().expect("memory");
    writer.into_inner().expect("memory")
}

fn numbers(group: &mut Group<'_>, values: &[i64]) {
    let mut column = group.next_column().expect("memory").expect("as many as in the schema");
    column.typed::<Int64Type>().write_batch(values, None, None).expect("of the schema's type");
    column.close().expect("memory");
}

fn words(group: &mut Group<'_>, values: &[ByteArray]) {
    let mut column = group.next_column().expect("memory").expect("as many as in the schema");
    column.typed::<ByteArrayType>().write_batch(values, None, None).expect("of the schema's type");
    column.close().expect("memory");
}

/// Definition levels: 1 where there is an answer.
fn answered<'a>(group: &mut Group<'_>, ask: &Ask, answers: impl Iterator<Item = &'a Found>) {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    for answer in answers {
        levels.push(i16::from(answer.is_ok()));
        values.extend(answer.as_ref().ok().copied());
    }
    let mut column = group.next_column().expect("memory").expect("as many as in the schema");
    let written = if ask.is_yes_no() {
        let values: Vec<bool> = values.into_iter().map(|value| value != 0).collect();
        column.typed::<BoolType>().write_batch(&values, Some(&levels), None)
    } else {
        column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)
    };
    written.expect("of the schema's type");
    column.close().expect("memory");
}

/// The other way round: why there is no answer.
fn reasons<'a>(group: &mut Group<'_>, answers: impl Iterator<Item = &'a Found>) {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    for answer in answers {
        levels.push(i16::from(answer.is_err()));
        values.extend(answer.as_ref().err().map(|why| ByteArray::from(&**why)));
    }
    let mut column = group.next_column().expect("memory").expect("as many as in the schema");
    let written = column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None);
    written.expect("of the schema's type");
    column.close().expect("memory");
}
