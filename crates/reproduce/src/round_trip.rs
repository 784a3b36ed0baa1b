//! Round trip of a ping against the period of the IRQ thread's reservation (Abeni, Manica,
//! Palopoli 2009).

use crate::base;
use crate::figure::{Figure, Table};
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
    run: table,
    remarks: &[
        "Published: shortest and mean do not depend on the period, the longest grows with it. Ours do the same: a ping that comes while the rival runs waits for up to T - Q.",
        "The published longest round trips are several times T - Q, so they hold queueing over several periods, of traffic that was not published; only the trend is to be compared.",
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

fn table() -> Table {
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
    let lines: Vec<_> = published().into_par_iter().map(line).collect();
    Table::new(COLUMNS, lines)
}

fn line([budget, period, min, mean, max]: [&str; 5]) -> Vec<String> {
    let point = point(budget.parse().expect("whole"), period.parse().expect("whole"));
    let ours = |time| format!("{:.3}", ms(time));
    let (shortest, average, longest) =
        (ours(point.shortest), ours(point.mean), ours(point.longest));
    [budget, period, min, &shortest, mean, &average, max, &longest].map(str::to_owned).to_vec()
}
