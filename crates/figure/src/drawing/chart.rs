//! A chart, drawn.
//!
//! ```text
//!   title
//!   legend, in as many lines as it takes
//!     ^ .------------------.
//!   y | |  plot            |
//!     | '------------------'
//!        0     5     10
//!             x [ms]
//! ```

use super::drawn::Drawn;
use super::place::Place;
use super::{axes, frame, legend, marked, series};
use crate::chart::{Chart, Rule, Shape};
use crate::look::{Ink, Look};
use crate::svg::{Anchor, width_of};

const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 48.0;

/// A line of the legend: how it is drawn, how it looks, its name.
type Entry<'c> = (Shape, Look, &'c str);

/// Draws a chart.
pub(crate) fn chart(name: &str, of: &Chart) -> Drawn {
    let (width, _) = of.size;
    let top = |entries: &[Entry<'_>]| {
        let names = entries.iter().map(|(.., name)| *name);
        let (places, tall) = legend::places(names, width - 24.0);
        (places, frame::TITLE + tall + 10.0)
    };
    let named = of.series.iter().enumerate().filter(|(_, one)| !one.name.is_empty());
    let named = named.map(|(place, one)| (one.shape, of.look(place), one.name.as_str()));
    let mut entries: Vec<Entry<'_>> = named.collect();
    let (x, y) = scales(of, top(&entries).1);
    let in_legend = marked::crowded(of, (&x, &y));
    entries.extend(in_legend.iter().map(|&nth| {
        let (Rule::At(_, name, look) | Rule::Level(_, name, look)) = &of.rules[nth];
        (Shape::Line, *look, name.as_str())
    }));
    let (places, top) = top(&entries);
    let (x, y) = scales(of, top);
    let mut svg = frame::begin(&of.title, of.size);
    for ((shape, look, name), (across, down)) in entries.into_iter().zip(places) {
        let (left, middle) = (12.0 + across, frame::TITLE + down + 8.0);
        series::sample(&mut svg, shape, look, (left, middle));
        let at = (left + legend::SAMPLE - 3.0, middle + 4.0);
        svg.label_as(at, Anchor::Start, &Ink::Text.fill(), name);
    }
    axes::draw(&mut svg, (&x, &y), (&of.x, &of.y), width);
    // Lines at the edge are seen whole.
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    let plot = (left - 2.0, top - 2.0, right - left + 4.0, bottom - top + 4.0);
    frame::clip(&mut svg, name, plot);
    svg.open("g", &format!("clip-path=\"url(#{name}-plot)\""));
    for (place, points) in of.series.iter().enumerate() {
        series::draw(&mut svg, points, of.look(place), (&x, &y));
    }
    svg.close("g");
    marked::draw(&mut svg, of, (&x, &y), &in_legend);
    Drawn { class: "vf-chart", data: String::new(), body: svg.into_text(), size: of.size }
}

/// Both axes on their pixels; the plot begins at `top`.
fn scales(of: &Chart, top: f64) -> (Place, Place) {
    let (width, height) = of.size;
    let points = || of.series.iter().flat_map(|series| series.points.iter().copied());
    let spots = || of.spots.iter().map(|spot| spot.at);
    let upright = of.rules.iter().filter_map(|rule| match rule {
        Rule::At(at, ..) => Some(*at),
        Rule::Level(..) => None,
    });
    let level = of.rules.iter().filter_map(|rule| match rule {
        Rule::Level(at, ..) => Some(*at),
        Rule::At(..) => None,
    });
    let ground = of.series.iter().any(|series| series.shape == Shape::Bins).then_some(0.0);
    let up = points().chain(spots()).map(|(_, y)| y).chain(level).chain(ground);
    let y = Place::over(&of.y, up, (height - BOTTOM, top));
    let wide = y.ticks().iter().map(|(_, label)| width_of(label, 12.0)).fold(0.0, f64::max);
    let across = points().chain(spots()).map(|(x, _)| x).chain(upright);
    let x = Place::over(&of.x, across, ((wide + 34.0).min(width / 2.0), width - RIGHT));
    (x, y)
}
