//! Supply against demand, with the point that decides.

use crate::scale::Scale;
use std::cmp::Ordering;
use vorrang_analysis::Curves;
use vorrang_figure::{Axis, Chart, Figure, Look, Rule, Series, Shape};
use vorrang_time::Duration;
use vorrang_verdict::ruling::Ruling;

/// A limit is drawn up to so many times the window that decides: beyond, the curves would be too small to read.
const FARTHEST: u64 = 3;

/// The figure of a requirement.
pub(crate) fn figure(name: &str, ruling: &Ruling, curves: &Curves) -> Figure {
    let (window, work) = curves.decides;
    let last = curves.demand.last().map_or(window, |(at, _)| *at);
    let scale = Scale::for_up_to(last);
    let points = |of: &[(Duration, Duration)]| {
        of.iter().map(|&(at, of)| (scale.of(at), scale.of(of))).collect::<Vec<_>>()
    };
    let response = scale.text(curves.bound);
    let shift = match window.cmp(&curves.bound) {
        Ordering::Equal => {
            "The response time that follows is the length of that window.".to_owned()
        }
        Ordering::Greater => format!(
            "The response time that follows is {response}: the job arrives later than the window begins."
        ),
        Ordering::Less => format!(
            "The response time that follows is {response}: the job arrives earlier than the window begins."
        ),
    };
    // From the beginning of the window, as the curves are.
    let until = ruling.limit + window;
    let limit = (until > curves.bound).then(|| until - curves.bound);
    let drawn = limit.filter(|limit| *limit <= window * FARTHEST);
    // From the arrival it is what was stated; from the beginning of the window it may be another.
    let beyond = match (limit, drawn) {
        (Some(_), None) => {
            format!(" The limit, {}, is farther to the right.", scale.text(ruling.limit))
        }
        (_, Some(drawn)) if drawn != ruling.limit => format!(
            " The limit, {} from the arrival, is at {} of the window.",
            scale.text(ruling.limit),
            scale.text(drawn)
        ),
        _ => String::new(),
    };
    let end = drawn.map_or(last, |limit| limit.max(last));
    let mut chart = Chart::new(
        name,
        format!("Supply against demand: {}", ruling.name),
        Axis::linear("window since its level became busy", scale.unit()).from(0.0).to(scale.of(end)),
        Axis::linear("processor time", scale.unit()).from(0.0),
    )
    .described(format!(
        "In a window of {} the supply has surely provided the {} that are demanded up to there, and in none before. \
         {shift}{beyond}",
        scale.text(window),
        scale.text(work)
    ))
    .with(Series::new("supply bound function", Shape::Line, points(&curves.supply)))
    .with(Series::new("demand", Shape::Steps, points(&curves.demand)).look(Look::Nth(1)))
    .spot((scale.of(window), scale.of(work)), format!("decides: {}", scale.text(window)));
    if let Some(limit) = drawn {
        chart = chart.rule(Rule::At(
            scale.of(limit),
            format!("limit {}", scale.text(ruling.limit)),
            Look::Nth(3),
        ));
    }
    chart.into()
}
