//! Ways to schedule the thread of a network interrupt beside a real-time task (Abeni, Manica,
//! Palopoli 2009): throughput, and response time of the task.

use crate::base;
use crate::figure::{Figure, Table};
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
    run: table,
    remarks: &[
        "The publication does not say whether its servers are soft, hard or of Linux, or whether they reclaim. Its first reservation agrees best with soft servers: a reader of the socket that is served late loses packets when the buffer is full. The responses of its second one agree best with servers that reclaim (GRUB); its throughput is above all of ours.",
        "Hard servers and those of Linux without reclaiming do the same here: the thread and the reader of the socket sleep and wake within their bandwidth, and their wake-up rules differ only at equality.",
        "The vanilla kernel and the thread above the task are worse in the publication (over 100 ms; 60 % of the jobs within 800 ms), and 74 Mb/s reached a reader that here finds no time while the task runs: its machine was overloaded by work that does not appear in the publication, such as soft interrupts.",
        "48 Mb/s with the task above the thread is the wire for the 30 ms that the task leaves of every 50, and what the buffers hold.",
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

fn table() -> Table {
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
    let lines: Vec<_> = configurations().par_iter().map(line).collect();
    Table::new(COLUMNS, lines)
}

fn line(configuration: &Configuration) -> Vec<String> {
    let Point { responses, throughput } = point(configuration);
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
