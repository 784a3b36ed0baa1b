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
use super::{axes, frame, legend, series};
use crate::chart::{Chart, Rule, Shape, Spot};
use crate::look::{Ink, Look};
use crate::svg::{Anchor, Svg, px, width_of};

const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 48.0;
/// Text in a plot has a rim of the ground, so that lines do not cross it.
const RIM: &str = "paint-order=\"stroke\" stroke-width=\"3\" stroke-linejoin=\"round\"";

/// Draws a chart.
pub(crate) fn chart(name: &str, of: &Chart) -> Drawn {
    let (width, _) = of.size;
    let entries = (0..of.series.len()).filter(|&place| !of.series[place].name.is_empty());
    let entries: Vec<usize> = entries.collect();
    let names = entries.iter().map(|&place| of.series[place].name.as_str());
    let (places, tall) = legend::places(names, width - 24.0);
    let (x, y) = scales(of, frame::TITLE + tall + 10.0);
    let mut svg = frame::begin(&of.title, of.size);
    for (&place, (across, down)) in entries.iter().zip(places) {
        let (left, middle) = (12.0 + across, frame::TITLE + down + 8.0);
        series::sample(&mut svg, of.series[place].shape, of.look(place), (left, middle));
        let at = (left + legend::SAMPLE - 3.0, middle + 4.0);
        svg.label_as(at, Anchor::Start, &Ink::Text.fill(), &of.series[place].name);
    }
    axes::draw(&mut svg, (&x, &y), (&of.x, &of.y));
    // Lines at the edge are seen whole.
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    let plot = (left - 2.0, top - 2.0, right - left + 4.0, bottom - top + 4.0);
    frame::clip(&mut svg, name, plot);
    svg.open("g", &format!("clip-path=\"url(#{name}-plot)\""));
    for (place, points) in of.series.iter().enumerate() {
        series::draw(&mut svg, points, of.look(place), (&x, &y));
    }
    svg.close("g");
    rules(&mut svg, &of.rules, (&x, &y));
    for spot in &of.spots {
        draw_spot(&mut svg, spot, (&x, &y));
    }
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

/// Reference lines; names of upright ones one below the other, so that near ones can be read.
fn rules(svg: &mut Svg, rules: &[Rule], (x, y): (&Place, &Place)) {
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    let mut down = top + 12.0;
    for rule in rules {
        match rule {
            Rule::At(value, label, look) => {
                let Some(at) = x.of(*value).filter(|_| x.is_inside(*value)) else { continue };
                svg.leaf(
                    "path",
                    &format!("{} d=\"M{},{}V{}\"", look.stroke(), px(at), px(bottom), px(top)),
                );
                let (at, anchor) = if at > f64::midpoint(left, right) {
                    (at - 5.0, Anchor::End)
                } else {
                    (at + 5.0, Anchor::Start)
                };
                words(svg, (at, down), anchor, *look, label);
                down += 15.0;
            }
            Rule::Level(value, label, look) => {
                let Some(at) = y.of(*value).filter(|_| y.is_inside(*value)) else { continue };
                svg.leaf(
                    "path",
                    &format!("{} d=\"M{},{}H{}\"", look.stroke(), px(left), px(at), px(right)),
                );
                let below = if at < top + 16.0 { 14.0 } else { -5.0 };
                words(svg, (right - 4.0, at + below), Anchor::End, *look, label);
            }
        }
    }
}

fn words(svg: &mut Svg, at: (f64, f64), anchor: Anchor, look: Look, words: &str) {
    let fill = look.fill().replacen("class=\"", "class=\"vf-sground ", 1);
    svg.label_as(at, anchor, &format!("{fill} stroke=\"#ffffff\" {RIM}"), words);
}

fn draw_spot(svg: &mut Svg, spot: &Spot, (x, y): (&Place, &Place)) {
    let (Some(across), Some(up)) = (x.of(spot.at.0), y.of(spot.at.1)) else { return };
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    let lines = format!("M{},{}H{}V{}", px(left), px(up), px(across), px(bottom));
    svg.leaf("path", &format!("{} stroke-dasharray=\"3 3\" d=\"{lines}\"", Ink::Grey.stroke()));
    let (cx, cy) = (px(across), px(up));
    let rim = "stroke=\"#ffffff\" stroke-width=\"2\"";
    let fill = Ink::Text.fill().replacen("class=\"", "class=\"vf-sground ", 1);
    svg.leaf("circle", &format!("{fill} {rim} cx=\"{cx}\" cy=\"{cy}\" r=\"6\""));
    let (at, anchor) = if across > f64::midpoint(left, right) {
        (across - 10.0, Anchor::End)
    } else {
        (across + 10.0, Anchor::Start)
    };
    let up = if up < top + 20.0 { up + 18.0 } else { up - 10.0 };
    svg.label_as(
        (at, up),
        anchor,
        &format!("{fill} font-weight=\"600\" stroke=\"#ffffff\" {RIM}"),
        &spot.label,
    );
}
