//! Three virtual machines under VTRR: loss and longest delay against the slice (Kaiser 2008).

use crate::base;
use crate::figure::{Figure, Table};
use crate::watch::{Losses, Waits, ratio};
use rayon::prelude::*;
use vorrang_model::System;
use vorrang_sim::Cause;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../../../published/systems/vtrr-slices.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "vtrr-slices",
    shows: "three virtual machines under VTRR: loss and longest delay against the length of a slice",
    publication: "R. Kaiser 2008, application example",
    system: "published/systems/vtrr-slices.toml",
    run: table,
    remarks: &[
        "Published: the longest delay of a virtual machine is proportional to the slice. Ours is, for every vector of shares, with the factor in the table.",
        "The shares were not published and matter: the loss at 1 ms lies between 5.4 and 7.7 %, because a machine with a large share follows itself and such slices begin warm.",
    ],
};

/// The vectors of shares that are tried.
pub const SHARES: [[u32; 3]; 4] = [[1, 1, 1], [2, 1, 1], [3, 2, 1], [6, 3, 1]];

/// The slices that are tried.
pub const SLICES: [Duration; 5] = [
    Duration::from_ms(10),
    Duration::from_ms(3),
    Duration::from_ms(1),
    Duration::from_us(300),
    Duration::from_us(100),
];

/// What is seen of one vector of shares with one slice.
#[derive(Clone, Debug)]
pub struct Point {
    /// Part of the time that is lost to cold caches.
    pub loss: f64,
    /// Part of the slices that begin with a switch.
    pub switches: f64,
    /// Longest delay of each machine.
    pub delays: Vec<Duration>,
}

/// Simulates ten thousand slices.
pub fn point(shares: [u32; 3], slice: Duration) -> Point {
    const TURNS: u64 = 10_000;
    let system = with(shares, slice);
    let length = slice * TURNS;
    let watch = (Losses::default(), Waits::default());
    let (losses, waits) = base::watched(&system, "synchronous", length, watch);
    Point {
        loss: ratio(losses.of(Cause::ColdCache).as_ns(), length.as_ns()),
        switches: ratio(losses.switches, TURNS),
        delays: waits.longest.into_values().collect(),
    }
}

fn with(shares: [u32; 3], slice: Duration) -> System {
    let mut system = base::system(SYSTEM);
    system.supplies[0].quantum = slice;
    let servers = system.supplies.iter_mut().filter_map(|supply| supply.server.as_mut());
    for (server, share) in servers.zip(shares) {
        server.share = share;
    }
    system
}

fn table() -> Table {
    const COLUMNS: &[&str] = &[
        "shares",
        "slice [ms]",
        "loss [%]",
        "slices that switch [%]",
        "longest delay [ms]",
        "in slices",
    ];
    let points: Vec<_> =
        SHARES.iter().flat_map(|shares| SLICES.map(|slice| (*shares, slice))).collect();
    let lines: Vec<_> = points.into_par_iter().map(|(shares, slice)| line(shares, slice)).collect();
    Table::new(COLUMNS, lines)
}

fn line(shares: [u32; 3], slice: Duration) -> Vec<String> {
    let point = point(shares, slice);
    let each = |text: &dyn Fn(&Duration) -> String| {
        point.delays.iter().map(text).collect::<Vec<_>>().join(" ")
    };
    vec![
        shares.map(|share| share.to_string()).join(":"),
        format!("{}", ratio(slice.as_ns(), 1_000_000)),
        format!("{:.2}", 100.0 * point.loss),
        format!("{:.1}", 100.0 * point.switches),
        each(&|delay| format!("{}", ratio(delay.as_ns(), 1_000_000))),
        each(&|delay| format!("{}", ratio(delay.as_ns(), slice.as_ns()))),
    ]
}
