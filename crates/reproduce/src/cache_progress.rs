//! Work and progress of a process right after a switch (Kaiser 2008; Kaiser, Zöbel 2010).
//!
//! **Model.** With the rate r(t) after a switch at 0, `f(t) = r(t)/r_sust` and `W(t)` its integral. Published are f0 and
//! `t_sust` of every row, and three figures: work over time, rate over time, and all curves over `t/t_sust`. Under the flood
//! model of the publication f is f0 until `t_sust` and 1 from there on. Ours is simulated: the work that a virtual machine
//! does in slices of length t that each begin with a switch.
//!
//! **Does not cover** the exponential model: its constant is not in the slides.

use crate::cache_row::{Row, rows};
use crate::claim::{Claim, Way};
use crate::exact::{Exact, part, place, shown, span, us};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::switch_loss::lost;
use rayon::prelude::*;
use vorrang_figure::{Axis, Chart, Look, Series, Shape};
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "cache-progress",
    shows: "work and progress rate of a process after a switch, every row of the cache table",
    publication: "R. Kaiser 2008 (IA-32); R. Kaiser, D. Zöbel 2010 (PowerPC)",
    system: "published/systems/switch-loss.toml",
    run,
    remarks: &[
        "The points of the measured curves are not in the slides of the publications: f0 and t_sust of each row are, and are inputs here. So the curves agree by construction, and each row is fitted: two numbers of it, both its own.",
        "Work is counted in time at the sustained rate, because the bytes per second of the machines are not in the slides.",
        "With a profile (`--profile`) the same curves of this machine stand beside them.",
    ],
};

/// Steps of a curve, up to twice `t_sust`.
const STEPS: u64 = 20;

/// The work done by the end of a slice of this length that begins with a switch, as time at the sustained rate.
pub fn work(row: &Row, slice: Duration) -> Duration {
    /// What the first slices find does not count: the loss is that of as many switches again.
    const SWITCHES: u64 = 20;
    let (some, _) = lost(row, slice, SWITCHES);
    let (twice, _) = lost(row, slice, 2 * SWITCHES);
    slice - Duration::from_ns((twice - some).as_ns() / SWITCHES)
}

/// The same by the published model.
pub fn formula(row: &Row, slice: Duration) -> Exact {
    let useful = part(u64::from(row.useful_ppm), 1_000_000);
    let cold = slice.min(row.sustained);
    us(cold) * useful + us(slice - cold)
}

/// The work at each step of a curve.
fn curve(row: &Row) -> Vec<(Duration, Duration)> {
    let at = |step: u64| Duration::from_ns(row.sustained.as_ns() * 2 * step / STEPS);
    (1..=STEPS).map(|step| (at(step), work(row, at(step)))).collect()
}

fn run(setting: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "machine",
        "KiB",
        "access",
        "caches",
        "f0",
        "t_sust [us]",
        "W(t_sust) [us]",
        "lost in a switch [us]",
        "slice for 1 % [ms]",
        "t_sust per KiB [us]",
    ];
    let rows = rows();
    let curves: Vec<_> = rows.par_iter().map(curve).collect();
    let line = |row: &Row| {
        let done = work(row, row.sustained);
        let lost = row.sustained - done;
        let mut line = row.name.to_vec();
        line.extend([
            shown(part(u64::from(row.useful_ppm), 1_000_000), 2),
            shown(us(row.sustained), 0),
            shown(us(done), 1),
            shown(us(lost), 1),
            shown(us(lost) / 10, 2),
            shown(per_kib(row), 2),
        ]);
        line
    };
    Reproduced {
        table: Table::new(COLUMNS, rows.iter().map(line).collect()),
        claims: claims(&rows, &curves, setting),
        pictures: pictures(&rows, &curves, setting),
    }
}

fn per_kib(row: &Row) -> Exact {
    us(row.sustained) / row.name[1].parse::<i128>().expect("a whole number of KiB")
}

/// Rows of one machine, access and state of the caches, by growing sets.
fn series(rows: &[Row]) -> Vec<&[Row]> {
    let alike = |one: &Row, other: &Row| {
        [0, 2, 3].iter().all(|&place| one.name[place] == other.name[place])
    };
    rows.chunk_by(alike).collect()
}

fn claims(rows: &[Row], curves: &[Vec<(Duration, Duration)>], setting: &Setting) -> Vec<Claim> {
    let series = series(rows);
    let grows = series.iter().all(|of| of.is_sorted_by_key(|row| row.sustained));
    let ratios: Vec<Exact> = series
        .iter()
        .map(|of| {
            let (least, most) = crate::exact::range(of.iter().map(per_kib));
            most / least
        })
        .collect();
    let (least, most) = crate::exact::range(ratios.iter().copied());
    let near = ratios.iter().filter(|ratio| **ratio <= part(5, 4)).count();
    let exact = rows.iter().zip(curves).all(|(row, curve)| {
        curve.iter().all(|&(at, done)| {
            let apart = us(done) - formula(row, at);
            (-part(1, 1_000)..=part(1, 1_000)).contains(&apart)
        })
    });
    let found = format!(
        "the time per KiB differs by a factor of {} between the sets of a series; by at most a quarter in {near} of {} series",
        span((least, most), 2),
        series.len()
    );
    let mut all = vec![
        Claim::says("Work over time is a bent line: it grows with f0 of the sustained rate until t_sust, and with the whole of it from there on; all curves over t/t_sust are one step.")
            .rows("figures.csv", [2, 3, 4])
            .ours("the simulated work of every row is that of the model, at 20 instants up to twice t_sust")
            .agrees_if(Condition::that("all simulated points are within a nanosecond of the model", exact))
            .why("Of the measured curves only f0 and t_sust are in the slides: what agrees is the simulator with their model."),
        Claim::says("t_sust grows with the working set, but not in proportion to it (K08).")
            .by(Way::Published, found.clone())
            .agrees_if(Condition::that("it grows in every series of its own table, and in some by more than a quarter out of proportion", grows && near < series.len())),
        Claim::says("t_sust is proportional to the working set (KZ).")
            .by(Way::Published, found)
            .agrees_if(Condition::that("the time per KiB is the same within a quarter in every series", near == series.len()))
            .in_shape_if(Condition::that("it grows in every series", grows))
            .why("The two publications contradict each other; so do their rows, the dirty ones being nearly proportional and the invalidated ones of IA-32 not."),
    ];
    all.extend((2..).zip(rows).map(|(line, row)| claim(line, row, setting)));
    all
}

/// Of a row of the table.
fn claim(line: usize, row: &Row, setting: &Setting) -> Claim {
    let [machine, kib, access, state] = &row.name;
    let lost = row.sustained - work(row, row.sustained);
    let claim = Claim::says(format!(
        "{machine}, {kib} KiB, {access}, caches {state}: f0 = {}, t_sust = {} us.",
        shown(part(u64::from(row.useful_ppm), 1_000_000), 2),
        shown(us(row.sustained), 0)
    ))
    .row("cache_costs.csv", line)
    .ours(format!(
        "with these a switch loses {} us, which is 1 % of slices of {} ms",
        shown(us(lost), 1),
        shown(us(lost) / 10, 2)
    ))
    .fitted(&["f0, an input", "t_sust, an input"]);
    let state = if state == "invalid" { "flushed" } else { "dirty" };
    match setting.cache(&format!("{access}-{kib}k-{state}")) {
        Some(own) => claim.by(
            Way::Machine,
            format!(
                "f0 = {}, t_sust = {} us",
                shown(part(u64::from(own.useful_ppm), 1_000_000), 2),
                shown(us(own.sustained), 1)
            ),
        ),
        None => claim,
    }
}

fn pictures(
    rows: &[Row],
    curves: &[Vec<(Duration, Duration)>],
    setting: &Setting,
) -> Vec<vorrang_figure::Figure> {
    let drawn = rows.iter().zip(curves).filter(|(row, _)| {
        let [machine, kib, access, _] = &row.name;
        let largest = if machine.starts_with("MPC") { "16" } else { "64" };
        kib == largest && access == "write"
    });
    let drawn: Vec<_> = drawn.collect();
    let own = setting.cache("write-64k-dirty").map(|row| (row, curve(row)));
    let mut work = Chart::new(
        "cache-progress-work",
        "Work of a process after a switch, W(t)",
        Axis::linear("time since the switch", "us").from(0.0).to(180.0),
        Axis::linear("work, at the sustained rate", "us").from(0.0),
    )
    .described("Points: simulated; lines: the model of the publication with f0 and t_sust of its rows, the largest written set of each machine. Grey: without a switch.")
    .with(Series::new("without a switch", Shape::Line, vec![(0.0, 0.0), (180.0, 180.0)]).look(Look::Faint));
    let mut rate = Chart::new(
        "cache-progress-rate",
        "Progress rate after a switch",
        Axis::linear("time since the switch", "us").from(0.0).to(180.0),
        Axis::linear("rate, of the sustained rate", "").from(0.0).to(1.1),
    )
    .described("What the simulated work grows by between two instants, of what it would grow by at the sustained rate.");
    for (nth, (row, curve)) in drawn.iter().enumerate() {
        let name = format!("{}, {}", row.name[0], row.short());
        let model = [Duration::ZERO, row.sustained, Duration::from_us(180)];
        let model = model.map(|at| (place(us(at)), place(formula(row, at))));
        let looks = Look::Nth(nth);
        work = work.with(Series::new("", Shape::Line, model.to_vec()).look(looks));
        let seen = curve.iter().map(|&(at, done)| (place(us(at)), place(us(done))));
        work = work.with(Series::new(&name, Shape::Points, seen.collect()).look(looks));
        rate = rate.with(Series::new(name, Shape::Steps, rates(curve, &us)).look(looks));
    }
    if let Some((_, curve)) = &own {
        let seen = curve.iter().map(|&(at, done)| (place(us(at)), place(us(done))));
        let name = "this machine, 64k write dirty";
        work = work.with(Series::new(name, Shape::Line, seen.collect()).look(Look::Published));
        rate = rate.with(Series::new(name, Shape::Steps, rates(curve, &us)).look(Look::Published));
    }
    vec![work.into(), rate.into(), normalised(rows, curves, own.as_ref())]
}

/// What work grows by from instant to instant, over what time does, at times that `at` makes of instants.
fn rates(curve: &[(Duration, Duration)], at: &dyn Fn(Duration) -> Exact) -> Vec<(f64, f64)> {
    let mut before = (Duration::ZERO, Duration::ZERO);
    let mut points = Vec::new();
    for &(time, work) in curve {
        let rate = part((work - before.1).as_ns(), (time - before.0).as_ns());
        points.push((place(at(before.0)), place(rate)));
        before = (time, work);
    }
    let last = points.last().map_or(0.0, |point| point.1);
    points.push((place(at(before.0)), last));
    points
}

/// All rows over `t/t_sust`, by machine.
fn normalised(
    rows: &[Row],
    curves: &[Vec<(Duration, Duration)>],
    own: Option<&(&Row, Vec<(Duration, Duration)>)>,
) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "cache-progress-normalised",
        "All rows normalised: f over t/t_sust",
        Axis::linear("t / t_sust", "").from(0.0).to(2.0),
        Axis::linear("f = r / r_sust", "").from(0.0).to(1.1),
    )
    .described("Every row of the table, simulated: a step from f0, between 0.05 and 0.21, to the sustained rate. Grey: what was measured and published of each row, its f0 at the switch and the sustained rate at t_sust.");
    let mut machines: Vec<&str> = Vec::new();
    for (row, curve) in rows.iter().zip(curves) {
        let machine = row.name[0].as_str();
        let is_new = !machines.contains(&machine);
        if is_new {
            machines.push(machine);
        }
        let nth = machines.iter().position(|known| *known == machine).unwrap_or(0);
        let over = |at: Duration| part(at.as_ns(), row.sustained.as_ns());
        let name = if is_new { machine } else { "" };
        let series = Series::new(name, Shape::Steps, rates(curve, &over));
        chart = chart.with(series.look(Look::Nth(nth)));
    }
    // No other points of the measured curves are in the slides.
    let first = rows.iter().map(|row| (0.0, place(part(u64::from(row.useful_ppm), 1_000_000))));
    let measured = first.chain([(1.0, 1.0)]).collect();
    let measured = Series::new("published, measured", Shape::Points, measured);
    chart = chart.with(measured.look(Look::Published));
    if let Some((row, curve)) = own {
        let over = |at: Duration| part(at.as_ns(), row.sustained.as_ns());
        let series =
            Series::new("this machine, 64k write dirty", Shape::Steps, rates(curve, &over));
        chart = chart.with(series.look(Look::Published));
    }
    chart.into()
}
