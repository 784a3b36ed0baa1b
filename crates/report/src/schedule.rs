//! The schedule of the worst history of a requirement.

use crate::pattern::shortened;
use crate::recorder::Recorder;
use vorrang_figure::{Figure, Schedule};
use vorrang_model::system::{SupplyId, System};
use vorrang_sim::{History, Pattern};
use vorrang_time::{Duration, Instant};
use vorrang_verdict::ruling::Ruling;

/// Pixels of a schedule as wide as a page.
pub(crate) const WIDE: f64 = 920.0;
/// Pixels of one beside something else, as wide as a chart: its words are as large.
pub(crate) const BESIDE: f64 = 680.0;

/// The figure, if a history was seen and can be run again.
pub(crate) fn figure(name: &str, system: &System, ruling: &Ruling, width: f64) -> Option<Figure> {
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
    let window = around(arrival, shown, None)?;
    let title = format!("The worst history seen: {}", ruling.name);
    let end = arrival + response;
    let on = (system, ruling.core);
    let (mut schedule, cut) = around_end(name, &title, on, &history, (window, end))?;
    let late = ruling.witness.as_ref().map_or(String::new(), |witness| {
        let at = readable(witness.deadline.saturating_since(Instant::ZERO));
        format!(" It is not complete at its deadline, {at}.")
    });
    schedule = schedule.described(format!(
        "History {} of {}: the job arrives at {} and takes {}{}.{late}{cut}",
        shortened(pattern),
        system.supply(ruling.core).name,
        readable(arrival.saturating_since(Instant::ZERO)),
        readable(response),
        if seen.finished { "" } else { " at least" }
    ));
    let arrived = arrival.as_ns();
    schedule = schedule.point_out(arrived, arrived + response.as_ns(), &ruling.name);
    schedule.width = width;
    Some(schedule.into())
}

/// A time in the largest unit of which it is at least one, exactly, as in the tables of the workbench.
fn readable(time: Duration) -> String {
    const UNITS: [(u64, &str, usize); 4] =
        [(1_000_000_000, "s", 9), (1_000_000, "ms", 6), (1_000, "us", 3), (1, "ns", 0)];
    let ns = time.as_ns();
    let fitting = UNITS.into_iter().find(|&(unit, ..)| ns >= unit);
    let (unit, name, digits) = fitting.unwrap_or(UNITS[0]);
    let (whole, rest) = (ns / unit, ns % unit);
    if rest == 0 {
        return format!("{whole}{name}");
    }
    let fraction = format!("{rest:0digits$}");
    format!("{whole}.{}{name}", fraction.trim_end_matches('0'))
}

/// A job, to its end or its limit, with an eighth on each side.
pub(crate) fn around(
    arrival: Instant,
    response: Duration,
    limit: Option<Duration>,
) -> Option<(Instant, Instant)> {
    let shown = response.max(limit.unwrap_or_default());
    let margin = Duration::from_ns((shown.as_ns() / 8).max(1000));
    let from = Instant::from_ns(arrival.as_ns().saturating_sub(margin.as_ns()));
    Some((from, arrival.checked_add(shown)?.checked_add(margin)?))
}

/// A window of a history in which an instant is in sight, even where too much happens to show all of it.
pub(crate) fn around_end(
    name: &str,
    title: &str,
    on: (&System, SupplyId),
    history: &History,
    ((from, to), end): ((Instant, Instant), Instant),
) -> Option<(Schedule, &'static str)> {
    let found = of_window(name, title, on, history, (from, to))?;
    let begin = found.0.from;
    if begin <= end.as_ns() {
        return Some(found);
    }
    // As much as can be shown, with an eighth of it behind the end.
    let behind = Duration::from_ns((to.as_ns() - begin) / 8);
    of_window(name, title, on, history, (from, to.min(end + behind)))
}

/// A window of a history of a core, and what is to be said where it is not all of it.
pub(crate) fn of_window(
    name: &str,
    title: &str,
    (system, core): (&System, SupplyId),
    history: &History,
    (from, to): (Instant, Instant),
) -> Option<(Schedule, &'static str)> {
    let mut recorder = Recorder::new(system, core, (from.as_ns(), to.as_ns()));
    // There it is known whether a deadline at the end was met.
    let horizon = to + Duration::RESOLUTION;
    vorrang_sim::simulate(system, core, history, horizon, &mut recorder).ok()?;
    let (rows, begin) = recorder.rows();
    let mut schedule = Schedule::new(name, title, (begin, to.as_ns()));
    schedule.rows = rows;
    let cut = if begin > from.as_ns() {
        " Too much happens to show all of it: what is drawn is the end."
    } else {
        ""
    };
    Some((schedule, cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_largest_unit_that_fits() {
        for (ns, text) in [
            (0, "0s"),
            (999, "999ns"),
            (29_013_000, "29.013ms"),
            (83_000_001, "83.000001ms"),
            (12_500_000_000, "12.5s"),
        ] {
            assert_eq!(readable(Duration::from_ns(ns)), text);
        }
    }
}
