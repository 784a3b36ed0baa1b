//! Three virtual machines under VTRR: loss and longest delay against the slice (Kaiser 2008).

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
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
    run,
    remarks: &[
        "A call of the scheduler costs nothing in the description, for no cost of it was published: what is lost is what cold caches take, and short slices lose more than that on a machine.",
        "The shares were not published and matter: a machine with a large share follows itself, and such slices begin warm.",
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

fn run() -> Reproduced {
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
    let seen: Vec<_> = points
        .into_par_iter()
        .map(|(shares, slice)| (shares, slice, point(shares, slice)))
        .collect();
    let lines = seen.iter().map(|(shares, slice, point)| line(*shares, *slice, point));
    Reproduced { table: Table::new(COLUMNS, lines.collect()), claims: claims(&seen) }
}

fn claims(seen: &[([u32; 3], Duration, Point)]) -> Vec<Claim> {
    let of = |wanted: Duration| {
        let own = seen.iter().filter(move |(_, slice, _)| *slice == wanted);
        own.map(|(_, _, point)| 100.0 * point.loss)
    };
    let least = |slice| of(slice).fold(f64::INFINITY, f64::min);
    let most = |slice| of(slice).fold(0.0, f64::max);
    let [long, _, ms, _, short] = SLICES;
    // In slices, of the first of each vector of shares: the others must have the same.
    let factor = |(_, slice, point): &([u32; 3], Duration, Point)| -> Vec<u64> {
        point.delays.iter().map(|delay| delay.as_ns() / slice.as_ns()).collect()
    };
    let alike = seen
        .chunks(SLICES.len())
        .all(|vector| vector.iter().all(|one| factor(one) == factor(&vector[0]) && exact(one)));
    let factors = seen.iter().flat_map(factor);
    let (low, high) = (factors.clone().min().unwrap_or(0), factors.max().unwrap_or(0));
    vec![
        Claim::says("The longest delay of a virtual machine is proportional to the slice.")
            .row("switch_loss_claims.csv", 6)
            .ours(format!("{low} to {high} slices, by shares"))
            .judged(
                "for each vector of shares every machine waits for the same number of slices with all five lengths",
                Agreement::whether(alike),
            ),
        Claim::says("Losses can no longer be neglected when slices are shorter than about 1 ms.")
            .ours(format!(
                "{:.1} to {:.1} % at 10 ms, {:.1} to {:.1} % at 1 ms, {:.0} to {:.0} % at 100 us",
                least(long), most(long), least(ms), most(ms), least(short), most(short)
            ))
            .judged(
                "below 1 % at 10 ms and above 5 % at 1 ms, with every vector of shares",
                Agreement::whether(most(long) < 1.0 && least(ms) > 5.0),
            ),
    ]
}

/// Whether all delays are whole slices.
fn exact((_, slice, point): &([u32; 3], Duration, Point)) -> bool {
    point.delays.iter().all(|delay| delay.as_ns() % slice.as_ns() == 0)
}

fn line(shares: [u32; 3], slice: Duration, point: &Point) -> Vec<String> {
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
