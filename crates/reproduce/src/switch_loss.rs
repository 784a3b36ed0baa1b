//! Loss of time to cold caches against the frequency of switching (Kaiser; Kaiser and Zöbel).
//!
//! **Model.** Every slice begins with a switch; a slice of length q loses
//! `O(q) = (1 − f0)·min(q, t_sust)/q` under the flood model (K08, "average loss"). In a log-log
//! plot that is a line of slope 1 up to the frequency `1/t_sust` and flat from there on.

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
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
    run,
    remarks: &[
        "Published are f0 and t_sust of every row, and the shape; the percentages follow from them. Ours are simulated and equal the formula.",
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

fn run() -> Reproduced {
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
    let losses: Vec<_> = rows.par_iter().map(losses).collect();
    let lines = rows.iter().zip(&losses).map(|(row, losses)| line(row, losses));
    Reproduced { table: Table::new(COLUMNS, lines.collect()), claims: claims(&losses) }
}

/// In each of [`SLICES`], and in a slice of `t_sust`; in percent.
fn losses(row: &Row) -> [f64; 5] {
    let [a, b, c, d] = SLICES;
    [a, b, c, d, row.sustained].map(|slice| 100.0 * loss(row, slice))
}

fn line(row: &Row, losses: &[f64]) -> Vec<String> {
    let mut line = row.name.to_vec();
    line.push(format!("{:.2}", f64::from(row.useful_ppm) / 1e6));
    line.push(format!("{:.0}", us(row.sustained)));
    line.push(format!("{:.1}", 1e3 / us(row.sustained)));
    line.extend(losses.iter().map(|percent| format!("{percent:.2}")));
    line
}

/// The least and the greatest loss of any row in a column, in percent.
fn range(losses: &[[f64; 5]], column: usize) -> (f64, f64) {
    let of = |row: &[f64; 5]| row[column];
    let least = losses.iter().map(of).fold(f64::INFINITY, f64::min);
    (least, losses.iter().map(of).fold(0.0, f64::max))
}

fn claims(losses: &[[f64; 5]]) -> Vec<Claim> {
    const FILE: &str = "switch_loss_claims.csv";
    let [(low, slow), (least, khz), _, (fast, fastest), (_, top)] =
        [0, 1, 2, 3, 4].map(|column| range(losses, column));
    let over = losses.iter().filter(|row| row[1] > 1.0).count();
    vec![
        Claim::says("Below about 1 kHz less than 1 % is lost (result slide).")
            .row(FILE, 2)
            .ours(format!(
                "{least:.1} to {khz:.1} % at 1 kHz; {over} of {} rows lose more than 1 %",
                losses.len()
            ))
            .judged("no row loses more than 1 % at 1 kHz", Agreement::whether(khz <= 1.0))
            .why("It does not follow from the publication's own table, whose rows these are."),
        Claim::says("Below 100 Hz the loss can be neglected (summary).")
            .row(FILE, 3)
            .ours(format!("{low:.2} to {slow:.2} % at 100 Hz"))
            .judged("no row loses more than 2 % at 100 Hz", Agreement::whether(slow <= 2.0)),
        Claim::says("Above about 10 kHz the loss is considerable.")
            .row(FILE, 4)
            .ours(format!("{fast:.0} to {fastest:.0} % at 10 kHz"))
            .judged("every row loses more than 5 % at 10 kHz", Agreement::whether(fast > 5.0)),
        Claim::says("The largest loss is above 90 %.")
            .row(FILE, 5)
            .ours(format!("{top:.0} % in slices no longer than t_sust"))
            .judged("some row loses more than 90 %", Agreement::whether(top > 90.0))
            .why("Only rows with f0 below 0.1 get there: the flat top is 1 - f0."),
    ]
}
