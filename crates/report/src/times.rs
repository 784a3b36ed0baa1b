//! Times that were counted, with their bounds and limits on the same axis.

use crate::scale::Scale;
use vorrang_figure::{Axis, Chart, Figure, Look, Rule, Series, Shape};
use vorrang_time::Duration;
use vorrang_verdict::distribution::Distribution;

/// Bars of a figure.
const BARS: u64 = 60;

/// Times of one kind.
pub struct Counted {
    /// What they are.
    pub name: String,
    /// Each with how often it was seen.
    pub times: Vec<(Duration, u64)>,
}

impl Counted {
    /// Those of a distribution.
    pub fn of(name: &str, of: &Distribution) -> Self {
        let times = of.buckets().map(|bucket| (bucket.largest(), bucket.count)).collect();
        Self { name: name.to_owned(), times }
    }
}

/// A time that is marked on the axis: a bound, a limit.
pub struct Marked {
    /// What it is; its time is put behind it.
    pub name: &'static str,
    /// The time.
    pub time: Duration,
    /// How it looks.
    pub look: Look,
}

impl Marked {
    /// A bound.
    pub const fn bound(time: Duration) -> Self {
        Self { name: "bound", time, look: Look::Nth(2) }
    }

    /// A limit.
    pub const fn limit(time: Duration) -> Self {
        Self { name: "limit", time, look: Look::Nth(1) }
    }

    /// The worst that was seen.
    pub const fn worst(name: &'static str, time: Duration) -> Self {
        Self { name, time, look: Look::Nth(4) }
    }
}

/// Of one kind how many, of several which share of each; `things` are what has those times.
pub fn figure(
    name: &str,
    (title, description): (&str, &str),
    (axis, things): (&'static str, &'static str),
    counted: &[Counted],
    marked: &[Marked],
) -> Option<Figure> {
    let longest = counted.iter().flat_map(|of| of.times.iter().map(|(time, _)| *time)).max()?;
    let end = marked.iter().map(|of| of.time).max().unwrap_or_default().max(longest);
    let scale = Scale::for_up_to(end);
    let end = Duration::from_ns((end.as_ns() + end.as_ns() / 20).max(1));
    let y = if counted.len() > 1 {
        Axis::logarithmic("share of each", "%")
    } else {
        Axis::logarithmic(things, "").from(0.8)
    };
    let x = Axis::linear(axis, scale.unit()).from(0.0).to(scale.of(end));
    let mut chart = Chart::new(name, title, x, y).described(description);
    for (nth, of) in counted.iter().enumerate() {
        let all: u64 = of.times.iter().map(|(_, count)| count).sum();
        let each = if counted.len() > 1 { 100.0 / real(all.max(1)) } else { 1.0 };
        let shape = if nth == 0 { Shape::Bins } else { Shape::LineWithPoints };
        let points = if nth == 0 { bars(&of.times, end) } else { middles(&of.times, end) };
        let points = points.into_iter().map(|(at, count)| (scale.of(at), real(count) * each));
        chart = chart.with(Series::new(of.name.as_str(), shape, points.collect()));
    }
    for of in marked {
        let label = format!("{} {}", of.name, scale.text(of.time));
        chart = chart.rule(Rule::At(scale.of(of.time), label, of.look));
    }
    Some(chart.into())
}

#[expect(clippy::cast_precision_loss, reason = "a height in a picture")]
fn real(count: u64) -> f64 {
    count as f64
}

/// How wide a bar is, and how many are in each.
fn counts(times: &[(Duration, u64)], end: Duration) -> (u64, Vec<u64>) {
    let width = (end.as_ns() / BARS).max(1);
    let mut counts = vec![0_u64; usize::try_from(BARS).unwrap_or(0) + 2];
    for (time, count) in times {
        let place = usize::try_from(time.as_ns() / width).unwrap_or(usize::MAX);
        if let Some(own) = counts.get_mut(place) {
            *own += count;
        }
    }
    (width, counts)
}

/// Counts in bars of the same width; runs of empty ones are one.
fn bars(times: &[(Duration, u64)], end: Duration) -> Vec<(Duration, u64)> {
    let (width, counts) = counts(times, end);
    let mut points: Vec<(Duration, u64)> = Vec::new();
    for (place, &count) in counts.iter().enumerate() {
        if count > 0 || points.last().is_some_and(|&(_, last)| last > 0) {
            points.push((Duration::from_ns(width * place as u64), count));
        }
    }
    points
}

/// The middles of the bars that are not empty.
fn middles(times: &[(Duration, u64)], end: Duration) -> Vec<(Duration, u64)> {
    let (width, counts) = counts(times, end);
    let middle = |place: usize| Duration::from_ns(width * place as u64 + width / 2);
    let all = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    all.map(|(place, &count)| (middle(place), count)).collect()
}
