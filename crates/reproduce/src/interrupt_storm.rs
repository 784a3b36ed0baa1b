//! Interrupt handling time, and the frame rate of a film under an interrupt storm, with and without
//! a reservation for the interrupt (Kim, Wang, Rajkumar 2015).

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
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
    run,
    remarks: &[
        "Budgets, costs and rates were not published; every number of the description is ours.",
        "Under a storm with vINT nothing is handled within 200 us: that is the enforcement. The pseudo-VCPU pays for one interrupt in 1 ms; the 25 that a storm raises meanwhile become one in the interrupt controller, and the first of these waits for the next budget, 995 us. Without vINT they are handled at once, and the film pays.",
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

fn run() -> Reproduced {
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
    let points: Vec<Point> = cases
        .par_iter()
        .map(|&(budget, with_vint, storm)| point(budget, with_vint, storm))
        .collect();
    let lines = cases.iter().zip(&points).map(|(case, point)| line(*case, point)).collect();
    Reproduced { table: Table::new(COLUMNS, lines), claims: claims(&points) }
}

/// The least and the greatest of some numbers.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, 0.0), |(least, most), one| (one.min(least), one.max(most)))
}

/// By rows of the table: four of each budget, as `run` has them.
fn claims(points: &[Point]) -> Vec<Claim> {
    const FILE: &str = "vint_case_study.csv";
    let of = |case: usize| points.iter().skip(case).step_by(4);
    let quick =
        |case| range(of(case).map(|point| 100.0 * point.handling.within(Duration::from_us(200))));
    let frames = |case| range(of(case).map(|point| point.frames));
    let ((plain, most_plain), (vint, most_vint)) = (quick(0), quick(1));
    let ((storm, most_storm), (shielded, most_shielded)) = (frames(2), frames(3));
    let normal = |rate: f64| (rate - 29.97).abs() <= 0.1;
    vec![
        Claim::says("With vINT 95 % of netperf's round trips take no more than 200 us.")
            .row(FILE, 2)
            .ours(format!("{vint:.0} to {most_vint:.0} % of the interrupts are handled in that time, with every budget"))
            .judged(
                "numbers: 90 to 100 % with every budget; in shape: with every budget more than without vINT",
                Agreement::of(vint >= 90.0, vint > most_plain),
            )
            .why("A round trip there also crosses a network and a second machine."),
        Claim::says("Without it 50 % do.")
            .row(FILE, 2)
            .ours(format!("{plain:.0} to {most_plain:.0} %, by budget"))
            .judged(
                "numbers: 45 to 55 % with some budget; in shape: with every budget fewer than with vINT",
                Agreement::of(plain <= 55.0 && most_plain >= 45.0, most_plain < vint),
            )
            .why("How many come while the virtual processor has no budget depends on the other one's share, which was not published; here it is half of the core."),
        Claim::says("Under a storm the film keeps its 29.97 frames a second with vINT.")
            .row(FILE, 3)
            .ours(format!("{shielded:.2} to {most_shielded:.2}, with every budget"))
            .judged("within 0.1 with every budget", Agreement::whether(normal(shielded) && normal(most_shielded))),
        Claim::says("Without it it falls to 6.")
            .row(FILE, 3)
            .ours(format!("{storm:.1} to {most_storm:.1}, by budget"))
            .fitted(&["the time between interrupts of the storm", "the time of an interrupt in the guest", "the time of a frame"]),
    ]
}

fn line((budget, with_vint, storm): (Duration, bool, bool), point: &Point) -> Vec<String> {
    let Point { frames, handling } = point;
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
