//! Supply against demand, with the point that decides.

use crate::scale::Scale;
use vorrang_analysis::Curves;
use vorrang_figure::{Axis, Chart, Figure, Look, Rule, Series, Shape};
use vorrang_time::Duration;
use vorrang_verdict::ruling::Ruling;

/// The figure of a requirement.
pub(crate) fn figure(name: &str, ruling: &Ruling, curves: &Curves) -> Figure {
    let (window, work) = curves.decides;
    let last = curves.demand.last().map_or(window, |(at, _)| *at);
    let scale = Scale::for_up_to(last);
    let points = |of: &[(Duration, Duration)]| {
        of.iter().map(|&(at, of)| (scale.of(at), scale.of(of))).collect::<Vec<_>>()
    };
    let shift = if window == curves.bound {
        "The response time that follows is the length of that window.".to_owned()
    } else {
        format!(
            "The response time that follows is {}: the job arrives later than the window begins.",
            scale.text(curves.bound)
        )
    };
    let mut chart = Chart::new(
        name,
        format!("Supply against demand: {}", ruling.name),
        Axis::linear("window since its level became busy", scale.unit()).from(0.0).to(scale.of(last)),
        Axis::linear("processor time", scale.unit()).from(0.0),
    )
    .described(format!(
        "In a window of {} the supply has surely provided the {} that are demanded up to there, and in none before. \
         {shift}",
        scale.text(window),
        scale.text(work)
    ))
    .with(Series::new("supply bound function", Shape::Line, points(&curves.supply)))
    .with(Series::new("demand", Shape::Steps, points(&curves.demand)).look(Look::Nth(1)))
    .spot((scale.of(window), scale.of(work)), format!("decides: {}", scale.text(window)));
    if window == curves.bound && ruling.limit <= last {
        chart = chart.rule(Rule::At(
            scale.of(ruling.limit),
            format!("limit {}", scale.text(ruling.limit)),
            Look::Nth(3),
        ));
    }
    chart.into()
}
