//! What a proxy process costs beside what its virtual machine needs (Kaiser, Zöbel, eq. 2 and 3).
//!
//! **Model.** A virtual machine with n equal tasks of total utilisation U, deadlines and the period
//! of the proxy all the same, on a slot. Ours is the least budget, in nanoseconds of a second, for
//! which the criterion holds; published is `U_sv = 2 (1 − 1/(1 + U/n)^n)`, and the limit of the
//! relative utilisation, `u_sv = (2/U) (1 − exp(−U))`.

use crate::claim::{Claim, Way};
use crate::exact::{Exact, decimal, part, place, range, shown, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use rayon::prelude::*;
use vorrang_analysis::utilisation::{Criterion, RateMonotonicTask};
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "proxy-utilisation",
    shows: "processor time that a proxy process must be given, against what its virtual machine uses",
    publication: "R. Kaiser, D. Zöbel 2009, 2010",
    system: "published/systems/proxy-utilisation.toml",
    run,
    remarks: &[
        "Published is the formula and its curve; ours is the least budget for which the exact comparison of products holds.",
        "The formula holds for a share at a fixed place of every period (see proxy-counter-examples); the publication treats the rest as one more task and does not say so.",
    ],
};

/// The utilisations of the axis, in parts per million; the last is ln 2.
pub const UTILISATIONS: [u64; 8] =
    [50_000, 100_000, 200_000, 300_000, 400_000, 500_000, 600_000, 693_147];

/// Numbers of tasks; the last stands for many.
pub const TASKS: [u64; 5] = [1, 2, 3, 10, 100];

const PERIOD: Duration = Duration::from_ms(1_000);

/// The least share for `count` equal tasks; `None` if a whole core is not enough.
pub fn ours(utilisation_ppm: u64, count: u64) -> Option<Exact> {
    let wcet = PERIOD.as_ns() / 1_000_000 * utilisation_ppm / count;
    let task = RateMonotonicTask { wcet: Duration::from_ns(wcet), period: PERIOD };
    let tasks = vec![task; usize::try_from(count).expect("small")];
    let budget = Criterion::KaiserZoebelProduct.least_budget(&tasks, PERIOD)?;
    Some(part(budget.as_ns(), PERIOD.as_ns()))
}

/// The published formula, in fixed point: no more than a few hundred units of 10⁻¹⁵ from its value.
pub fn published(utilisation_ppm: u64, count: u64) -> Exact {
    const UNIT: i128 = 1_000_000_000_000_000;
    let base = UNIT + UNIT / 1_000_000 * i128::from(utilisation_ppm) / i128::from(count);
    let power = (0..count).fold(UNIT, |power, _| power * base / UNIT);
    Exact::new(2 * (UNIT - UNIT * UNIT / power), UNIT)
}

/// The published limit of the relative utilisation, for pictures.
pub fn limit(utilisation: f64) -> f64 {
    2.0 / utilisation * (1.0 - libm::exp(-utilisation))
}

/// Utilisation in parts per million.
fn used(ppm: u64) -> Exact {
    part(ppm, 1_000_000)
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "U",
        "1, published",
        "1",
        "2, published",
        "2",
        "3, published",
        "3",
        "10, published",
        "10",
        "relative, published",
        "relative, 100 tasks",
    ];
    let line = |&utilisation: &u64| {
        let written = |share: Exact| shown(share, 4);
        let mut line = vec![shown(used(utilisation), 3)];
        for count in &TASKS[..4] {
            let formula = published(utilisation, *count);
            let fits = formula <= whole(1);
            line.push(if fits { written(formula) } else { "-".to_owned() });
            line.push(ours(utilisation, *count).map_or("-".to_owned(), written));
        }
        line.push(format!("{:.3}", limit(place(used(utilisation)))));
        let relative = ours(utilisation, TASKS[4]).map(|ours| ours / used(utilisation));
        line.push(relative.map_or("-".to_owned(), |relative| shown(relative, 3)));
        line
    };
    let table = Table::new(COLUMNS, UTILISATIONS.par_iter().map(line).collect());
    Reproduced { table, claims: claims(), pictures: vec![relative(), absolute()] }
}

/// The relative utilisation over the utilisation, as published.
fn relative() -> vorrang_figure::Figure {
    let curve = (1..=140_u32).map(|step| f64::from(step) * 0.005);
    let curve = curve.map(|used| (used, limit(used))).collect();
    let mut chart = Chart::new(
        "proxy-utilisation-relative",
        "Relative utilisation of a proxy process",
        Axis::linear("utilisation U(P) of the virtual machine", "").from(0.0).to(0.72),
        Axis::linear("u_sv = U_sv / U(P)", "").from(0.9).to(2.05),
    )
    .described("Line: the published limit for many tasks, from 2 to 1.4427 at ln 2. Points: the least budgets for which the criterion holds, by number of tasks.")
    .with(Series::new("published limit", Shape::Line, curve).look(Look::Published));
    for (nth, count) in TASKS.into_iter().enumerate() {
        let points = UTILISATIONS
            .iter()
            .filter_map(|&ppm| Some((place(used(ppm)), place(ours(ppm, count)? / used(ppm)))));
        let tasks = if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") };
        chart = chart
            .with(Series::new(tasks, Shape::LineWithPoints, points.collect()).look(Look::Nth(nth)));
    }
    chart.rule(Rule::At(std::f64::consts::LN_2, "ln 2".to_owned(), Look::Faint)).into()
}

/// The utilisation of the proxy.
fn absolute() -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "proxy-utilisation",
        "Utilisation of a proxy process",
        Axis::linear("utilisation U(P) of the virtual machine", "").from(0.0).to(0.72),
        Axis::linear("U_sv", "").from(0.0).to(1.0),
    )
    .described(
        "Lines: the published formula. Points: the least budgets for which the criterion holds.",
    );
    for (nth, count) in TASKS[..4].iter().enumerate() {
        let formula = (0..=70)
            .map(|step| (place(used(10_000 * step)), place(published(10_000 * step, *count))));
        chart = chart.with(Series::new("", Shape::Line, formula.collect()).look(Look::Nth(nth)));
        let points = UTILISATIONS
            .iter()
            .filter_map(|&ppm| Some((place(used(ppm)), place(ours(ppm, *count)?))));
        let name = format!("n = {count}");
        chart = chart.with(Series::new(name, Shape::Points, points.collect()).look(Look::Nth(nth)));
    }
    chart.into()
}

fn claims() -> Vec<Claim> {
    let points = UTILISATIONS.iter().flat_map(|&ppm| TASKS.map(|count| (ppm, count)));
    let found: Vec<(u64, u64, Exact)> =
        points.filter_map(|(ppm, count)| Some((ppm, count, ours(ppm, count)?))).collect();
    let apart = found.iter().map(|&(ppm, count, ours)| {
        let apart = ours - published(ppm, count);
        apart.max(-apart)
    });
    let (_, apart) = range(apart);
    let (_, most) = range(found.iter().map(|&(ppm, _, ours)| ours / used(ppm)));
    let many = |ppm: u64| ours(ppm, 100).expect("a core is enough") / used(ppm);
    let (first, last) = (many(1_000), many(693_000));
    let falls: Vec<Exact> = UTILISATIONS.iter().map(|&ppm| -many(ppm)).collect();
    vec![
        Claim::says("A proxy needs U_sv = 2 (1 - 1/(1 + U/n)^n) for n tasks of utilisation U.")
            .row("figures.csv", 5)
            .by(
                Way::Bound,
                format!(
                    "least budgets differ from it by {} millionths at most",
                    shown(apart * 1_000_000, 1)
                ),
            )
            .agrees_if(Condition::at_most(
                "the difference in millionths, which is rounding,",
                apart * 1_000_000,
                whole(2),
                0,
            )),
        Claim::says(
            "The relative utilisation falls from 2 to 1.4427 at ln 2, in the limit of many tasks.",
        )
        .row("figures.csv", 5)
        .by(
            Way::Bound,
            format!(
                "{} at U = 0.001 and {} at U = 0.693, of 100 tasks",
                shown(first, 4),
                shown(last, 4)
            ),
        )
        .agrees_if(Condition::near("the first", first, whole(2), part(1, 100), 0))
        .agrees_if(Condition::near("the last", last, decimal("1.4427"), part(1, 100), 4))
        .in_shape_if(Condition::that("it falls with U", falls.is_sorted())),
        Claim::says("At most 50 % of the allocation is lost.")
            .by(Way::Bound, format!("at most {} times what is used is allocated", shown(most, 3)))
            .agrees_if(Condition::that("nowhere twice as much or more", most < whole(2)))
            .why("50 % is the limit for small utilisations and many tasks."),
    ]
}
