//! What a proxy process costs beside what its virtual machine needs (Kaiser, Zöbel, eq. 2 and 3).
//!
//! **Model.** A virtual machine with n equal tasks of total utilisation U, deadlines and the period
//! of the proxy all the same, on a slot. Ours is the least budget, in nanoseconds of a second, for
//! which the criterion holds; published is `U_sv = 2 (1 − 1/(1 + U/n)^n)`, and the limit of the
//! relative utilisation, `u_sv = (2/U) (1 − exp(−U))`.

use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::watch::ratio;
use rayon::prelude::*;
use vorrang_analysis::utilisation::{Criterion, RateMonotonicTask};
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
pub fn ours(utilisation_ppm: u64, count: u64) -> Option<f64> {
    let wcet = PERIOD.as_ns() / 1_000_000 * utilisation_ppm / count;
    let task = RateMonotonicTask { wcet: Duration::from_ns(wcet), period: PERIOD };
    let tasks = vec![task; usize::try_from(count).expect("small")];
    let budget = Criterion::KaiserZoebelProduct.least_budget(&tasks, PERIOD)?;
    Some(ratio(budget.as_ns(), PERIOD.as_ns()))
}

/// The published formula.
pub fn published(utilisation_ppm: u64, count: u64) -> f64 {
    let each = ratio(utilisation_ppm, 1_000_000 * count);
    2.0 * (1.0 - 1.0 / (1.0 + each).powi(i32::try_from(count).expect("small")))
}

/// The published limit of the relative utilisation.
pub fn limit(utilisation_ppm: u64) -> f64 {
    let utilisation = ratio(utilisation_ppm, 1_000_000);
    2.0 / utilisation * (1.0 - (-utilisation).exp())
}

fn run() -> Reproduced {
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
        let written = |share: f64| format!("{share:.4}");
        let mut line = vec![format!("{:.3}", ratio(utilisation, 1_000_000))];
        for count in &TASKS[..4] {
            let formula = published(utilisation, *count);
            let fits = formula <= 1.0;
            line.push(if fits { written(formula) } else { "-".to_owned() });
            line.push(ours(utilisation, *count).map_or("-".to_owned(), written));
        }
        line.push(format!("{:.3}", limit(utilisation)));
        let relative = ours(utilisation, TASKS[4]).map(|ours| ours / ratio(utilisation, 1_000_000));
        line.push(relative.map_or("-".to_owned(), |relative| format!("{relative:.3}")));
        line
    };
    let table = Table::new(COLUMNS, UTILISATIONS.par_iter().map(line).collect());
    Reproduced { table, claims: claims() }
}

fn claims() -> Vec<Claim> {
    let points = UTILISATIONS.iter().flat_map(|&ppm| TASKS.map(|count| (ppm, count)));
    let found: Vec<(u64, u64, f64)> =
        points.filter_map(|(ppm, count)| Some((ppm, count, ours(ppm, count)?))).collect();
    let apart = found.iter().map(|&(ppm, count, ours)| (ours - published(ppm, count)).abs());
    let apart = apart.fold(0.0, f64::max);
    let relative = found.iter().map(|&(ppm, _, ours)| ours / ratio(ppm, 1_000_000));
    let most = relative.fold(0.0, f64::max);
    vec![
        Claim::says("A proxy needs U_sv = 2 (1 - 1/(1 + U/n)^n) for n tasks of utilisation U.")
            .ours(format!("least budgets differ from it by {:.1} millionths at most", apart * 1e6))
            .judged(
                "by two millionths at most, which is rounding",
                Agreement::whether(apart <= 2e-6),
            ),
        Claim::says("At most 50 % of the allocation is lost.")
            .ours(format!("at most {most:.3} times what is used is allocated"))
            .judged("nowhere twice as much or more", Agreement::whether(most < 2.0))
            .why("50 % is the limit for small utilisations and many tasks."),
    ]
}
