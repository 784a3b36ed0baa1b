//! The response times of a history by chance, with the worst seen, the bound and the limit on one axis.

use crate::scale::Scale;
use vorrang_figure::{Axis, Chart, Figure, Look, Rule, Series, Shape};
use vorrang_model::system::{SupplyId, System};
use vorrang_sim::{Observer, Pattern, Simulator, Source, time_of};
use vorrang_time::{Duration, Instant};
use vorrang_verdict::distribution::{Distribution, Resolution};
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::unit::Unit;
use vorrang_verdict::watch::Responses;

/// Jobs of all cores together that are run for a report, about.
pub(crate) const JOBS: u64 = 400_000;
/// Bars of a figure.
const BARS: u64 = 60;
/// The longest history.
const LONGEST: Duration = Duration::from_ms(100_000);

/// What was seen on one core.
pub(crate) struct OnCore {
    core: SupplyId,
    responses: Responses,
    time: Duration,
}

/// One history by chance of each of these cores, as far as the simulator covers them; about so many jobs in all.
pub(crate) fn on_cores(system: &System, cores: &[SupplyId], seed: u64, jobs: u64) -> Vec<OnCore> {
    let jobs = jobs / (cores.len() as u64).max(1);
    let resolution = Resolution::shared(system.tasks.len() + system.interrupts.len(), LONGEST);
    let follow = |&core: &SupplyId| {
        let pattern = Pattern::parse(&format!("periodic:{seed}"), system).ok()?;
        let history = pattern.history(system, core).ok()?;
        let time = time_of(system, core, &history, jobs).min(LONGEST);
        let mut responses = Responses::of_core(system, core, &history, resolution);
        let mut simulator = Simulator::new(system, core).ok()?;
        run(&mut simulator, &history, time, &mut responses);
        Some(OnCore { core, responses, time })
    };
    cores.iter().filter_map(follow).collect()
}

fn run(
    simulator: &mut Simulator<'_>,
    history: &vorrang_sim::History,
    time: Duration,
    observer: &mut impl Observer,
) {
    simulator.run(history, Instant::ZERO + time, observer);
}

/// The figure of a requirement about `source`, if there is anything to draw.
pub(crate) fn figure(name: &str, ruling: &Ruling, source: Source, on: &[OnCore]) -> Option<Figure> {
    let on_core = on.iter().find(|of| of.core == ruling.core)?;
    let row = on_core.responses.rows.iter().find(|row| row.source == source)?;
    let longest = row.completed.longest()?;
    let worst = ruling.observed.as_ref().map(|seen| seen.response);
    let end =
        [Some(ruling.limit), ruling.bound, worst, Some(longest)].into_iter().flatten().max()?;
    let scale = Scale::for_up_to(end);
    let end = Duration::from_ns(end.as_ns() + end.as_ns() / 20);
    let mut chart = Chart::new(
        name,
        format!("Response times: {}", ruling.name),
        Axis::linear("response time", scale.unit).from(0.0).to(scale.of(end)),
        Axis::logarithmic("jobs", "").from(0.8),
    )
    .described(format!(
        "{} jobs of a history by chance of {}: shortest {}, mean {}, longest {}. Bound, limit and the worst of \
         all histories tried are on the same axis.",
        row.completed.count(),
        shown(Some(on_core.time)),
        shown(row.completed.shortest()),
        shown(row.completed.mean()),
        shown(Some(longest))
    ))
    .with(Series::new("jobs of a history by chance", Shape::Bins, bars(&row.completed, end, scale)));
    if let Some(worst) = worst {
        let label = format!("worst seen {worst}");
        chart = chart.rule(Rule::At(scale.of(worst), label, Look::Nth(4)));
    }
    if let Some(bound) = ruling.bound {
        chart = chart.rule(Rule::At(scale.of(bound), format!("bound {bound}"), Look::Nth(2)));
    }
    let limit = format!("limit {}", ruling.limit);
    Some(chart.rule(Rule::At(scale.of(ruling.limit), limit, Look::Nth(1))).into())
}

fn shown(of: Option<Duration>) -> String {
    of.map_or_else(|| "-".to_owned(), |of| Unit::of(of).text(of))
}

/// Counts in bars of the same width up to `end`.
fn bars(of: &Distribution, end: Duration, scale: Scale) -> Vec<(f64, f64)> {
    let width = (end.as_ns() / BARS).max(1);
    let mut counts = vec![0_u64; usize::try_from(BARS).unwrap_or(0) + 2];
    for bucket in of.buckets() {
        let place = usize::try_from(bucket.largest().as_ns() / width).unwrap_or(usize::MAX);
        if let Some(count) = counts.get_mut(place) {
            *count += bucket.count;
        }
    }
    let at = |place: usize| scale.of(Duration::from_ns(width * place as u64));
    // Runs of empty bars are one.
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (place, &count) in counts.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a height in a picture")]
        let height = count as f64;
        if count > 0 || points.last().is_some_and(|&(_, last)| last > 0.0) {
            points.push((at(place), height));
        }
    }
    points
}
