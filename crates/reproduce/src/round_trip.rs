//! Round trip of a ping against the period of the IRQ thread's reservation (Abeni, Manica,
//! Palopoli 2009).

use crate::base;
use crate::claim::{Claim, Way};
use crate::exact::{Exact, decimal, ms, part, place, range, shown, span};
use crate::figure::{Figure, Reproduced, Table};
use crate::recorded::{self, ROUND_TRIPS};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::watch::Packets;
use rayon::prelude::*;
use vorrang_figure::{Axis, Chart, Look, Series, Shape};
use vorrang_model::System;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../published/systems/round-trip.toml");
const PUBLISHED: &str = include_str!("../published/ping_rtt_vs_server_period.csv");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "round-trip",
    shows: "round trip of a ping against the period of the IRQ thread's reservation, Q/T = 1/3",
    publication: "L. Abeni, N. Manica, L. Palopoli 2009",
    system: "published/systems/round-trip.toml",
    run,
    remarks: &[
        "The rest of the traffic, and what a ping takes on the way and in the other machine, were not published: a ping every 5 ms, 20 us of it in the thread, and a rival that computes for 20 ms once a second are ours.",
        "Only the trend of the longest is the same. Our shortest is a third of the published one, since nothing is simulated of the network; our mean doubles from the shortest period to the longest, where the published one stays.",
        "In the lab the thread, the interrupt's thread, both hosts and the emulator are on the way: the shortest is five times the published one.",
    ],
};

/// What is seen with one period.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Shortest round trip.
    pub shortest: Duration,
    /// Mean round trip.
    pub mean: Duration,
    /// Longest round trip.
    pub longest: Duration,
}

/// A hundred seconds with the budget and the period, in ms.
pub fn point(budget: u64, period: u64) -> Point {
    let system = with(budget, period);
    let seen = base::watched(&system, "periodic:1", Duration::from_ms(100_000), Packets::default());
    let trips = seen.round_trips;
    let sum: u64 = trips.iter().map(|trip| trip.as_ns()).sum();
    Point {
        shortest: trips.iter().copied().min().expect("many"),
        mean: Duration::from_ns(sum / trips.len() as u64),
        longest: trips.iter().copied().max().expect("many"),
    }
}

fn with(budget: u64, period: u64) -> System {
    let mut system = base::system(SYSTEM);
    for (name, budget) in [("server.irq", budget), ("server.rival", period - budget)] {
        let supply = base::supply(&system, name);
        let server = system.supplies[supply.0].server_mut().expect("it is one");
        server.budget = Duration::from_ms(budget);
        server.period = Duration::from_ms(period);
    }
    system
}

/// The published rows: Q, T, shortest, mean, longest, in ms.
pub fn published() -> Vec<[&'static str; 5]> {
    let cells = |line: &'static str| {
        let cell: Vec<&str> = line.split(',').collect();
        [cell[0], cell[1], cell[2], cell[3], cell[4]]
    };
    PUBLISHED.lines().skip(1).map(cells).collect()
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "Q [ms]",
        "T [ms]",
        "published min [ms]",
        "ours",
        "published mean [ms]",
        "ours",
        "published max [ms]",
        "ours",
    ];
    let rows = published();
    let points: Vec<Point> = rows
        .par_iter()
        .map(|row| point(row[0].parse().expect("whole"), row[1].parse().expect("whole")))
        .collect();
    let lines = rows.iter().zip(&points).map(|(row, point)| line(*row, *point)).collect();
    let of: [Of; 3] = [|point| point.shortest, |point| point.mean, |point| point.longest];
    let quantities = [0, 1, 2].map(|nth| Quantity::of(nth, of[nth], &rows, &points));
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: quantities.iter().map(claim).collect(),
        pictures: vec![
            longest(&quantities[2]),
            unchanged(&quantities[0]),
            unchanged(&quantities[1]),
        ],
    }
}

type Of = fn(&Point) -> Duration;

/// Shortest, mean or longest, over the periods.
struct Quantity {
    place: usize,
    periods: Vec<Exact>,
    published: Vec<Exact>,
    ours: Vec<Exact>,
}

const NAMES: [&str; 3] = ["shortest", "mean", "longest"];

/// Kernels of the lab.
const RUNS: [(&str, &str); 2] = [("ping-6.12", "Linux 6.12"), ("ping-7.2", "Linux 7.2")];

impl Quantity {
    fn of(nth: usize, of: Of, rows: &[[&str; 5]], points: &[Point]) -> Self {
        let column = |place: usize| rows.iter().map(|row| decimal(row[place])).collect();
        let ours = points.iter().map(|point| ms(of(point))).collect();
        Self { place: nth, periods: column(1), published: column(2 + nth), ours }
    }

    /// Of a kernel in the lab.
    fn kernel(&self, run: &str) -> Vec<Exact> {
        let rows = recorded::rows(ROUND_TRIPS, run);
        rows.iter().filter_map(|row| recorded::number(row, 5 + self.place)).collect()
    }
}

fn claim(of: &Quantity) -> Claim {
    let word = NAMES[of.place];
    let quarter = part(1, 4);
    let near = of.ours.iter().zip(&of.published).all(|(our, their)| {
        let apart = *our - their;
        apart <= their * quarter && -apart <= their * quarter
    });
    let text = |numbers: &[Exact]| format!("{} ms", span(range(numbers.iter().copied()), 3));
    let is_longest = of.place == 2;
    let shape = |numbers: &[Exact]| {
        let (least, most) = range(numbers.iter().copied());
        if is_longest {
            numbers.is_sorted() && numbers[numbers.len() - 1] > numbers[0] * 2
        } else {
            most <= least * (quarter + 1)
        }
    };
    let mut claim = Claim::says(format!(
        "The {word} round trip {}.",
        if is_longest { "grows with the period" } else { "does not depend on the period" }
    ))
    .rows("ping_rtt_vs_server_period.csv", 2..2 + of.ours.len())
    .row("figures.csv", 20)
    .by(Way::Published, text(&of.published))
    .ours(text(&of.ours));
    for (run, _) in RUNS {
        claim = claim.by(Way::Kernel(run), text(&of.kernel(run)));
    }
    let direction = if is_longest {
        "it never falls from period to period, and is more than twice as long with the longest as with the shortest"
    } else {
        "with all periods it is the same within a quarter"
    };
    claim
        .agrees_if(Condition::that("each number is within a quarter of the published", near))
        .in_shape_if(Condition::that(direction, shape(&of.ours)))
        .why(match of.place {
            0 => "A round trip there also crosses a network and a second machine; nothing of these is simulated.".to_owned(),
            1 => format!(
                "Ours grows by a factor of {}: a ping that comes while the rival runs waits for up to T - Q, and the rival runs for a part of the time that does not depend on T. Where the published mean stays the same, a ping rarely met a rival.",
                shown(of.ours[of.ours.len() - 1] / of.ours[0], 1)
            ),
            _ => "The published ones are several times T - Q, so they hold queueing over several periods, of traffic that was not published.".to_owned(),
        })
}

fn curve(of: &Quantity, numbers: &[Exact]) -> Vec<(f64, f64)> {
    of.periods.iter().zip(numbers).map(|(x, y)| (place(*x), place(*y))).collect()
}

fn longest(of: &Quantity) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "round-trip-longest",
        "Longest round trip against the server period, Q/T = 1/3",
        Axis::linear("server period T", "ms").from(0.0).to(22.0),
        Axis::linear("round trip", "ms").from(0.0),
    )
    .described("All grow with the period; the published ones are several periods long.");
    chart = with_kernels(chart, of);
    let bound: Vec<Exact> = recorded::rows(ROUND_TRIPS, "ping-7.2")
        .iter()
        .filter_map(|row| recorded::number(row, 9))
        .collect();
    let name = "bound of the lab's description, Linux 7.2";
    chart.with(Series::new(name, Shape::Line, curve(of, &bound))).into()
}

/// Shortest or mean.
fn unchanged(of: &Quantity) -> vorrang_figure::Figure {
    let word = NAMES[of.place];
    let described = if of.place == 0 {
        "None depends on the period. Nothing of the network is simulated, and in the lab an emulator is on the way."
    } else {
        "The published mean does not depend on the period, those of the kernels grow by a fifth, our simulated one doubles."
    };
    let chart = Chart::new(
        format!("round-trip-{word}"),
        format!("{}{} round trip against the server period", word[..1].to_uppercase(), &word[1..]),
        Axis::linear("server period T", "ms").from(0.0).to(22.0),
        Axis::linear("round trip", "ms").from(0.0),
    );
    with_kernels(chart.described(described), of).into()
}

/// Published, simulated, and on the kernels of the lab.
fn with_kernels(chart: Chart, of: &Quantity) -> Chart {
    let curve = |name: &str, numbers: &[Exact]| {
        Series::new(name, Shape::LineWithPoints, curve(of, numbers))
    };
    let chart = chart
        .with(curve("published", &of.published).look(Look::Published))
        .with(curve("simulated", &of.ours));
    RUNS.iter().fold(chart, |chart, (run, word)| chart.with(curve(word, &of.kernel(run))))
}

fn line([budget, period, min, mean, max]: [&str; 5], point: Point) -> Vec<String> {
    let ours = |time| shown(ms(time), 3);
    let (shortest, average, longest) =
        (ours(point.shortest), ours(point.mean), ours(point.longest));
    [budget, period, min, &shortest, mean, &average, max, &longest].map(str::to_owned).to_vec()
}
