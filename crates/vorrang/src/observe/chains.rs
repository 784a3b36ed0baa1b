//! What was seen of chains, for people.

use super::told::{ns, seconds, whole};
use vorrang_command::screen::draw;
use vorrang_observe::comparison::{Comparison, What};
use vorrang_observe::observation::{Handed, Latency, Row};
use vorrang_verdict::table::Column;

/// What was seen of a chain of one kind, with its comparison.
pub(super) type Of<'o> = (&'o Row, &'o Latency, &'o Comparison);

/// The reaction time and the data age of each chain that was seen.
pub(super) fn values(rows: &[Row]) -> Vec<Of<'_>> {
    let seen = rows.iter().filter_map(|row| {
        let Handed { reaction, age } = row.seen.as_ref().ok()?.handed.as_ref()?;
        Some(row.comparisons().iter().zip([reaction, age]).map(move |(one, of)| (row, of, one)))
    });
    seen.flatten().collect()
}

/// A row for each.
pub(super) fn table_of_chains(all: &[Of<'_>]) -> String {
    let times = || all.iter().map(|(_, of, _)| of.times);
    draw(&[
        Column::words("chain", all.iter().map(|(row, ..)| row.name.clone())),
        Column::words("time", all.iter().map(|(.., one)| one.what.word().to_owned())),
        Column::counts("values", all.iter().map(|(_, of, _)| of.values)),
        Column::times("mean", times().map(|times| Some(whole(times?.mean)))),
        Column::times("longest", times().map(|times| Some(ns(times?.longest)))),
        Column::times("bound", all.iter().map(|(.., one)| Some(ns(one.worst?.bound)))),
        Column::times("limit", all.iter().map(|(_, of, _)| Some(ns(of.limit?)))),
        Column::words("verdict", all.iter().map(|(.., one)| one.verdict.word().to_owned())),
    ])
}

/// The jobs that handed a value on.
pub(super) fn way(row: &Row, comparison: &Comparison) -> String {
    let seen = row.seen.as_ref().ok();
    let latency = seen.and_then(|seen| {
        let handed = seen.handed.as_ref()?;
        Some(if comparison.what == What::Age { &handed.age } else { &handed.reaction })
    });
    let names = seen.map_or("", |seen| seen.who.as_str()).split(", ");
    let jobs = latency.map_or(&[][..], |of| &of.way);
    let of = |(name, &(read, write)): (&str, &(u64, u64))| {
        format!("{name} {} and {}", seconds(read), seconds(write))
    };
    names.zip(jobs).map(of).collect::<Vec<_>>().join(", ")
}
