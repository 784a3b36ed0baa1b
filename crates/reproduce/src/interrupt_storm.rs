//! Interrupt handling time, and the frame rate of a film under an interrupt storm, with and without
//! a reservation for the interrupt (Kim, Wang, Rajkumar 2015).

use crate::base;
use crate::figure::{Figure, Table};
use crate::watch::{Responses, ratio, us};
use rayon::prelude::*;
use vorrang_model::System;
use vorrang_model::system::InterruptId;
use vorrang_sim::Source;
use vorrang_time::Duration;

const SYSTEM: &str = include_str!("../../../published/systems/interrupt-storm.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "interrupt-storm",
    shows: "interrupt handling time and frame rate, with and without a storm and vINT",
    publication: "H. Kim, S. Wang, R. Rajkumar 2015",
    system: "published/systems/interrupt-storm.toml",
    run: table,
    remarks: &[
        "Published: with vINT 95 % of the round trips of netperf within 200 us, without 50 %; under a storm 29.97 frames a second with vINT, down to 6 without. Ours: the same shape; budgets, costs and rates were not published.",
        "Where the published round trips reach 95 % ours reach all of them: a round trip there also crosses a network and a second machine.",
    ],
};

/// What is seen with one total budget of the virtual processor.
#[derive(Clone, Debug)]
pub struct Point {
    /// Frames that were complete, per second.
    pub frames: f64,
    /// From the interrupt to the end of its task in the guest.
    pub handling: Responses,
}

/// Budgets of the virtual processor that are tried, of a period of 10 ms.
pub const BUDGETS: [Duration; 5] = [
    Duration::from_us(3600),
    Duration::from_us(4000),
    Duration::from_ms(5),
    Duration::from_ms(6),
    Duration::from_ms(7),
];

/// Twenty seconds.
pub fn point(total: Duration, with_vint: bool, storm: bool) -> Point {
    let length = Duration::from_ms(20_000);
    let system = with(total, with_vint);
    let pattern = if storm { "storm:interrupt.eth0" } else { "periodic:1" };
    let player = Source::Task(base::task(&system, "task.player"));
    let interrupt = Source::Interrupt(InterruptId(0));
    let watch = (Responses::of(player), Responses::of(interrupt));
    let (frames, handling) = base::watched(&system, pattern, length, watch);
    let seconds = length.as_ns() / 1_000_000_000;
    Point { frames: ratio(frames.all.len() as u64, seconds), handling }
}

/// With vINT the reservation of the interrupt is part of the total.
fn with(total: Duration, with_vint: bool) -> System {
    let mut system = base::system(SYSTEM);
    let media = base::supply(&system, "vcpu.media");
    let delivery = system.interrupts[0].delivery.as_mut().expect("it is delivered");
    let server = system.supplies[media.0].server.as_mut().expect("it is one");
    let pseudo = delivery.pseudo_vcpu.as_ref().expect("the description has one");
    let share = pseudo.budget * server.period.div_floor(pseudo.period);
    server.budget = if with_vint { total - share } else { total };
    if !with_vint {
        delivery.pseudo_vcpu = None;
    }
    system
}

fn table() -> Table {
    const COLUMNS: &[&str] = &[
        "total budget [%]",
        "vINT",
        "storm",
        "frames [1/s]",
        "handled within 200 us [%]",
        "median [us]",
        "longest [us]",
        "published",
    ];
    let mut cases = Vec::new();
    for budget in BUDGETS {
        for (with_vint, storm) in [(false, false), (true, false), (false, true), (true, true)] {
            cases.push((budget, with_vint, storm));
        }
    }
    let lines: Vec<_> = cases.into_par_iter().map(line).collect();
    Table::new(COLUMNS, lines)
}

fn line((budget, with_vint, storm): (Duration, bool, bool)) -> Vec<String> {
    let Point { frames, handling } = point(budget, with_vint, storm);
    let word = |yes| if yes { "yes" } else { "no" }.to_owned();
    let time =
        |time: Option<Duration>| time.map_or("-".to_owned(), |time| format!("{:.0}", us(time)));
    let published = match (with_vint, storm) {
        (false, false) => "50 % within 200 us",
        (true, false) => "95 % within 200 us",
        (false, true) => "down to 6 frames/s",
        (true, true) => "29.97 frames/s",
    };
    vec![
        format!("{:.0}", 100.0 * ratio(budget.as_ns(), 10_000_000)),
        word(with_vint),
        word(storm),
        format!("{frames:.2}"),
        format!("{:.1}", 100.0 * handling.within(Duration::from_us(200))),
        time(handling.quantile(500)),
        time(handling.longest()),
        published.to_owned(),
    ]
}
