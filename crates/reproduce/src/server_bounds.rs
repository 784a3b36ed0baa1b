//! Utilisation bounds for rate-monotonic tasks on a server, beside a search for the worst set.
//!
//! **Model.** n tasks on a periodic resource (Θ, Π) with `s` = Θ/Π, no period below `2Π − Θ`. Ours
//! is the highest utilisation that each criterion accepts (k = 1 for Shin and Lee). The search draws
//! periods up to `4Π`, gives the tasks execution times in drawn proportions, and raises all until
//! the exact analysis refuses: the least utilisation at which that happened. No safe bound is above.

use crate::claim::{Claim, Way};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::watch::ratio;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;
use vorrang_analysis::Source;
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, all_within_limits};
use vorrang_analysis::supply::PeriodicResource;
use vorrang_analysis::utilisation::{Criterion, RateMonotonicTask, Share};
use vorrang_figure::{Axis, Chart, Look, Series, Shape};
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "server-bounds",
    shows: "utilisation bounds on a server by Saewong, by Shin and Lee, and by Kaiser and Zöbel, beside a search",
    publication: "S. Saewong et al. 2002; I. Shin, I. Lee 2003; R. Kaiser, D. Zöbel 2009",
    system: "published/systems/server-bounds.toml",
    run,
    remarks: &[
        "Published are the formulas; ours are the highest utilisations that the exact comparisons accept.",
        "Saewong's bound is nearly reached; Shin and Lee's with k = 1 is lower for more than one task.",
        "The condition on the shortest period belongs to the bounds: without it sets of any utilisation are refused.",
    ],
};

/// Shares in tenths, and numbers of tasks.
pub const POINTS: [(u64, u64); 12] = [
    (3, 1),
    (3, 2),
    (3, 3),
    (5, 1),
    (5, 2),
    (5, 3),
    (7, 1),
    (7, 2),
    (7, 3),
    (9, 1),
    (9, 2),
    (9, 3),
];

/// Sets that the search draws for each point.
const DRAWN: u64 = 20_000;

const PERIOD: u64 = 100_000;

fn share(tenths: u64) -> Share {
    let budget = Duration::from_ns(PERIOD / 10 * tenths);
    Share { budget, period: Duration::from_ns(PERIOD) }
}

/// The highest utilisation of equal tasks that a criterion accepts, in parts per million.
pub fn accepted(criterion: Criterion, tenths: u64, count: u64) -> u64 {
    // Twice the period of the server: k = 1.
    let period = 2 * PERIOD * 1_000;
    let share = share(tenths);
    let share = Share { budget: share.budget * 1_000, period: share.period * 1_000 };
    let fits = |ppm: u64| {
        let wcet = Duration::from_ns(period * ppm / count / 1_000_000);
        let task = RateMonotonicTask { wcet, period: Duration::from_ns(period) };
        criterion.holds(&vec![task; usize::try_from(count).expect("small")], share)
    };
    let (mut low, mut high) = (0, 1_000_000);
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The published formula.
pub fn published(criterion: Criterion, tenths: u64, count: u64) -> f64 {
    let (share, count) = (ratio(tenths, 10), ratio(count, 1));
    let root = |value: f64| libm::pow(value, 1.0 / count);
    match criterion {
        Criterion::Saewong => count * (root((3.0 - share) / (3.0 - 2.0 * share)) - 1.0),
        Criterion::ShinLee => {
            let gap = 2.0 * (1.0 - share);
            share * count * (root((2.0 + gap) / (1.0 + gap)) - 1.0)
        }
        _ => count * (root(2.0 / (2.0 - share)) - 1.0),
    }
}

/// The least utilisation, in parts per million, of a drawn set that the exact analysis refuses.
pub fn searched(tenths: u64, count: u64) -> u64 {
    let mut random = ChaCha8Rng::seed_from_u64(100 * tenths + count);
    let Share { budget, period } = share(tenths);
    let resource = PeriodicResource::new(Source::Unnamed, budget, period, period);
    let shortest = 2 * PERIOD - budget.as_ns();
    let mut scratch = Scratch::default();
    let mut least = 1_000_000;
    for _ in 0..DRAWN {
        let drawn = (0..count).map(|_| {
            let period = shortest + random.next_u64() % (4 * PERIOD - shortest);
            (period, 1 + random.next_u64() % 1_000)
        });
        let mut drawn: Vec<(u64, u64)> = drawn.collect();
        drawn.sort_unstable();
        let weights: u64 = drawn.iter().map(|(_, weight)| weight).sum();
        let mut meets = |ppm: u64| {
            let task = |&(period, weight): &(u64, u64)| {
                let wcet = (period * ppm / 1_000 * weight / weights / 1_000).max(1);
                let period = Duration::from_ns(period);
                SporadicTask { wcet: Duration::from_ns(wcet), period, limit: period }
            };
            let tasks: Vec<_> = drawn.iter().map(task).collect();
            all_within_limits(&resource, &tasks, &mut scratch)
        };
        // Most sets are not worse than what is known.
        if meets(least) {
            continue;
        }
        let mut low = 0;
        while least - low > 1 {
            let middle = u64::midpoint(low, least);
            if meets(middle) {
                low = middle;
            } else {
                least = middle;
            }
        }
    }
    least
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "share",
        "tasks",
        "Saewong, published",
        "Saewong",
        "Shin-Lee, published",
        "Shin-Lee",
        "Kaiser-Zoebel, published",
        "Kaiser-Zoebel",
        "search",
    ];
    let found: Vec<u64> =
        POINTS.par_iter().map(|&(tenths, count)| searched(tenths, count)).collect();
    let line = |(&(tenths, count), &found): (&(u64, u64), &u64)| {
        let ppm = |ppm: u64| format!("{:.4}", ratio(ppm, 1_000_000));
        let mut line = vec![format!("{:.1}", ratio(tenths, 10)), count.to_string()];
        for criterion in [Criterion::Saewong, Criterion::ShinLee, Criterion::KaiserZoebel] {
            line.push(format!("{:.4}", published(criterion, tenths, count)));
            line.push(ppm(accepted(criterion, tenths, count)));
        }
        line.push(ppm(found));
        line
    };
    let lines = POINTS.iter().zip(&found).map(line).collect();
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: claims(&found),
        pictures: vec![picture(&found)],
    }
}

/// Of two tasks, over the share of the server.
fn picture(found: &[u64]) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "server-bounds",
        "Utilisation bounds on a server, two tasks",
        Axis::linear("share of the server", "").from(0.25).to(0.95),
        Axis::linear("utilisation", "").from(0.0).to(0.75),
    )
    .described("Lines: the formulas. Crosses: the least utilisation of a set that the exact analysis refuses; no bound for a server that moves may be above.");
    let criteria = [
        (Criterion::Saewong, "Saewong"),
        (Criterion::ShinLee, "Shin and Lee"),
        (Criterion::KaiserZoebel, "Kaiser and Zöbel"),
    ];
    for (criterion, name) in criteria {
        let at = |tenths: u64| (ratio(tenths, 10), published(criterion, tenths, 2));
        chart = chart.with(Series::new(name, Shape::LineWithPoints, [3, 5, 7, 9].map(at).to_vec()));
    }
    let points = POINTS.iter().zip(found).filter(|((_, count), _)| *count == 2);
    let points = points.map(|(&(tenths, _), &found)| (ratio(tenths, 10), ratio(found, 1_000_000)));
    chart.with(Series::new("search", Shape::Points, points.collect()).look(Look::Published)).into()
}

/// What the search found at each of [`POINTS`].
fn claims(found: &[u64]) -> Vec<Claim> {
    let claim = |(criterion, name, why): (Criterion, &str, &'static str)| {
        let respects = |&(&(tenths, count), &found): &(&(u64, u64), &u64)| {
            // A thousandth for what execution times are rounded to.
            accepted(criterion, tenths, count) <= found + found / 1_000
        };
        let (kept, all) = (POINTS.iter().zip(found).filter(respects).count(), POINTS.len());
        Claim::says(format!("A set of tasks below {name}'s bound is schedulable on the server."))
            .by(
                Way::Bound,
                format!(
                    "a search with the exact analysis finds one that is not at {} of {all} points",
                    all - kept
                ),
            )
            .agrees_if(Condition::that(
                "at none, but for a thousandth that execution times are rounded to",
                kept == all,
            ))
            .why(why)
    };
    [
        (Criterion::Saewong, "Saewong", ""),
        (Criterion::ShinLee, "Shin and Lee", ""),
        (
            Criterion::KaiserZoebel,
            "Kaiser and Zöbel",
            "Theirs holds for a share at a fixed place of every period; the server of the search moves.",
        ),
    ]
    .map(claim)
    .to_vec()
}
