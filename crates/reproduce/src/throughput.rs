//! Throughput against the bandwidth of the IRQ thread's reservation (Abeni, Manica, Palopoli 2009).

use crate::base;
use crate::claim::{Claim, Way};
use crate::exact::{Exact, mbps, part, percent, place, range, shown, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::picture::points;
use crate::recorded::{self, IRQ_THREADS};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::watch::Packets;
use rayon::prelude::*;
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_model::System;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../published/systems/throughput.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "throughput",
    shows: "throughput against Q/T of the IRQ thread's reservation",
    publication: "L. Abeni, N. Manica, L. Palopoli 2009",
    system: "published/systems/throughput.toml",
    run,
    remarks: &[
        "Where the knee lies depends on the time per packet, which was not published: 40 us here for full frames.",
        "The second picture is the flood of small packets, 7 us each as in irq-threads, of which two fifths of the processor carry all, beside what kernels of the lab take from the card and what their program receives.",
    ],
};

/// What is seen with one budget.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Payload delivered, in Mb/s.
    pub throughput: Exact,
    /// Packets lost, of those that came, in percent.
    pub lost: Exact,
}

/// What comes over the line, and what a packet takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Payload of a packet in bytes.
    pub payload: u32,
    /// What it takes the thread.
    pub per_packet: Duration,
}

/// Full frames, as in the description.
pub const FRAMES: Stream = Stream { payload: 1472, per_packet: Duration::from_us(40) };
/// The small packets of the other experiments.
pub const SMALL: Stream = Stream { payload: 192, per_packet: Duration::from_us(7) };

/// Budgets of the table, of a period of 10 ms.
pub fn budgets() -> impl Iterator<Item = Duration> {
    (1..=10).map(|half| Duration::from_us(500 * half))
}

/// Ten seconds with one budget; one second of small packets.
pub fn point(budget: Duration, stream: Stream) -> Point {
    let length = Duration::from_ms(if stream == FRAMES { 10_000 } else { 1_000 });
    let system = with(budget, stream);
    let packets = base::watched(&system, "synchronous", length, Packets::default());
    let bits = packets.delivered * u64::from(stream.payload) * 8;
    Point {
        throughput: mbps(bits, length),
        lost: percent(packets.dropped, packets.dropped + packets.delivered),
    }
}

/// By the analysis of a stable thread: what the budget carries, in Mb/s, or the line, if that is less.
pub fn expected(budget: Duration, stream: Stream) -> Exact {
    let system = with(budget, stream);
    let server = system.supplies[1].server().expect("the first server is the thread's");
    let share = part(budget.as_ns(), server.period.as_ns());
    let carried = share * mbps(u64::from(stream.payload) * 8, stream.per_packet);
    let line = part(u64::from(stream.payload) * 100, u64::from(stream.payload) + 66);
    carried.min(line)
}

fn with(budget: Duration, stream: Stream) -> System {
    let mut system = base::system(SYSTEM);
    let server = system.supplies[1].server_mut().expect("the first server is the thread's");
    server.budget = budget;
    let card = &mut system.devices[0];
    (card.payload, card.per_packet) = (stream.payload, stream.per_packet);
    if stream != FRAMES {
        // 100 Mb/s with 66 bytes of framing.
        let gap = Duration::from_ns(u64::from(stream.payload + 66) * 80);
        system.interrupts[0].min_interarrival = gap;
        system.tasks[0].min_interarrival = gap;
    }
    system
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "Q/T",
        "throughput [Mb/s]",
        "budget / time per packet [Mb/s]",
        "packets lost [%]",
        "small packets [Mb/s]",
    ];
    let budgets: Vec<Duration> = budgets().collect();
    let seen: Vec<Point> = budgets.par_iter().map(|&budget| point(budget, FRAMES)).collect();
    let small: Vec<Point> = budgets.par_iter().map(|&budget| point(budget, SMALL)).collect();
    let line = |((&budget, point), small): ((&Duration, &Point), &Point)| {
        vec![
            shown(share(budget), 2),
            shown(point.throughput, 1),
            shown(expected(budget, FRAMES), 1),
            shown(point.lost, 1),
            shown(small.throughput, 1),
        ]
    };
    let lines = budgets.iter().zip(&seen).zip(&small).map(line).collect();
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: claims(&budgets, &seen),
        pictures: vec![frames(&budgets, &seen), flood(&budgets, &small)],
    }
}

fn share(budget: Duration) -> Exact {
    part(budget.as_ns(), 10_000_000)
}

fn chart(name: &str, title: &str) -> Chart {
    Chart::new(
        name,
        title,
        Axis::linear("Q/T of the IRQ thread", "").from(0.0).to(0.52),
        Axis::linear("throughput", "Mb/s").from(0.0).to(120.0),
    )
}

fn curve(budgets: &[Duration], of: impl Fn(usize) -> Exact) -> Vec<(f64, f64)> {
    points(budgets.iter().enumerate().map(|(nth, &budget)| (share(budget), of(nth))))
}

fn frames(budgets: &[Duration], seen: &[Point]) -> vorrang_figure::Figure {
    let simulated = curve(budgets, |nth| seen[nth].throughput);
    let expected = curve(budgets, |nth| expected(budgets[nth], FRAMES));
    chart("throughput-frames", "Throughput against Q/T: full frames")
        .described("It rises in proportion to Q/T up to the rate of the line.")
        .with(Series::new("simulated", Shape::LineWithPoints, simulated))
        .with(Series::new("budget / time per packet", Shape::Line, expected))
        .rule(Rule::Level(100.0, "published: saturates below 100 Mb/s".to_owned(), Look::Published))
        .into()
}

fn flood(budgets: &[Duration], small: &[Point]) -> vorrang_figure::Figure {
    let mut chart = chart("throughput-flood", "Throughput against Q/T: packets of 192 bytes")
        .described("Simulated, and what kernels of the lab take from the card (their processor is slower: 16 to 13 us a packet) and give to the program, which then has no time on 6.12 and in large part not on 7.2.")
        .with(Series::new("simulated", Shape::LineWithPoints, curve(budgets, |nth| small[nth].throughput)));
    for (run, word) in [("irq-6.12", "Linux 6.12"), ("irq-7.2", "Linux 7.2")] {
        for (column, what) in [(2, "taken"), (3, "received")] {
            let name = format!("{word}, {what}");
            let points = kernel(run, column);
            let points = points.iter().map(|&(x, y)| (place(x), place(y))).collect();
            chart = chart.with(Series::new(name, Shape::LineWithPoints, points));
        }
    }
    chart.into()
}

/// A column of a run in the lab over the share that is reserved, up to one half; not those with a timer beside.
fn kernel(run: &str, column: usize) -> Vec<(Exact, Exact)> {
    let rows = recorded::rows(IRQ_THREADS, run);
    let plain = rows.iter().filter(|row| row[0].ends_with("of 10 ms"));
    let points = plain
        .filter_map(|row| Some((recorded::number(row, 4)? / 100, recorded::number(row, column)?)));
    points.filter(|(share, _)| *share <= part(1, 2)).collect()
}

fn claims(budgets: &[Duration], seen: &[Point]) -> Vec<Claim> {
    let tenth = part(1, 10);
    let rises = seen.windows(2).all(|two| two[1].throughput > two[0].throughput - tenth);
    let (_, most) = range(seen.iter().map(|point| point.throughput));
    let last = seen.iter().rev().take(2).all(|point| most - point.throughput < tenth);
    let carried = budgets.iter().zip(seen).all(|(&budget, point)| {
        let expected = expected(budget, FRAMES);
        point.throughput <= expected + tenth && point.throughput >= expected * part(9, 10)
    });
    let taken = |run: &str| {
        let taken = kernel(run, 2);
        let text: Vec<String> = taken.iter().map(|(_, rate)| shown(*rate, 1)).collect();
        (
            taken.is_sorted(),
            format!("{} Mb/s taken with 5, 10, 20 and 40 % (small packets)", text.join(", ")),
        )
    };
    let mut claim =
        Claim::says("Throughput rises with Q/T from 0 to 0.5 and saturates below 100 Mb/s.")
            .row("figures.csv", 19)
            .ours(format!(
                "it rises in proportion to Q/T up to {} Mb/s, the rate of the line",
                shown(most, 1)
            ))
            .by(
                Way::Formula,
                "budget / time per packet, up to the line; simulated is within a tenth of it",
            );
    for run in ["irq-6.12", "irq-7.2"] {
        claim = claim.by(Way::Kernel(run), taken(run).1);
    }
    let on_kernels = taken("irq-6.12").0 && taken("irq-7.2").0;
    vec![
        claim
            .in_shape_if(Condition::that(
                "it is never less with a larger budget, here and on both kernels",
                rises && on_kernels,
            ))
            .in_shape_if(Condition::that(
                "it is the same with the two largest budgets, and below 100 Mb/s",
                last && most < whole(100),
            ))
            .in_shape_if(Condition::that(
                "it is within a tenth of what the budget carries",
                carried,
            ))
            .why("The points of the curve are in no table of the publication."),
    ]
}
