//! Planning a proxy process: which budget for which period, and what it costs (Kaiser, Zöbel, eq. 2 and 3).
//!
//! **Model.** One virtual machine on a slot. Published is `e_sv = 2 p_sv (1 − 1/(1 + U/n)^n)` for a period
//! `p_sv` up to the shortest of its tasks. Ours is the curve of `vorrang design`: the least budget with which
//! every deadline is proven, for each period, with what switching takes and without. The relative
//! utilisation `u_sv` is what the proxy takes of the processor against what the tasks use.
//!
//! **Does not cover** shares without a fixed place (`proxy_counter_examples.rs`).

use crate::claim::{Claim, Way};
use crate::exact::{Exact, ms, part, place, range, shown, span};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use vorrang_design::{Limits, Point, curve};
use vorrang_figure::{Axis, Chart, Look, Series, Shape};
use vorrang_model::{Format, Open, read_open};
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "proxy-planning",
    shows: "the budget that a proxy process needs against its period, and what that takes of the processor",
    publication: "R. Kaiser, D. Zöbel 2009, 2010",
    system: "published/systems/proxy-planning.toml",
    run,
    remarks: &[
        "Published is the formula; ours is the least budget for which the response-time analysis on a slot proves every deadline, in whole microseconds, by the curve of `vorrang design`.",
        "The formula asks for the same share with every period up to the shortest of a task, since it sees utilisations only; the analysis sees periods, and is best where a period divides those of the tasks.",
        "The publication counts nothing for switching; with the costs of the description short periods lose.",
    ],
};

/// The description, with budget and period left open.
const TEXT: &str = include_str!("../published/systems/proxy-planning.toml");

/// The periods of the axis, in milliseconds: up to the shortest of a task.
pub const PERIODS: [u64; 15] = [1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 50, 60, 75, 90, 100];

/// Analyses that the curve may take.
const STEPS: u64 = 100_000;

/// Number of tasks, and what they use of the processor.
const TASKS: (i32, Exact) = (2, Exact::new_raw(1, 2));

/// The published budget, in shares of the period.
pub fn published() -> Exact {
    let (count, used) = TASKS;
    let each = used / i128::from(count) + 1;
    (-each.pow(-count) + 1) * 2
}

/// The description with these periods to choose from, and any budget.
///
/// # Panics
/// If it is not what this figure expects; a test reads it.
pub fn open(periods: &[u64]) -> Open {
    let periods: Vec<String> = periods.iter().map(|ms| format!("\"{ms}ms\"")).collect();
    let text = TEXT.replace("budget = \"72ms\"", "budget = \"?\"").replace(
        "period = \"100ms\"\noffset",
        &format!("period = [{}]\noffset", periods.join(", ")),
    );
    read_open(text, Format::Toml, |_| Err("there is none".to_owned()))
        .unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The curve.
///
/// # Panics
/// If there is none, which is a bug of the figure.
pub fn points() -> Vec<Point> {
    curve(&mut open(&PERIODS), "vcpu.a", Limits::of(STEPS)).unwrap_or_else(|why| panic!("{why:?}"))
}

/// What a point takes of the processor, as a share: with what switching takes, or without.
pub fn taken(point: &Point, with_costs: bool) -> Option<Exact> {
    let found = if with_costs { point.with_costs } else { point.without };
    found.map(|(budget, _)| part(budget.as_ns(), point.period.as_ns()))
}

/// The relative utilisation of a point with what switching takes, rounded up to a ten-thousandth.
fn with_switching(point: &Point) -> Option<Exact> {
    let (_, cost) = point.with_costs?;
    Some(Exact::new(cost.share().hundredths_ceil(), 10_000))
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "p_sv [ms]",
        "e_sv [ms], published",
        "e_sv [ms]",
        "e_sv [ms], with costs",
        "U_sv, published",
        "U_sv",
        "u_sv, published",
        "u_sv",
        "u_sv, with costs",
        "",
    ];
    let points = points();
    let costs = points.iter().filter_map(|point| Some(point.with_costs?.1));
    let least = costs.min();
    let line = |point: &Point| {
        let budget = |found: Option<(Duration, vorrang_design::Cost)>| {
            found.map_or("-".to_owned(), |(budget, _)| shown(ms(budget), 3))
        };
        let relative =
            |share: Option<Exact>| share.map_or("-".to_owned(), |share| shown(share / TASKS.1, 3));
        let is_least = least.is_some() && point.with_costs.map(|(_, cost)| cost) == least;
        vec![
            shown(ms(point.period), 0),
            shown(published() * ms(point.period), 3),
            budget(point.without),
            budget(point.with_costs),
            shown(published(), 4),
            taken(point, false).map_or("-".to_owned(), |share| shown(share, 4)),
            shown(published() / TASKS.1, 3),
            relative(taken(point, false)),
            relative(with_switching(point)),
            if is_least { "least" } else { "" }.to_owned(),
        ]
    };
    let table = Table::new(COLUMNS, points.iter().map(line).collect());
    Reproduced { table, claims: claims(&points), pictures: vec![picture(&points)] }
}

/// The relative utilisation over the period.
fn picture(points: &[Point]) -> vorrang_figure::Figure {
    let curve = |of: &dyn Fn(&Point) -> Option<Exact>| {
        let at = |point: &Point| Some((place(ms(point.period)), place(of(point)? / TASKS.1)));
        points.iter().filter_map(at).collect()
    };
    Chart::new(
        "proxy-planning",
        "Relative utilisation of a proxy process against its period",
        Axis::logarithmic("period p_sv", "ms").from(0.9).to(110.0),
        Axis::linear("u_sv = U_sv / U(P)", "").from(1.0).to(1.5),
    )
    .described("Published is the same with every period. The analysis asks for less, least where the period divides those of the tasks; with what switching takes, short periods lose.")
    .with(Series::new("published", Shape::Line, curve(&|_| Some(published()))).look(Look::Published))
    .with(Series::new("by analysis", Shape::LineWithPoints, curve(&|point| taken(point, false))))
    .with(Series::new("by analysis, with switching", Shape::LineWithPoints, curve(&with_switching)))
    .into()
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let shares = points.iter().filter_map(|point| taken(point, false));
    let (least, most) = range(shares);
    vec![
        Claim::says("The share that the formula asks for is enough, whatever the period up to the shortest of a task.")
            .by(Way::Formula, shown(published(), 4))
            .by(Way::Bound, format!("{} are needed", span((least, most), 4)))
            .agrees_if(Condition::that("no period needs more than the formula", most <= published())),
        Claim::says("The share that is needed does not depend on that period.")
            .by(Way::Bound, span((least, most), 4))
            .agrees_if(Condition::at_most("the difference between periods", most - least, part(1, 100), 2))
            .why("The formula sees utilisations only; the analysis sees periods."),
    ]
}
