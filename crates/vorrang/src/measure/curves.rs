//! What a measurement shows beyond what its profile keeps: curves of caches, and histograms of latencies.

use super::chart::columns;
use vorrang_figure::{Axis, Chart, Figure, Series, Shape};
use vorrang_measure::cache::{Measured, State, plan};
#[cfg(target_os = "linux")]
use vorrang_measure::latency;
#[cfg(target_os = "linux")]
use vorrang_report::times::{self, Counted};
#[cfg(target_os = "linux")]
use vorrang_time::Duration;

/// Columns of a curve, over two of the times to the full rate.
const COLUMNS: u32 = 60;
/// Sets that are drawn.
const SETS: [usize; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];

/// The useful part of the time after a switch, for each state of the caches, by the first way of access.
pub(super) fn of_caches(measured: &Measured) -> Vec<Figure> {
    let kind = measured.outcomes.first().map(|of| of.point.kind);
    let states = State::existing().into_iter().filter(|state| *state != State::Warm);
    let figure = |state: State| {
        let mut chart = Chart::new(
            format!("curves-{}", state.word()),
            format!("Useful part of the time after a switch, caches {}", state.word()),
            Axis::linear("time after the switch, in times to the full rate", "").from(0.0).to(2.0),
            Axis::linear("useful part", "").from(0.0).to(1.0),
        )
        .described("What was measured, by the size of the working set; each in units of its own flood fit.");
        let own = measured.outcomes.iter().filter(|of| of.point.state == state);
        let own =
            own.filter(|of| Some(of.point.kind) == kind && SETS.contains(&of.point.set_bytes));
        for of in own {
            let Some(fractions) = columns(of, COLUMNS) else { continue };
            let at = |column: u32| (f64::from(column) + 0.5) * 2.0 / f64::from(COLUMNS);
            let points = (0..COLUMNS).zip(fractions).map(|(column, part)| (at(column), part));
            let name = plan::size(of.point.set_bytes);
            chart = chart.with(Series::new(name, Shape::Line, points.collect()));
        }
        (!chart.series.is_empty()).then(|| chart.into())
    };
    states.filter_map(figure).collect()
}

/// Latencies of one kind, counted by microseconds.
#[cfg(target_os = "linux")]
pub(super) fn of_latencies<'t>(
    tallies: impl Iterator<Item = (String, &'t latency::tally::Tally)>,
) -> Vec<Figure> {
    let counted: Vec<Counted> = tallies
        .map(|(name, tally)| {
            let limit = usize::try_from(tally.most_ns() / 1_000 + 1).unwrap_or(usize::MAX);
            let counts = tally.microseconds(limit.min(MOST_US)).into_iter();
            let times = (0..).zip(counts).filter(|(_, count)| *count > 0);
            Counted {
                name,
                times: times.map(|(us, count)| (Duration::from_us(us), count)).collect(),
            }
        })
        .collect();
    let description = "How many latencies had each number of microseconds, rounded down.";
    let title = "Latencies";
    times::figure("latencies", (title, description), ("latency", "latencies"), &counted, &[])
        .into_iter()
        .collect()
}

/// Longer latencies are in the table only.
#[cfg(target_os = "linux")]
const MOST_US: usize = 100_000;
