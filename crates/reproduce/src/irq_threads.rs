//! Ways to schedule the thread of a network interrupt beside a real-time task (Abeni, Manica,
//! Palopoli 2009): throughput, and response time of the task. The figure; the runs are in `irq_study.rs`, what is
//! claimed of them in `irq_claims.rs`.

use crate::exact::{Exact, ms, place, shown};
use crate::figure::{Figure, Reproduced, Table};
use crate::irq_claims::{KERNELS, claims};
use crate::irq_study::Servers;
pub use crate::irq_study::{Configuration, Point, configurations, point};
use crate::picture::distribution;
use crate::recorded::{self, IRQ_THREADS};
use crate::setting::Setting;
use rayon::prelude::*;
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "irq-threads",
    shows: "throughput and response time of a 20 ms task for each way to schedule the IRQ thread",
    publication: "L. Abeni, N. Manica, L. Palopoli 2009",
    system: "published/systems/irq-threads.toml",
    run,
    remarks: &[
        "What a packet takes, the ring and the socket's buffer were not published; they are chosen so that the task above the thread leaves it the published 48 Mb/s: five free numbers for one published one. That the task takes 18 to 20 ms is the publication's own response of a task that nothing disturbs, and an input here.",
        "The publication does not say whether its servers are soft, hard or of Linux, or whether they reclaim: all four are tried. A claim agrees if it does with every kind, and in shape if it does with some kind. No one kind agrees with both lines of the table: only soft servers carry the first stream, and with these the task of the second line is faster than published.",
        "Hard servers and those of Linux without reclaiming do the same here: the thread and the reader of the socket sleep and wake within their bandwidth, and their wake-up rules differ only at equality.",
        "There are two throughputs: what the thread takes from the card, and what the program receives. The published ones are netperf's, so what is received.",
        "The kernels of the lab run a task of 19 ms on a slower processor (docs/lab-measurements.md); their budgets are hard. Bounds are of the same descriptions as the simulation.",
    ],
};

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "case [ms]",
        "servers",
        "published [Mb/s]",
        "received [Mb/s]",
        "taken [Mb/s]",
        "published [ms]",
        "shortest [ms]",
        "median [ms]",
        "longest [ms]",
        "bound [ms]",
        "in 800 ms [%]",
    ];
    let all = configurations();
    let points: Vec<Point> = all.par_iter().map(point).collect();
    let lines = all.iter().zip(&points).map(|(configuration, point)| line(configuration, point));
    Reproduced {
        table: Table::new(COLUMNS, lines.collect()),
        claims: claims(&points),
        pictures: vec![
            priorities(&points),
            reservations(
                &points[3..7],
                "irq-threads-4-4",
                "Reservations of 4, 4 and 1.5 ms of 10 ms",
                (32.0, 46.0),
                KERNELS[3],
            ),
            reservations(
                &points[7..11],
                "irq-threads-5-2",
                "Reservations of 5, 2 and 1 ms of 10 ms",
                (24.0, 36.0),
                KERNELS[4],
            ),
        ],
    }
}

/// Responses without reservations, over what the publication has on its axis.
fn priorities(points: &[Point]) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "irq-threads-priorities",
        "Responses of the task: vanilla, above and below the thread",
        Axis::logarithmic("response time", "ms").from(15.0).to(1300.0),
        Axis::linear("part of the jobs", "").from(0.0).to(1.0),
    )
    .described("Simulated; points: median, 90 % and longest of kernels in the lab. The published curve of the task below the thread reaches 0.6 at 800 ms.")
    .rule(Rule::At(20.5, "published, above: at most 20.5 ms".to_owned(), Look::Published))
    .rule(Rule::At(150.0, "published, vanilla: up to 150 ms".to_owned(), Look::Published))
    .spot((800.0, 0.6), "published, below: 0.6 at 800 ms");
    for (point, name) in
        points.iter().zip(["vanilla kernel", "task above the thread", "task below the thread"])
    {
        let seen = &point.responses;
        chart = chart.with(distribution(name, &seen.all, seen.unfinished.len(), ms));
    }
    for (run, word) in [("irq-6.12", "6.12"), ("irq-7.2", "7.2")] {
        for (case, name) in [(KERNELS[1], "above"), (KERNELS[2], "below")] {
            let name = format!("Linux {word}, {name}");
            chart = chart.with(Series::new(name, Shape::Points, quantiles(run, case)));
        }
    }
    chart.into()
}

/// Median, 90 % and longest response of a case on a kernel.
fn quantiles(run: &str, case: &str) -> Vec<(f64, f64)> {
    let rows = recorded::rows(IRQ_THREADS, run);
    let Some(row) = rows.iter().find(|row| row[0] == case) else { return Vec::new() };
    let at = [(8, 0.5), (9, 0.9), (10, 1.0)].into_iter();
    let at = at.filter_map(|(nth, part)| Some((place(recorded::number(row, nth)?), part)));
    at.collect()
}

/// Responses with reservations, with every kind of server.
fn reservations(
    points: &[Point],
    name: &str,
    title: &str,
    (least, most): (f64, f64),
    case: &str,
) -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        name,
        title,
        Axis::linear("response time of the task", "ms").from(15.0).to(60.0),
        Axis::linear("part of the jobs", "").from(0.0).to(1.0),
    )
    .described("Simulated, with servers of four kinds; points: median, 90 % and longest of kernels in the lab.")
    .rule(Rule::At(least, "published: from".to_owned(), Look::Published))
    .rule(Rule::At(most, "published: to".to_owned(), Look::Published));
    for (point, Servers(word, ..)) in points.iter().zip(crate::irq_study::SERVERS) {
        chart = chart.with(distribution(word, &point.responses.all, 0, ms));
    }
    for (run, word) in [("irq-6.12", "Linux 6.12"), ("irq-7.2", "Linux 7.2")] {
        chart = chart.with(Series::new(word, Shape::Points, quantiles(run, case)));
    }
    chart.into()
}

fn line(configuration: &Configuration, point: &Point) -> Vec<String> {
    let Point { responses, throughput, taken, bound } = point;
    let text = |time: Option<Duration>| time.map_or("-".to_owned(), |time| shown(ms(time), 1));
    let rate = |rate: &Option<Exact>| rate.map_or("-".to_owned(), |rate| shown(rate, 1));
    vec![
        configuration
            .core
            .replace("reservations-4-4", "4, 4, 1.5")
            .replace("reservations-5-2", "5, 2, 1"),
        configuration.servers.map_or("-", |servers| servers.0).to_owned(),
        configuration.throughput.map_or("-".to_owned(), |published| published.to_string()),
        rate(throughput),
        rate(taken),
        configuration.response.to_owned(),
        text(responses.shortest()),
        text(responses.quantile(500)),
        text(responses.longest()),
        text(*bound),
        shown(responses.percent_within(Duration::from_ms(800)), 0),
    ]
}
