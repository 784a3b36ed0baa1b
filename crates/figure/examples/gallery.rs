//! A page with one figure of each kind, to look at:
//! `cargo run -p vorrang-figure --example gallery > gallery.html`

use vorrang_figure::{
    Axis, Bar, Bars, Chart, Figure, Level, Look, Mark, Part, Row, Rule, Schedule, Series, Shape,
    Sign, Slice, Span, Use, css,
};

fn chart() -> Figure {
    let supply =
        (0..40).map(|k| (f64::from(k) / 2.0, f64::from((k / 4) * 2 + (k % 4).min(2)) / 4.0));
    let demand = [(0.0, 0.5), (5.0, 1.5), (8.0, 2.5), (15.0, 3.5), (20.0, 4.0)];
    Chart::new(
        "supply",
        "Supply against demand",
        Axis::linear("window", "ms"),
        Axis::linear("time", "ms"),
    )
    .described("The demand meets the supply after 8 ms.")
    .with(Series::new("supply bound function", Shape::Line, supply.collect()))
    .with(Series::new("demand", Shape::Steps, demand.to_vec()))
    .with(Series::new("published", Shape::LineWithPoints, demand.to_vec()).look(Look::Published))
    .rule(Rule::At(18.0, "limit 18 ms".to_owned(), Look::Nth(1)))
    .spot((8.0, 2.5), "decides: 8 ms")
    .into()
}

fn distribution() -> Figure {
    let bins = (0..30).map(|k| (f64::from(k) * 0.1 + 0.2, f64::from(30 - k).powi(3)));
    Chart::new(
        "responses",
        "Response times",
        Axis::logarithmic("response", "ms"),
        Axis::logarithmic("jobs", ""),
    )
    .with(Series::new("simulated", Shape::Bins, bins.collect()))
    .rule(Rule::At(4.0, "bound 4 ms".to_owned(), Look::Nth(2)))
    .rule(Rule::At(5.0, "limit 5 ms".to_owned(), Look::Nth(1)))
    .into()
}

fn slice(from: u64, to: u64, of: Use) -> Slice {
    Slice { from, to, of, tip: of.word().to_owned() }
}

fn mark(at: u64, sign: Sign) -> Mark {
    Mark { at, sign, tip: sign.word().to_owned() }
}

fn schedule() -> Figure {
    let server = Row {
        name: "vcpu.control".to_owned(),
        slices: vec![
            slice(0, 2_000_000, Use::Supplies),
            slice(2_300_000, 2_600_000, Use::Idles),
            slice(5_000_000, 7_000_000, Use::Supplies),
        ],
        marks: vec![mark(5_000_000, Sign::Replenishment)],
        ..Row::default()
    };
    let corners = vec![
        (0, 20),
        (2_000_000, 0),
        (5_000_000, 0),
        (5_000_000, 20),
        (7_000_000, 0),
        (10_000_000, 0),
    ];
    let budget = Level { name: "budget".to_owned(), most: 20, points: corners };
    let budget = Row { name: "budget".to_owned(), depth: 1, level: Some(budget), ..Row::default() };
    let task = Row {
        name: "task.injection".to_owned(),
        depth: 1,
        slices: vec![
            slice(0, 2_000_000, Use::Runs),
            slice(2_000_000, 5_000_000, Use::Waits),
            slice(5_000_000, 6_500_000, Use::Runs),
        ],
        marks: vec![
            mark(0, Sign::Arrival),
            mark(6_000_000, Sign::Miss),
            mark(6_500_000, Sign::Completion),
            mark(8_000_000, Sign::Deadline),
        ],
        level: None,
    };
    let interrupt = Row {
        name: "interrupt.can0".to_owned(),
        slices: vec![
            slice(2_000_000, 2_300_000, Use::Serves),
            slice(7_000_000, 7_200_000, Use::Overhead),
        ],
        marks: vec![mark(1_900_000, Sign::Request)],
        ..Row::default()
    };
    let mut schedule = Schedule::new("schedule", "The schedule that breaks it", (0, 10_000_000));
    schedule.rows = vec![interrupt, server, budget, task];
    schedule.spans.push(Span { from: 0, to: 6_500_000, label: "response of 6.5 ms".to_owned() });
    schedule.into()
}

fn bars() -> Figure {
    let mut bars = Bars::new("use", "What is used of each core", Axis::linear("share", "%"));
    bars.parts = ["used", "reserved and not used", "overhead"].map(str::to_owned).to_vec();
    for (core, parts) in [("core.0", [40.0, 20.0, 3.0]), ("core.1", [70.0, 10.0, 12.0])] {
        let parts = parts.into_iter().enumerate().map(|(of, value)| Part { of, value }).collect();
        bars.bars.push(Bar { name: core.to_owned(), parts });
    }
    bars.rule = Some((100.0, "whole".to_owned()));
    bars.into()
}

fn main() {
    println!("<!doctype html><meta charset=\"utf-8\"><title>Figures</title><style>{}", css());
    println!("body{{background:var(--vf-ground);color:var(--vf-ink)}}</style>");
    for figure in [chart(), distribution(), schedule(), bars()] {
        println!("{}", figure.html());
    }
}
