//! Round trip of a ping against the period of the IRQ thread's reservation (Abeni, Manica,
//! Palopoli 2009).

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::watch::{Packets, ms};
use rayon::prelude::*;
use vorrang_model::System;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../../../published/systems/round-trip.toml");
const PUBLISHED: &str = include_str!("../../../published/ping_rtt_vs_server_period.csv");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "round-trip",
    shows: "round trip of a ping against the period of the IRQ thread's reservation, Q/T = 1/3",
    publication: "L. Abeni, N. Manica, L. Palopoli 2009",
    system: "published/systems/round-trip.toml",
    run,
    remarks: &[
        "The rest of the traffic, and what a ping takes on the way and in the other machine, were not published: a ping every 5 ms, 20 us of it in the thread, and a rival that computes for 20 ms once a second are ours.",
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
        let server = system.supplies[supply.0].server.as_mut().expect("it is one");
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

fn run() -> Reproduced {
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
    Reproduced { table: Table::new(COLUMNS, lines), claims: claims(&rows, &points) }
}

/// Of a column of the published rows, in ms.
fn column(rows: &[[&str; 5]], place: usize) -> Vec<f64> {
    rows.iter().map(|row| row[place].parse().expect("a number")).collect()
}

fn range(numbers: &[f64]) -> (f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    (least, numbers.iter().copied().fold(0.0, f64::max))
}

fn claims(rows: &[[&str; 5]], points: &[Point]) -> Vec<Claim> {
    let of = |time: fn(&Point) -> Duration| points.iter().map(|point| ms(time(point))).collect();
    let ours: [Vec<f64>; 3] =
        [of(|point| point.shortest), of(|point| point.mean), of(|point| point.longest)];
    let theirs = [2, 3, 4].map(|place| column(rows, place));
    let all = |mut claim: Claim| {
        for line in 2..2 + rows.len() {
            claim = claim.row("ping_rtt_vs_server_period.csv", line);
        }
        claim
    };
    let text = |numbers: &[f64]| {
        let (least, most) = range(numbers);
        format!("{least:.3} to {most:.3} ms")
    };
    let near = |place: usize| {
        let close = |(our, their): (&f64, &f64)| (our - their).abs() <= their / 4.0;
        ours[place].iter().zip(&theirs[place]).all(close)
    };
    let flat = |place: usize| {
        let (least, most) = range(&ours[place]);
        most <= 1.25 * least
    };
    let grows = ours[2].is_sorted() && ours[2][rows.len() - 1] > 2.0 * ours[2][0];
    vec![
        all(Claim::says("The shortest round trip does not depend on the period."))
            .ours(format!("{}, published {}", text(&ours[0]), text(&theirs[0])))
            .judged(
                "numbers within a quarter of the published; in shape: no more than a quarter apart over all periods",
                Agreement::of(near(0) && flat(0), flat(0)),
            )
            .why("A round trip there also crosses a network and a second machine."),
        all(Claim::says("The mean round trip does not depend on the period."))
            .ours(format!("{}, published {}", text(&ours[1]), text(&theirs[1])))
            .judged(
                "numbers within a quarter of the published; in shape: no more than a quarter apart over all periods",
                Agreement::of(near(1) && flat(1), flat(1)),
            )
            .why(
                "A ping that comes while the rival runs waits for up to T - Q, and the rival runs for a part of the time that does not depend on T. Where the published mean stays the same, a ping rarely met a rival.",
            ),
        all(Claim::says("The longest round trip grows with the period."))
            .ours(format!("{}, published {}", text(&ours[2]), text(&theirs[2])))
            .judged(
                "numbers within a quarter of the published; in shape: it never falls, and is more than twice as long with the longest period as with the shortest",
                Agreement::of(near(2) && grows, grows),
            )
            .why(
                "The published ones are several times T - Q, so they hold queueing over several periods, of traffic that was not published.",
            ),
    ]
}

fn line([budget, period, min, mean, max]: [&str; 5], point: Point) -> Vec<String> {
    let ours = |time| format!("{:.3}", ms(time));
    let (shortest, average, longest) =
        (ours(point.shortest), ours(point.mean), ours(point.longest));
    [budget, period, min, &shortest, mean, &average, max, &longest].map(str::to_owned).to_vec()
}
