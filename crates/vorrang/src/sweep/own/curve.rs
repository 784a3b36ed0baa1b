//! The bounds as curves against what is varied first.

use super::point::{Point, columns};
use super::vary::Vary;
use vorrang_command::exit::Failure;
use vorrang_figure::{Axis, Chart, Figure, Series, Shape};
use vorrang_time::Duration;
use vorrang_verdict::unit::Unit;

/// A curve for each requirement with a column and each combination of the other values.
///
/// # Errors
/// What is varied first is neither a time nor a number.
pub(super) fn svg(varied: &[Vary], points: &[Point], of: &[String]) -> Result<String, Failure> {
    let first = &varied[0];
    let (axis, place) = along(first).ok_or_else(|| {
        let key = &first.key;
        Failure::bad_input(format!(
            "error: --svg needs numbers or times first, and {key} has words\n"
        ))
    })?;
    let names = columns(points, of);
    let bounds = || {
        points
            .iter()
            .flat_map(|point| names.iter().filter_map(|name| point.requirement(name)?.bound))
    };
    let unit = Unit::of(bounds().max().unwrap_or(Duration::RESOLUTION));
    let title = format!("Bounds against {}", first.key);
    let mut chart = Chart::new("bounds", title, axis, Axis::linear("bound", unit.name()).from(0.0));
    let mut others: Vec<&[String]> = Vec::new();
    for point in points {
        if !others.contains(&&point.values[1..]) {
            others.push(&point.values[1..]);
        }
    }
    for name in &names {
        for other in &others {
            let own = points.iter().filter(|point| point.values[1..] == **other);
            let at = |point: &Point| {
                let bound = point.requirement(name)?.bound?;
                Some((place(&point.values[0])?, number(bound, unit)))
            };
            let curve = own.filter_map(at).collect();
            let called = [std::slice::from_ref(name), *other].concat().join(", ");
            chart = chart.with(Series::new(called, Shape::LineWithPoints, curve));
        }
    }
    Ok(Figure::from(chart).svg())
}

/// Where a value stands along the axis.
type Place = Box<dyn Fn(&str) -> Option<f64>>;

fn along(vary: &Vary) -> Option<(Axis, Place)> {
    let times: Option<Vec<Duration>> = vary.values.iter().map(|value| value.parse().ok()).collect();
    if let Some(longest) = times.and_then(|times| times.into_iter().max()) {
        let unit = Unit::of(longest);
        let place = move |value: &str| Some(number(value.parse().ok()?, unit));
        return Some((Axis::linear(vary.key.as_str(), unit.name()), Box::new(place)));
    }
    let place = |value: &str| value.parse::<f64>().ok().filter(|number| number.is_finite());
    let is_number = vary.values.iter().all(|value| place(value).is_some());
    is_number.then(|| (Axis::linear(vary.key.as_str(), ""), Box::new(place) as Place))
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn number(time: Duration, unit: Unit) -> f64 {
    let second = Duration::from_ms(1_000);
    time.as_ns() as f64 / second.as_ns() as f64 * unit.whole(second) as f64
}
