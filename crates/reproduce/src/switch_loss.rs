//! Loss of time to cold caches against the frequency of switching (Kaiser; Kaiser and Zöbel).
//!
//! **Model.** Every slice begins with a switch; a slice of length q loses
//! `O(q) = (1 − f0)·min(q, t_sust)/q` under the flood model (K08, "average loss"). In a log-log
//! plot that is a line of slope 1 up to the frequency `1/t_sust` and flat from there on.

use crate::base;
use crate::figure::{Figure, Table};
use crate::watch::{Losses, ratio, us};
use rayon::prelude::*;
use vorrang_sim::Cause;
use vorrang_time::Duration;

const ROWS: &str = include_str!("../../../published/cache_costs.csv");
const SYSTEM: &str = include_str!("../../../published/systems/switch-loss.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "switch-loss",
    shows: "loss of time to cold caches against the frequency of switching, every row of the cache table",
    publication: "R. Kaiser 2008 (IA-32); R. Kaiser, D. Zöbel 2010 (PowerPC)",
    system: "published/systems/switch-loss.toml",
    run: table,
    remarks: &[
        "Published are f0 and t_sust and the shape; the percentages follow from them. Ours are simulated and equal the formula.",
        "\"Less than 1 % below about 1 kHz\" (result slide) does not follow from the published rows: at 1 kHz they lose 0.9 to 11 %. \"Negligible below 100 Hz\" (summary) does: 0.09 to 1.1 %.",
        "\"More than 90 %\" is reached by the rows with f0 below 0.1 only; the others stay at 1 - f0.",
    ],
};

/// A row of the published table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Machine, working set in KiB, access, state of the caches.
    pub name: [String; 4],
    /// Share of the full rate right after a switch, in parts per million.
    pub useful_ppm: u32,
    /// Time to the full rate.
    pub sustained: Duration,
}

/// The published rows.
pub fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let cell: Vec<&str> = line.split(',').collect();
        // `0.11`: two decimals.
        let hundredths: u32 = cell[4].replace("0.", "").parse().expect("two decimals");
        let sustained: u64 = cell[5].parse().expect("whole microseconds");
        Row {
            name: [cell[0], cell[1], cell[2], cell[3]]
                .map(|text| text.replace("consecutive ", "").replace("invalidated", "invalid")),
            useful_ppm: hundredths * 10_000,
            sustained: Duration::from_us(sustained),
        }
    };
    ROWS.lines().skip(1).map(row).collect()
}

/// The slices of the table; the last column is every slice up to `t_sust`.
const SLICES: [Duration; 4] =
    [Duration::from_ms(10), Duration::from_ms(1), Duration::from_us(300), Duration::from_us(100)];

/// The share of the time that is lost in slices of this length, simulated.
pub fn loss(row: &Row, slice: Duration) -> f64 {
    /// Enough for the first slice, which finds no cold cache, not to show.
    const TURNS: u64 = 10_000;
    let mut system = base::system(SYSTEM);
    system.supplies[0].quantum = slice;
    system.caches[0].useful_ppm = row.useful_ppm;
    system.caches[0].sustained = row.sustained;
    let length = slice * TURNS;
    let seen = base::watched(&system, "synchronous", length, Losses::default());
    ratio(seen.of(Cause::ColdCache).as_ns(), length.as_ns())
}

/// The same by the formula.
pub fn formula(row: &Row, slice: Duration) -> f64 {
    let lost = 1.0 - f64::from(row.useful_ppm) / 1e6;
    lost * us(slice.min(row.sustained)) / us(slice)
}

fn table() -> Table {
    const COLUMNS: &[&str] = &[
        "machine",
        "KiB",
        "access",
        "caches",
        "f0",
        "t_sust [us]",
        "knee [kHz]",
        "100 Hz [%]",
        "1 kHz [%]",
        "3.3 kHz [%]",
        "10 kHz [%]",
        "flat top [%]",
    ];
    let rows = rows();
    let lines: Vec<_> = rows.par_iter().map(line).collect();
    Table::new(COLUMNS, lines)
}

fn line(row: &Row) -> Vec<String> {
    let percent = |slice| format!("{:.2}", 100.0 * loss(row, slice));
    let mut line = row.name.to_vec();
    line.push(format!("{:.2}", f64::from(row.useful_ppm) / 1e6));
    line.push(format!("{:.0}", us(row.sustained)));
    line.push(format!("{:.1}", 1e3 / us(row.sustained)));
    line.extend(SLICES.map(percent));
    line.push(percent(row.sustained));
    line
}
