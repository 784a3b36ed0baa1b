//! Planning a proxy process: which budget for which period, and what it costs (Kaiser, Zöbel, eq. 2 and 3).
//!
//! **Model.** One virtual machine on a slot. Published is `e_sv = 2 p_sv (1 − 1/(1 + U/n)^n)` for a period
//! `p_sv` up to the shortest of its tasks. Ours is the curve of `vorrang design`: the least budget with which
//! every deadline is proven, for each period, with what switching takes and without. The relative
//! utilisation `u_sv` is what the proxy takes of the processor against what the tasks use.
//!
//! **Does not cover** shares without a fixed place (`proxy_counter_examples.rs`).

use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::watch::ratio;
use vorrang_design::{Point, curve};
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
const TEXT: &str = include_str!("../../../published/systems/proxy-planning.toml");

/// The periods of the axis, in milliseconds: up to the shortest of a task.
pub const PERIODS: [u64; 15] = [1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 50, 60, 75, 90, 100];

/// Analyses that the curve may take.
const STEPS: u64 = 100_000;

/// Number of tasks, and what they use, in thousandths.
const TASKS: (i32, f64) = (2, 0.5);

/// The published budget, in shares of the period.
pub fn published() -> f64 {
    let (count, used) = TASKS;
    2.0 * (1.0 - 1.0 / (1.0 + used / f64::from(count)).powi(count))
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
    curve(&mut open(&PERIODS), "vcpu.a", STEPS).unwrap_or_else(|why| panic!("{why:?}"))
}

/// What a point takes of the processor, as a share: with what switching takes, or without.
pub fn taken(point: &Point, with_costs: bool) -> Option<f64> {
    let found = if with_costs { point.with_costs } else { point.without };
    found.map(|(budget, _)| ratio(budget.as_ns(), point.period.as_ns()))
}

fn run() -> Reproduced {
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
        let ms = |time: Duration| ratio(time.as_ns(), 1_000_000);
        let budget = |found: Option<(Duration, vorrang_design::Cost)>| {
            found.map_or("-".to_owned(), |(budget, _)| format!("{:.3}", ms(budget)))
        };
        let relative = |share: Option<f64>| {
            share.map_or("-".to_owned(), |share| format!("{:.3}", share / TASKS.1))
        };
        let with_switching = point.with_costs.map(|(_, cost)| {
            f64::from(i32::try_from(cost.share().hundredths_ceil()).unwrap_or(i32::MAX)) / 10_000.0
        });
        let is_least = least.is_some() && point.with_costs.map(|(_, cost)| cost) == least;
        vec![
            format!("{:.0}", ms(point.period)),
            format!("{:.3}", published() * ms(point.period)),
            budget(point.without),
            budget(point.with_costs),
            format!("{:.4}", published()),
            taken(point, false).map_or("-".to_owned(), |share| format!("{share:.4}")),
            format!("{:.3}", published() / TASKS.1),
            relative(taken(point, false)),
            relative(with_switching),
            if is_least { "least" } else { "" }.to_owned(),
        ]
    };
    let table = Table::new(COLUMNS, points.iter().map(line).collect());
    Reproduced { table, claims: claims(&points) }
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let shares = points.iter().filter_map(|point| taken(point, false));
    let least = shares.clone().fold(f64::INFINITY, f64::min);
    let most = shares.fold(0.0, f64::max);
    vec![
        Claim::says("The share that the formula asks for is enough, whatever the period up to the shortest of a task.")
            .ours(format!("{least:.4} to {most:.4} are needed, {:.4} published", published()))
            .judged("no period needs more than the formula", Agreement::whether(most <= published())),
        Claim::says("The share that is needed does not depend on that period.")
            .ours(format!("{least:.4} to {most:.4}"))
            .judged("within a hundredth with all periods", Agreement::whether(most - least <= 0.01))
            .why("The formula sees utilisations only; the analysis sees periods."),
    ]
}
