//! Throughput against the bandwidth of the IRQ thread's reservation (Abeni, Manica, Palopoli 2009).

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::watch::{Packets, ratio};
use rayon::prelude::*;
use vorrang_model::System;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../../../published/systems/throughput.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "throughput",
    shows: "throughput against Q/T of the IRQ thread's reservation",
    publication: "L. Abeni, N. Manica, L. Palopoli 2009",
    system: "published/systems/throughput.toml",
    run,
    remarks: &["Where the knee lies depends on the time per packet, which was not published."],
};

/// What is seen with one budget.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Payload delivered, in Mb/s.
    pub throughput: f64,
    /// Packets lost, per packet that came.
    pub lost: f64,
}

/// Budgets of the table, of a period of 10 ms.
pub fn budgets() -> impl Iterator<Item = Duration> {
    (1..=10).map(|half| Duration::from_us(500 * half))
}

/// Ten seconds with one budget.
pub fn point(budget: Duration) -> Point {
    let length = Duration::from_ms(10_000);
    let system = with(budget);
    let packets = base::watched(&system, "synchronous", length, Packets::default());
    let bits = packets.delivered * u64::from(system.devices[0].payload) * 8;
    Point {
        throughput: ratio(bits * 1000, length.as_ns()),
        lost: ratio(packets.dropped, packets.dropped + packets.delivered),
    }
}

/// By the analysis of a stable thread: the line rate, or what the budget carries.
pub fn expected(budget: Duration) -> f64 {
    let system = with(budget);
    let server = system.supplies[1].server.as_ref().expect("the first server is the thread's");
    let carried = ratio(budget.as_ns(), server.period.as_ns())
        / ratio(system.devices[0].per_packet.as_ns(), 1_000)
        * f64::from(system.devices[0].payload)
        * 8.0;
    carried.min(95.7)
}

fn with(budget: Duration) -> System {
    let mut system = base::system(SYSTEM);
    let server = system.supplies[1].server.as_mut().expect("the first server is the thread's");
    server.budget = budget;
    system
}

fn run() -> Reproduced {
    const COLUMNS: &[&str] =
        &["Q/T", "throughput [Mb/s]", "budget / time per packet [Mb/s]", "packets lost [%]"];
    let budgets: Vec<Duration> = budgets().collect();
    let points: Vec<Point> = budgets.par_iter().map(|&budget| point(budget)).collect();
    let line = |(&budget, point): (&Duration, &Point)| {
        vec![
            format!("{:.2}", ratio(budget.as_ns(), 10_000_000)),
            format!("{:.1}", point.throughput),
            format!("{:.1}", expected(budget)),
            format!("{:.1}", 100.0 * point.lost),
        ]
    };
    let lines = budgets.iter().zip(&points).map(line).collect();
    Reproduced { table: Table::new(COLUMNS, lines), claims: claims(&points) }
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let rises = points.windows(2).all(|two| two[1].throughput > two[0].throughput - 0.1);
    let most = points.iter().map(|point| point.throughput).fold(0.0, f64::max);
    let last = points.iter().rev().take(2).all(|point| most - point.throughput < 0.1);
    vec![
        Claim::says("Throughput rises with Q/T from 0 to 0.5 and saturates below 100 Mb/s.")
            .ours(format!("it rises in proportion to Q/T up to {most:.1} Mb/s, the rate of the line"))
            .judged(
                "in shape: never less with a larger budget, the same with the two largest, below 100 Mb/s",
                Agreement::in_shape(rises && last && most < 100.0),
            )
            .why("The points of the curve are in no table of the publication."),
    ]
}
