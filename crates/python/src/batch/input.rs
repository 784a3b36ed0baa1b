//! The columns of a table by their names and types.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Int64Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, Schema, TimeUnit};
use vorrang_batch::{Piece, Table, Unit};

/// All that a table may have, besides the units behind the names of times.
const NAMES: [&str; 5] = ["set", "wcet", "period", "deadline", "priority"];

/// The columns of one piece, in the order of [`NAMES`].
type Numbers = [Option<ScalarBuffer<i64>>; 5];

/// All columns.
pub(super) struct Input {
    pieces: Vec<Numbers>,
    units: [Unit; 3],
}

impl Input {
    /// What is wrong with the names and types, if anything is.
    pub(super) fn of(schema: &Schema, pieces: &[RecordBatch]) -> Result<Self, String> {
        let mut places = [None; 5];
        let mut units = [Unit::Nanosecond; 3];
        for (place, field) in schema.fields().iter().enumerate() {
            let (name, unit) = named(field.name(), field.data_type())?;
            if let Some(unit) = unit {
                units[name - 1] = unit;
            }
            if places[name].replace(place).is_some() {
                return Err(format!("there are two columns for `{}`", NAMES[name]));
            }
        }
        if let Some(missing) = (0..3).find(|name| places[*name].is_none()) {
            let unit = if missing == 0 { "" } else { ", or with its unit such as `wcet_ns`" };
            return Err(format!("there is no column `{}`{unit}", NAMES[missing]));
        }
        let numbers = |piece: &RecordBatch| -> Result<Numbers, String> {
            let mut found = Numbers::default();
            for (slot, place) in found.iter_mut().zip(places) {
                *slot = place
                    .map(|place| values(schema.field(place).name(), piece.column(place)))
                    .transpose()?;
            }
            Ok(found)
        };
        let pieces = pieces.iter().map(numbers).collect::<Result<_, _>>()?;
        Ok(Self { pieces, units })
    }

    /// The columns where they are.
    pub(super) fn table(&self) -> Table<'_> {
        Table::new(self.pieces.iter().map(piece).collect(), self.units)
    }
}

fn piece(numbers: &Numbers) -> Piece<'_> {
    let [set, wcet, period, deadline, priority] =
        numbers.each_ref().map(|column| column.as_ref().map(|numbers| &numbers[..]));
    Piece {
        set: set.expect("looked for"),
        wcet: wcet.expect("looked for"),
        period: period.expect("looked for"),
        deadline,
        priority,
    }
}

/// Which column a name and a type are for, and what a time is counted in.
fn named(name: &str, kind: &DataType) -> Result<(usize, Option<Unit>), String> {
    let is_time = |name: usize| (1..=3).contains(&name);
    let known = |name: &str| NAMES.iter().position(|known| *known == name);
    let suffixed = || {
        let (stem, suffix) = name.rsplit_once('_')?;
        let unit = match suffix {
            "ns" => Unit::Nanosecond,
            "us" => Unit::Microsecond,
            "ms" => Unit::Millisecond,
            "s" => Unit::Second,
            _ => return None,
        };
        Some((known(stem).filter(|name| is_time(*name))?, unit))
    };
    match (known(name), suffixed(), kind) {
        (Some(found), _, DataType::Duration(unit)) if is_time(found) => Ok((
            found,
            Some(match unit {
                TimeUnit::Second => Unit::Second,
                TimeUnit::Millisecond => Unit::Millisecond,
                TimeUnit::Microsecond => Unit::Microsecond,
                TimeUnit::Nanosecond => Unit::Nanosecond,
            }),
        )),
        (Some(found), _, kind) if kind.is_integer() && !is_time(found) => Ok((found, None)),
        (_, Some((found, unit)), kind) if kind.is_integer() => Ok((found, Some(unit))),
        (Some(found), _, kind) if kind.is_integer() => Err(format!(
            "column `{name}` has numbers without a unit: call it `{}_ns`, or make it durations",
            NAMES[found]
        )),
        (Some(_), _, kind) | (_, Some(_), kind) => {
            Err(format!("column `{name}` is {kind}: integers are wanted, or durations for times"))
        }
        (None, None, _) => Err(format!(
            "column `{name}` means nothing here: there are {}; leave it out",
            NAMES.join(", ")
        )),
    }
}

/// The numbers of a column, where they are if they have 64 bits.
fn values(name: &str, column: &dyn Array) -> Result<ScalarBuffer<i64>, String> {
    if column.null_count() > 0 {
        return Err(format!("column `{name}` has {} nulls", column.null_count()));
    }
    Ok(match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().values().clone(),
        DataType::UInt64 => {
            let values = column.as_primitive::<UInt64Type>().values();
            if values.iter().any(|value| i64::try_from(*value).is_err()) {
                return Err(format!("column `{name}` has a number of 2^63 or more"));
            }
            ScalarBuffer::new(values.inner().clone(), 0, values.len())
        }
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => column.as_primitive::<DurationSecondType>().values().clone(),
            TimeUnit::Millisecond => {
                column.as_primitive::<DurationMillisecondType>().values().clone()
            }
            TimeUnit::Microsecond => {
                column.as_primitive::<DurationMicrosecondType>().values().clone()
            }
            TimeUnit::Nanosecond => {
                column.as_primitive::<DurationNanosecondType>().values().clone()
            }
        },
        _ => {
            let wide = arrow_cast::cast(column, &DataType::Int64).map_err(|why| why.to_string())?;
            wide.as_primitive::<Int64Type>().values().clone()
        }
    })
}
