//! Ways to schedule the thread of a network interrupt beside a real-time task, simulated and bounded (Abeni, Manica,
//! Palopoli 2009).

use crate::base;
use crate::exact::{Exact, mbps, ms};
use crate::watch::{Packets, Responses};
use vorrang_analysis::bounds;
use vorrang_model::System;
use vorrang_model::system::{ServerRule, Supply};
use vorrang_sim::Source;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../published/systems/irq-threads.toml");

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

/// A rule of servers by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Servers(pub &'static str, pub ServerRule);

/// All kinds that are tried.
pub const SERVERS: [Servers; 4] = [
    Servers("soft CBS", ServerRule::CbsSoft),
    Servers("hard CBS", ServerRule::CbsHard),
    Servers("Linux", ServerRule::SchedDeadline { deadline: None, reclaims: false }),
    Servers("Linux (GRUB)", ServerRule::SchedDeadline { deadline: None, reclaims: true }),
];

/// All configurations.
pub fn configurations() -> Vec<Configuration> {
    let row =
        |core, servers, throughput, response| Configuration { core, servers, throughput, response };
    let mut all = vec![
        row("vanilla", None, None, "100 to 150"),
        row("above", None, Some(48), "18 to 20.5"),
        row("below", None, Some(74), "0.6 in 800"),
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
    /// Payload delivered to the program, in Mb/s; `None` where no card is simulated.
    pub throughput: Option<Exact>,
    /// Payload taken from the card, in Mb/s.
    pub taken: Option<Exact>,
    /// What the analysis proves of the task, if anything.
    pub bound: Option<Duration>,
}

/// Simulates a configuration.
pub fn point(configuration: &Configuration) -> Point {
    let system = with(configuration);
    let core = base::supply(&system, &format!("core.{}", configuration.core));
    let control = base::task(&system, &format!("task.{}-control", configuration.core));
    let watch = (Responses::of(Source::Task(control)), Packets::default());
    let (responses, packets) = base::watched_on(&system, core, "periodic:1", LENGTH, watch);
    let card = system.devices_on(core).next();
    let rate = |count: u64| {
        card.map(|card| mbps(count * u64::from(system.device(card).payload) * 8, LENGTH))
    };
    Point {
        responses,
        throughput: rate(packets.delivered),
        taken: rate(packets.round_trips.len() as u64),
        bound: bounds(&system).task(control).bound(),
    }
}

fn with(configuration: &Configuration) -> System {
    let mut system = base::system(SYSTEM);
    if let Some(Servers(_, rule)) = configuration.servers {
        for server in system.supplies.iter_mut().filter_map(Supply::server_mut) {
            server.rule = rule;
        }
    }
    system
}

/// Shortest and longest response.
pub fn span_of(point: &Point) -> (Exact, Exact) {
    let of = |time: Option<Duration>| ms(time.expect("hundreds of jobs"));
    (of(point.responses.shortest()), of(point.responses.longest()))
}
