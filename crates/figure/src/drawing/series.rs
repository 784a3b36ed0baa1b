//! Points of a series: lines, steps, markers, bars.

use super::labels::{Area, Labels};
use super::place::Place;
use crate::chart::{Series, Shape};
use crate::look::Look;
use crate::svg::{Svg, px};
use std::fmt::Write as _;

/// Markers of a series that are drawn at most: more would cover each other.
const MARKERS: usize = 4000;

/// Draws one series.
pub(super) fn draw(svg: &mut Svg, series: &Series, look: Look, places: (&Place, &Place)) {
    match series.shape {
        Shape::Line => line(svg, series, look, places),
        Shape::Steps => steps(svg, series, look, places),
        Shape::Bins => bins(svg, series, look, places),
        Shape::Points => markers(svg, series, look, places),
        Shape::LineWithPoints => {
            line(svg, series, look, places);
            markers(svg, series, look, places);
        }
    }
}

/// Reserves the places where a series is drawn, so that labels avoid them.
pub(super) fn outline(labels: &mut Labels, series: &Series, (x, y): (&Place, &Place)) {
    /// From the middle of a marker to its edge.
    const REACH: f64 = 4.0;
    let is_marked = matches!(series.shape, Shape::Points | Shape::LineWithPoints);
    for at in placed(series, (x, y)).flatten().take(if is_marked { MARKERS } else { 0 }) {
        labels.area(Area::around(at, REACH));
    }
    match series.shape {
        Shape::Line | Shape::LineWithPoints => labels.lines(placed(series, (x, y))),
        Shape::Points => {}
        Shape::Steps => {
            let mut before = None;
            for &(across, up) in &series.points {
                let at = (x.of(across).unwrap_or(x.pixels.0), y.of(up).unwrap_or(y.pixels.0));
                let (from_x, from_y) = before.unwrap_or(at);
                labels.line((from_x, from_y), (at.0, from_y));
                labels.line((at.0, from_y), at);
                before = Some(at);
            }
        }
        Shape::Bins => {
            for (from, top, to) in blocks(series, (x, y)) {
                labels.area(Area { left: from, top, right: to, bottom: y.pixels.0 });
            }
        }
    }
}

fn placed<'a>(
    series: &'a Series,
    (x, y): (&'a Place, &'a Place),
) -> impl Iterator<Item = Option<(f64, f64)>> + 'a {
    series.points.iter().map(move |&(across, up)| Some((x.of(across)?, y.of(up)?)))
}

/// A point without a place is a gap.
fn line(svg: &mut Svg, series: &Series, look: Look, places: (&Place, &Place)) {
    let mut path = String::new();
    let mut pen_is_down = false;
    for at in placed(series, places) {
        if let Some((x, y)) = at {
            let _ = write!(path, "{}{},{}", if pen_is_down { 'L' } else { 'M' }, px(x), px(y));
        }
        pen_is_down = at.is_some();
    }
    if !path.is_empty() {
        svg.leaf("path", &format!("{} stroke-linejoin=\"round\" d=\"{path}\"", look.stroke()));
    }
}

/// What has no place is at the end of its axis: a staircase begins somewhere.
fn steps(svg: &mut Svg, series: &Series, look: Look, (x, y): (&Place, &Place)) {
    let mut path = String::new();
    let (mut last_x, mut last_y) = (String::new(), String::new());
    for &(across, up) in &series.points {
        let at_x = px(x.of(across).unwrap_or(x.pixels.0));
        let at_y = px(y.of(up).unwrap_or(y.pixels.0));
        if path.is_empty() {
            let _ = write!(path, "M{at_x},{at_y}");
        } else {
            if at_x != last_x {
                let _ = write!(path, "H{at_x}");
            }
            if at_y != last_y {
                let _ = write!(path, "V{at_y}");
            }
        }
        (last_x, last_y) = (at_x, at_y);
    }
    if !path.is_empty() {
        svg.leaf("path", &format!("{} d=\"{path}\"", look.stroke()));
    }
}

/// The blocks of bins: where each begins, how high it reaches, where it ends.
fn blocks<'a>(
    series: &'a Series,
    (x, y): (&'a Place, &'a Place),
) -> impl Iterator<Item = (f64, f64, f64)> + 'a {
    series.points.windows(2).filter_map(move |pair| {
        let [(from, height), (to, _)] = [pair[0], pair[1]];
        let top = y.of(height).filter(|_| height > 0.0)?;
        Some((x.of(from).unwrap_or(x.pixels.0), top, x.of(to).unwrap_or(x.pixels.0)))
    })
}

fn bins(svg: &mut Svg, series: &Series, look: Look, (x, y): (&Place, &Place)) {
    let mut path = String::new();
    let ground = y.pixels.0;
    for (from, top, to) in blocks(series, (x, y)) {
        let _ = write!(path, "M{},{}V{}H{}V{}z", px(from), px(ground), px(top), px(to), px(ground));
    }
    if !path.is_empty() {
        svg.leaf(
            "path",
            &format!("{} fill-opacity=\"0.45\" stroke=\"none\" d=\"{path}\"", look.fill()),
        );
        svg.leaf("path", &format!("{} d=\"{path}\"", look.hairline()));
    }
}

fn markers(svg: &mut Svg, series: &Series, look: Look, places: (&Place, &Place)) {
    svg.open("g", &look.fill());
    for (x, y) in placed(series, places).flatten().take(MARKERS) {
        svg.leaf("path", &marker(look, (x, y)));
    }
    svg.close("g");
}

/// A marker at a place.
fn marker(look: Look, (x, y): (f64, f64)) -> String {
    format!("transform=\"translate({} {})\" d=\"{}\"", px(x), px(y), look.marker())
}

/// What the legend shows of it, 24 pixels wide from here on.
pub(super) fn sample(svg: &mut Svg, shape: Shape, look: Look, (x, y): (f64, f64)) {
    match shape {
        Shape::Bins => {
            let path = format!("d=\"M{},{}v-9h22v9z\"", px(x), px(y + 4.0));
            svg.leaf(
                "path",
                &format!("{} fill-opacity=\"0.45\" stroke=\"none\" {path}", look.fill()),
            );
            svg.leaf("path", &format!("{} {path}", look.hairline()));
        }
        Shape::Points => {}
        Shape::Line | Shape::LineWithPoints | Shape::Steps => {
            svg.leaf("path", &format!("{} d=\"M{},{}h24\"", look.stroke(), px(x), px(y)));
        }
    }
    if matches!(shape, Shape::Points | Shape::LineWithPoints) {
        svg.leaf("path", &format!("{} {}", look.fill(), marker(look, (x + 12.0, y))));
    }
}
