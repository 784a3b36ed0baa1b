//! Ways to schedule the thread of a network interrupt beside a real-time task (Abeni, Manica,
//! Palopoli 2009): throughput, and response time of the task.

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::watch::{Packets, Responses, ms, ratio};
use rayon::prelude::*;
use vorrang_model::System;
use vorrang_model::system::ServerKind;
use vorrang_sim::Source;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../../../published/systems/irq-threads.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "irq-threads",
    shows: "throughput and response time of a 20 ms task for each way to schedule the IRQ thread",
    publication: "L. Abeni, N. Manica, L. Palopoli 2009",
    system: "published/systems/irq-threads.toml",
    run,
    remarks: &[
        "What a packet takes, the ring and the socket's buffer were not published; they are chosen so that the task above the thread leaves it the published 48 Mb/s. That the task takes 18 to 20 ms is the publication's own response of a task that nothing disturbs, and an input here.",
        "The publication does not say whether its servers are soft, hard or of Linux, or whether they reclaim: all four are tried, and a claim is held against the best of them.",
        "Hard servers and those of Linux without reclaiming do the same here: the thread and the reader of the socket sleep and wake within their bandwidth, and their wake-up rules differ only at equality.",
    ],
};

/// How long every configuration runs.
const LENGTH: Duration = Duration::from_ms(20_000);

/// A configuration: its core, and what its servers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Name of the core without `core.`.
    pub core: &'static str,
    /// What its servers are, if it has any.
    pub servers: Option<Servers>,
    /// Published throughput in Mb/s.
    pub throughput: Option<u32>,
    /// Published responses in ms.
    pub response: &'static str,
}

/// A kind of server by its name, and whether it reclaims unused bandwidth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Servers(&'static str, ServerKind, bool);

const SERVERS: [Servers; 4] = [
    Servers("soft CBS", ServerKind::CbsSoft, false),
    Servers("hard CBS", ServerKind::CbsHard, false),
    Servers("Linux", ServerKind::SchedDeadline, false),
    Servers("Linux, GRUB", ServerKind::SchedDeadline, true),
];

/// All configurations.
pub fn configurations() -> Vec<Configuration> {
    let row =
        |core, servers, throughput, response| Configuration { core, servers, throughput, response };
    let mut all = vec![
        row("vanilla", None, None, "100 to 150"),
        row("above", None, Some(48), "18 to 20.5"),
        row("below", None, Some(74), "0.6 within 800"),
    ];
    for (core, throughput, response) in
        [("reservations-4-4", 74, "32 to 46"), ("reservations-5-2", 65, "24 to 36")]
    {
        all.extend(SERVERS.map(|servers| row(core, Some(servers), Some(throughput), response)));
    }
    all
}

/// What is seen of a configuration.
#[derive(Clone, Debug)]
pub struct Point {
    /// Of the 20 ms task.
    pub responses: Responses,
    /// Payload delivered, in Mb/s; `None` where no card is simulated.
    pub throughput: Option<f64>,
}

/// Simulates a configuration.
pub fn point(configuration: &Configuration) -> Point {
    let system = with(configuration);
    let core = base::supply(&system, &format!("core.{}", configuration.core));
    let control = base::task(&system, &format!("task.{}-control", configuration.core));
    let watch = (Responses::of(Source::Task(control)), Packets::default());
    let (responses, packets) = base::watched_on(&system, core, "periodic:1", LENGTH, watch);
    let throughput = system.devices_on(core).next().map(|card| {
        let bits = packets.delivered * u64::from(system.device(card).payload) * 8;
        // Bits per microsecond are megabits per second.
        ratio(bits * 1000, LENGTH.as_ns())
    });
    Point { responses, throughput }
}

fn with(configuration: &Configuration) -> System {
    let mut system = base::system(SYSTEM);
    if let Some(Servers(_, kind, reclaims)) = configuration.servers {
        for server in system.supplies.iter_mut().filter_map(|supply| supply.server.as_mut()) {
            (server.kind, server.reclaims) = (kind, reclaims);
        }
    }
    system
}

fn run() -> Reproduced {
    const COLUMNS: &[&str] = &[
        "configuration",
        "servers",
        "published [Mb/s]",
        "ours [Mb/s]",
        "published [ms]",
        "shortest [ms]",
        "median [ms]",
        "longest [ms]",
        "in 800 ms [%]",
    ];
    let all = configurations();
    let points: Vec<Point> = all.par_iter().map(point).collect();
    let lines = all.iter().zip(&points).map(|(configuration, point)| line(configuration, point));
    Reproduced { table: Table::new(COLUMNS, lines.collect()), claims: claims(&points) }
}

/// Shortest and longest response, in ms.
fn span(point: &Point) -> (f64, f64) {
    let of = |time: Option<Duration>| ms(time.expect("hundreds of jobs"));
    (of(point.responses.shortest()), of(point.responses.longest()))
}

/// By the [`configurations`].
fn claims(points: &[Point]) -> Vec<Claim> {
    const FILE: &str = "irq_reservations.csv";
    const INPUTS: &[&str] = &[
        "the time per packet in the thread",
        "the time per packet in its reader",
        "the time to wake up",
        "the ring",
        "the socket's buffer",
    ];
    let (vanilla, above, below) = (&points[0], &points[1], &points[2]);
    let rate = |point: &Point| point.throughput.unwrap_or(0.0);
    let spread = |point: &Point| {
        let (shortest, longest) = span(point);
        format!("{shortest:.1} to {longest:.1} ms")
    };
    let early = 100.0 * below.responses.within(Duration::from_ms(800));
    let mut all = vec![
        Claim::says("With the vanilla kernel the task takes over 100 ms, up to about 150 ms.")
            .row(FILE, 2)
            .ours(spread(vanilla))
            .judged(
                "numbers: the longest is over 100 ms; in shape: longer than with the task above the thread",
                Agreement::of(span(vanilla).1 > 100.0, span(vanilla).1 > span(above).1),
            )
            .why("Its machine was overloaded by work that does not appear in the publication, such as soft interrupts; here the routine has all of the work, 9 us a packet."),
        Claim::says("With the task above the thread it takes 18 to 20.5 ms.")
            .row(FILE, 3)
            .ours(spread(above))
            .fitted(&["the task's execution time"]),
        Claim::says("And the stream has 48 Mb/s.")
            .row(FILE, 3)
            .ours(format!("{:.1} Mb/s", rate(above)))
            .fitted(INPUTS),
        Claim::says("With the thread above the task 60 % of its jobs are complete within 800 ms.")
            .row(FILE, 4)
            .ours(format!("{early:.0} %, {}", spread(below)))
            .judged(
                "numbers: 55 to 65 %; in shape: the task takes longer than above the thread",
                Agreement::of((55.0..=65.0).contains(&early), span(below).0 > span(above).1),
            )
            .why("As with the vanilla kernel: here thread and routine leave the task 61 % of the processor, which is enough for it."),
        Claim::says("And the stream has 74 Mb/s, which is the line.")
            .row(FILE, 4)
            .ours(format!("{:.1} Mb/s", rate(below)))
            .judged("within 3 Mb/s", Agreement::whether((rate(below) - 74.0).abs() <= 3.0))
            .why("The reader of the socket finds no time while the task runs; in the publication it did, or read for others."),
    ];
    all.extend(reservations(points));
    all
}

/// Of the configurations with reservations.
fn reservations(points: &[Point]) -> Vec<Claim> {
    const FILE: &str = "irq_reservations.csv";
    let rate = |point: &Point| point.throughput.unwrap_or(0.0);
    let mut all = Vec::new();
    for (line, first, published, (least, most), name) in [
        (5, 3, 74.0, (32.0, 46.0), "first (4, 4 and 1.5 ms of 10)"),
        (6, 7, 65.0, (24.0, 36.0), "second (5, 2 and 1 ms of 10)"),
    ] {
        let mine = &points[first..first + SERVERS.len()];
        let within = |point: &Point| {
            let (shortest, longest) = span(point);
            shortest >= least - 1.0 && longest <= most + 1.0
        };
        let kinds = |fits: &dyn Fn(&Point) -> bool| {
            let names = mine.iter().zip(SERVERS).filter(|(point, _)| fits(point));
            let names: Vec<&str> = names.map(|(_, kind)| kind.0).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let near = |point: &Point| (rate(point) - published).abs() <= 3.0;
        let rates: Vec<String> = mine.iter().map(|point| format!("{:.0}", rate(point))).collect();
        all.push(
            Claim::says(format!(
                "With the {name} reservations the task takes {least:.0} to {most:.0} ms."
            ))
            .row(FILE, line)
            .ours(format!("so with {}", kinds(&within)))
            .judged(
                "with some kind of server no job is shorter or longer than these by more than 1 ms",
                Agreement::whether(mine.iter().any(within)),
            ),
        );
        all.push(
            Claim::says(format!("And the stream has {published:.0} Mb/s."))
                .row(FILE, line)
                .ours(format!("{} Mb/s with {}; so with {}", rates.join(", "), SERVERS.map(|kind| kind.0).join(", "), kinds(&near)))
                .judged(
                    "within 3 Mb/s with some kind of server; in shape: less than the line in the same rows",
                    Agreement::of(
                        mine.iter().any(near),
                        published < 74.0 && mine.iter().all(|point| rate(point) < 74.0),
                    ),
                )
                .why(if line == 5 {
                    "A reader that hard servers serve late loses packets when its buffer is full."
                } else {
                    "By the fit above a packet takes 7 us in the thread, so 2 ms of 10 carry 44 Mb/s; what is more comes from time that others leave."
                }),
        );
    }
    all
}

fn line(configuration: &Configuration, point: &Point) -> Vec<String> {
    let Point { responses, throughput } = point;
    let text =
        |time: Option<Duration>| time.map_or("-".to_owned(), |time| format!("{:.1}", ms(time)));
    vec![
        configuration.core.to_owned(),
        configuration.servers.map_or("-", |servers| servers.0).to_owned(),
        configuration.throughput.map_or("-".to_owned(), |published| published.to_string()),
        throughput.map_or("-".to_owned(), |ours| format!("{ours:.1}")),
        configuration.response.to_owned(),
        text(responses.shortest()),
        text(responses.quantile(500)),
        text(responses.longest()),
        format!("{:.0}", 100.0 * responses.within(Duration::from_ms(800))),
    ]
}
