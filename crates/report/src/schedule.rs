//! The schedule of the worst history of a requirement.

use crate::recorder::Recorder;
use vorrang_figure::{Figure, Schedule, Span};
use vorrang_model::system::System;
use vorrang_sim::Pattern;
use vorrang_time::{Duration, Instant};
use vorrang_verdict::ruling::Ruling;

/// The figure, if a history was seen and can be run again.
pub(crate) fn figure(name: &str, system: &System, ruling: &Ruling) -> Option<Figure> {
    let seen = ruling.observed.as_ref()?;
    let (pattern, arrival, response) = match &ruling.witness {
        Some(witness) if witness.pattern != seen.pattern || witness.arrival != seen.arrival => {
            (&witness.pattern, witness.arrival, witness.deadline - witness.arrival)
        }
        _ => (&seen.pattern, seen.arrival, seen.response),
    };
    let history = Pattern::parse(pattern, system).ok()?.history(system, ruling.core).ok()?;
    let shown = if ruling.limit.as_ns() / 3 > response.as_ns() {
        response
    } else {
        response.max(ruling.limit)
    };
    let around = Duration::from_ns((shown.as_ns() / 8).max(1000));
    let from = arrival.saturating_since(Instant::ZERO).as_ns().saturating_sub(around.as_ns());
    let end = arrival + shown + around;
    let to = end.saturating_since(Instant::ZERO).as_ns();
    let mut recorder = Recorder::new(system, ruling.core, (from, to));
    let horizon = end + Duration::RESOLUTION;
    vorrang_sim::simulate(system, ruling.core, &history, horizon, &mut recorder).ok()?;
    let (rows, shown_from) = recorder.rows();
    let mut schedule =
        Schedule::new(name, format!("The worst history seen: {}", ruling.name), (shown_from, to));
    let late = ruling.witness.as_ref().map_or(String::new(), |witness| {
        let at = witness.deadline.saturating_since(Instant::ZERO);
        format!(" It is not complete at its deadline, {at}.")
    });
    let cut = if shown_from > from {
        " Too much happens to show all of it: what is drawn is the end."
    } else {
        ""
    };
    schedule = schedule.described(format!(
        "History {pattern} of {}: the job arrives at {} and takes {response}{}.{late}{cut}",
        system.supply(ruling.core).name,
        arrival.saturating_since(Instant::ZERO),
        if seen.finished { "" } else { " at least" }
    ));
    schedule.rows = rows;
    let arrived = arrival.saturating_since(Instant::ZERO).as_ns();
    let label = format!("the job of {}", ruling.name);
    let (begin, end) = (arrived.max(shown_from), arrived + response.as_ns());
    schedule.spans.push(Span { from: begin, to: end.max(begin), label });
    Some(schedule.into())
}
