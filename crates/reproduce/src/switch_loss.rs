//! Loss of time to cold caches against the frequency of switching (Kaiser; Kaiser and Zöbel).
//!
//! **Model.** Every slice begins with a switch; a slice of length q loses
//! `O(q) = (1 − f0)·min(q, t_sust)/q` under the flood model (K08, "average loss"). In a log-log
//! plot that is a line of slope 1 up to the frequency `1/t_sust` and flat from there on.

use crate::base;
pub use crate::cache_row::{Row, rows};
use crate::claim::{Claim, Way};
use crate::exact::{Exact, part, percent, place, range, shown, span, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::picture::points;
use crate::rule::Condition;
use crate::setting::Setting;
use crate::watch::{Losses, ratio, us};
use rayon::prelude::*;
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_sim::Cause;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../published/systems/switch-loss.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "switch-loss",
    shows: "loss of time to cold caches against the frequency of switching, every row of the cache table",
    publication: "R. Kaiser 2008 (IA-32); R. Kaiser, D. Zöbel 2010 (PowerPC)",
    system: "published/systems/switch-loss.toml",
    run,
    remarks: &[
        "Published are f0 and t_sust of every row, and the shape; the percentages follow from them. Ours are simulated and equal the formula.",
        "A call of the scheduler costs nothing in the description, for no cost of it was published.",
    ],
};

/// The slices of the table; the last column is every slice up to `t_sust`.
const SLICES: [Duration; 4] =
    [Duration::from_ms(10), Duration::from_ms(1), Duration::from_us(300), Duration::from_us(100)];

/// What so many slices of this length lose, simulated, and how long they are.
pub fn lost(row: &Row, slice: Duration, turns: u64) -> (Duration, Duration) {
    let mut system = base::system(SYSTEM);
    system.supplies[0].quantum = slice;
    system.caches[0].useful_ppm = row.useful_ppm;
    system.caches[0].sustained = row.sustained;
    let length = slice * turns;
    let seen = base::watched(&system, "synchronous", length, Losses::default());
    (seen.of(Cause::ColdCache), length)
}

/// Enough for the first slice, which finds no cold cache, not to show.
const TURNS: u64 = 10_000;

/// The share of the time that is lost in slices of this length, simulated.
pub fn loss(row: &Row, slice: Duration) -> f64 {
    let (lost, length) = lost(row, slice, TURNS);
    ratio(lost.as_ns(), length.as_ns())
}

/// The same by the formula.
pub fn formula(row: &Row, slice: Duration) -> f64 {
    let lost = 1.0 - f64::from(row.useful_ppm) / 1e6;
    lost * us(slice.min(row.sustained)) / us(slice)
}

/// The same by the formula, exactly, in percent.
fn exact_formula(row: &Row, slice: Duration) -> Exact {
    let lost = part(u64::from(1_000_000 - row.useful_ppm), 10_000);
    lost * part(slice.min(row.sustained).as_ns(), slice.as_ns())
}

fn run(setting: &Setting) -> Reproduced {
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
    Reproduced {
        table: Table::new(COLUMNS, lines.collect()),
        claims: claims(&rows, &losses, setting),
        pictures: pictures(&rows, setting),
    }
}

/// In each of [`SLICES`], and in a slice of `t_sust`; in percent.
fn losses(row: &Row) -> [Exact; 5] {
    let [a, b, c, d] = SLICES;
    [a, b, c, d, row.sustained].map(|slice| {
        let (lost, length) = lost(row, slice, TURNS);
        percent(lost.as_ns(), length.as_ns())
    })
}

fn line(row: &Row, losses: &[Exact]) -> Vec<String> {
    let mut line = row.name.to_vec();
    line.push(shown(part(u64::from(row.useful_ppm), 1_000_000), 2));
    line.push(format!("{:.0}", us(row.sustained)));
    line.push(format!("{:.1}", 1e3 / us(row.sustained)));
    line.extend(losses.iter().map(|percent| shown(*percent, 2)));
    line
}

/// Rows in a picture at most: so many looks differ.
const ROWS: usize = 6;

/// A picture for each machine, or for each access and state of its caches if it has many rows: lines are the
/// publication's model, points are simulated.
fn pictures(rows: &[Row], setting: &Setting) -> Vec<vorrang_figure::Figure> {
    let machines = rows.chunk_by(|one, other| one.name[0] == other.name[0]);
    let alike = |one: &Row, other: &Row| one.name[2..] == other.name[2..];
    let of_machine = |rows: &[Row]| -> Vec<vorrang_figure::Figure> {
        let machine = &rows[0].name[0];
        if rows.len() <= ROWS {
            return vec![picture(machine, rows, setting)];
        }
        let title = |rows: &[Row]| format!("{machine}, {} {}", rows[0].name[2], rows[0].name[3]);
        rows.chunk_by(alike).map(|rows| picture(&title(rows), rows, setting)).collect()
    };
    machines.flat_map(of_machine).collect()
}

fn picture(title: &str, rows: &[Row], setting: &Setting) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        format!("switch-loss-{title}"),
        format!("Loss of time to cold caches, {title}"),
        Axis::logarithmic("switches per second", "Hz").from(100.0).to(1_000_000.0),
        Axis::logarithmic("loss", "%").from(0.05).to(100.0),
    )
    .described("Lines: the model of the publication with its rows. Points: simulated. The loss grows in proportion to the frequency up to the knee at 1/t_sust, and is flat at 1 - f0 from there on.");
    for (nth, row) in rows.iter().enumerate() {
        chart = chart.with(curve(row, String::new()).look(Look::Nth(nth)));
        chart = chart.with(simulated(row, row.short()).look(Look::Nth(nth)));
    }
    if let Some(measured) = setting.cache("write-64k-dirty") {
        let name = "this machine, 64k write dirty".to_owned();
        chart = chart.with(curve(measured, name).look(Look::Published));
    }
    chart.rule(Rule::Level(1.0, "1 %".to_owned(), Look::Faint)).into()
}

/// Slices of 10 ms to 1 µs, four in a decade.
fn slices() -> impl Iterator<Item = Duration> {
    let decade = [10_000_000, 5_600_000, 3_200_000, 1_800_000];
    let lengths = [1, 10, 100, 1_000].into_iter().flat_map(move |by| decade.map(|ns| ns / by));
    lengths.chain([1_000]).map(Duration::from_ns)
}

fn frequency(slice: Duration) -> Exact {
    part(1_000_000_000, slice.as_ns())
}

fn curve(row: &Row, name: String) -> Series {
    let mut slices: Vec<Duration> = slices().chain([row.sustained]).collect();
    slices.sort_unstable_by(|one, other| other.cmp(one));
    let points = points(slices.iter().map(|&of| (frequency(of), exact_formula(row, of))));
    Series::new(name, Shape::Line, points)
}

fn simulated(row: &Row, name: String) -> Series {
    /// Enough for a place in a picture.
    const FEW: u64 = 500;
    let at = |slice: Duration| {
        let (lost, length) = lost(row, slice, FEW);
        (place(frequency(slice)), place(percent(lost.as_ns(), length.as_ns())))
    };
    Series::new(name, Shape::Points, slices().step_by(2).map(at).collect())
}

/// The least and the greatest loss of any row in a column, in percent.
fn column(losses: &[[Exact; 5]], column: usize) -> (Exact, Exact) {
    range(losses.iter().map(|row| row[column]))
}

fn claims(rows: &[Row], losses: &[[Exact; 5]], setting: &Setting) -> Vec<Claim> {
    const FILE: &str = "switch_loss_claims.csv";
    let [slow, khz, _, fast, top] = [0, 1, 2, 3, 4].map(|nth| column(losses, nth));
    let over = losses.iter().filter(|row| row[1] > whole(1)).count();
    let knees = range(rows.iter().map(|row| part(1_000_000, row.sustained.as_ns())));
    let equal = rows.iter().zip(losses).all(|(row, losses)| {
        let slices = SLICES.into_iter().chain([row.sustained]);
        slices.zip(losses).all(|(slice, ours)| {
            let apart = exact_formula(row, slice) - ours;
            apart >= whole(0) && apart * 1_000 <= exact_formula(row, slice)
        })
    });
    let machine = |claim: Claim, slice: Duration| match setting.cache("write-64k-dirty") {
        Some(row) => {
            let found = shown(exact_formula(row, slice), 2);
            claim.by(Way::Machine, format!("{found} % with 64 KiB of dirty caches"))
        }
        None => claim,
    };
    let [hundred, thousand, _, often] = SLICES;
    vec![
        machine(
            Claim::says("Below about 1 kHz less than 1 % is lost (result slide).")
                .row(FILE, 2)
                .ours(format!(
                    "{} % at 1 kHz; {over} of {} rows lose more than 1 %",
                    span(khz, 1),
                    losses.len()
                ))
                .agrees_if(Condition::at_most("the largest loss of any row at 1 kHz in percent", khz.1, whole(1), 0))
                .why("It does not follow from the publication's own table, whose rows these are; its summary, 100 Hz, does."),
            thousand,
        ),
        machine(
            Claim::says("Below 100 Hz the loss can be neglected (summary).")
                .row(FILE, 3)
                .ours(format!("{} % at 100 Hz", span(slow, 2)))
                .agrees_if(Condition::at_most("the largest loss of any row at 100 Hz in percent", slow.1, whole(2), 0)),
            hundred,
        ),
        machine(
            Claim::says("Above about 10 kHz the loss is considerable.")
                .row(FILE, 4)
                .ours(format!("{} % at 10 kHz", span(fast, 0)))
                .agrees_if(Condition::above("the least loss of any row at 10 kHz in percent", fast.0, whole(5), 0)),
            often,
        ),
        Claim::says("The largest loss is above 90 %.")
            .row(FILE, 5)
            .ours(format!("{} % in slices no longer than t_sust", shown(top.1, 0)))
            .agrees_if(Condition::above("the largest loss of any row in percent", top.1, whole(90), 0))
            .why("Only rows with f0 below 0.1 get there: the flat top is 1 - f0."),
        Claim::says("Over the frequency of switching the loss has slope one up to a knee, and a flat top from there on.")
            .row("figures.csv", 6)
            .by(Way::Formula, format!("knees at {} kHz, flat tops of {} %", span(knees, 1), span(top, 0)))
            .ours("the same: every row loses what the formula says".to_owned())
            .agrees_if(Condition::that("every row loses what the formula says within a thousandth, which is the first slice, in all five lengths", equal)),
    ]
}
