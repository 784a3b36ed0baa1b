//! Reference lines and marked points of a chart, with their labels.

use super::labels::{Area, Labels, Point, Spot as At};
use super::place::Place;
use super::series;
use crate::chart::{Chart, Rule, Spot};
use crate::look::{Ink, Look};
use crate::svg::{Anchor, Svg, px};

/// Text in a plot has a rim of the ground, so that the lines of the grid do not cross it.
const RIM: &str = "paint-order=\"stroke\" stroke-width=\"3\" stroke-linejoin=\"round\"";
const SIZE: f64 = 12.0;
/// From a point to its edge, and some ground.
const REACH: f64 = 7.0;

/// A label with its place.
struct Word<'c> {
    text: &'c str,
    at: At,
    /// The reference line that it names, and how that looks; `None` for a point.
    rule: Option<(usize, Look)>,
    is_free: bool,
}

/// The reference lines whose labels find no free place: the legend has their names.
pub(super) fn crowded(of: &Chart, places: (&Place, &Place)) -> Vec<usize> {
    let words = words(of, places, &[]);
    let crossed = words.iter().filter(|word| !word.is_free);
    crossed.filter_map(|word| Some(word.rule?.0)).collect()
}

/// Draws the lines and points, then their labels, except for the lines that the legend names.
pub(super) fn draw(svg: &mut Svg, of: &Chart, places: (&Place, &Place), in_legend: &[usize]) {
    for rule in &of.rules {
        let Some((from, to, look)) = line(rule, places) else { continue };
        let path = format!("M{},{}L{},{}", px(from.0), px(from.1), px(to.0), px(to.1));
        svg.leaf("path", &format!("{} d=\"{path}\"", look.stroke()));
    }
    for spot in &of.spots {
        draw_spot(svg, spot, places);
    }
    let ink = Ink::Text.fill() + " font-weight=\"600\"";
    for Word { text, at: (at, anchor), rule, .. } in words(of, places, in_legend) {
        let fill = rule.map_or_else(|| ink.clone(), |(_, look)| look.fill());
        let fill = fill.replacen("class=\"", "class=\"vf-sground ", 1);
        svg.label_as(at, anchor, &format!("{fill} stroke=\"#ffffff\" {RIM}"), text);
    }
}

/// All labels in the plot, where there is room for them.
fn words<'c>(of: &'c Chart, (x, y): (&Place, &Place), in_legend: &[usize]) -> Vec<Word<'c>> {
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    let mut labels = Labels::in_plot(Area { left, top, right, bottom });
    for one in &of.series {
        series::outline(&mut labels, one, (x, y));
    }
    let mut wanted = Vec::new();
    for (nth, rule) in of.rules.iter().enumerate() {
        let Some((from, to, look)) = line(rule, (x, y)) else { continue };
        labels.line(from, to);
        let (Rule::At(_, text, _) | Rule::Level(_, text, _)) = rule;
        let places = match rule {
            Rule::At(..) => beside(from.0, (left, right), (top, bottom)),
            Rule::Level(..) => along(from.1, (left, right)),
        };
        if !text.is_empty() && !in_legend.contains(&nth) {
            wanted.push((text, Some((nth, look)), places));
        }
    }
    for spot in &of.spots {
        let (Some(across), Some(up)) = (x.of(spot.at.0), y.of(spot.at.1)) else { continue };
        labels.line((left, up), (across, up));
        labels.line((across, up), (across, bottom));
        labels.area(Area::around((across, up), REACH));
        wanted.push((&spot.label, None, around((across, up), (left, right))));
    }
    let placed = wanted.into_iter().filter_map(|(text, rule, places)| {
        let (at, is_free) = labels.place(text, SIZE, &places)?;
        Some(Word { text, at, rule, is_free })
    });
    placed.collect()
}

/// The line of a rule, if it is in the plot.
fn line(rule: &Rule, (x, y): (&Place, &Place)) -> Option<(Point, Point, Look)> {
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    match rule {
        Rule::At(value, _, look) => {
            let at = x.of(*value).filter(|_| x.is_inside(*value))?;
            Some(((at, bottom), (at, top), *look))
        }
        Rule::Level(value, _, look) => {
            let at = y.of(*value).filter(|_| y.is_inside(*value))?;
            Some(((left, at), (right, at), *look))
        }
    }
}

/// On the side of an upright line with more room, then on the other, from the top down.
fn beside(at: f64, (left, right): (f64, f64), (top, bottom): (f64, f64)) -> Vec<At> {
    let sides = sides(at, (left, right), 5.0);
    let rows = (0..40).map(|row| top + SIZE + 8.0 * f64::from(row));
    let rows = rows.take_while(|&down| down < bottom);
    rows.flat_map(|down| sides.map(|(across, anchor)| ((across, down), anchor))).collect()
}

/// Above a level line, then below it, from the right to the left.
fn along(at: f64, (left, right): (f64, f64)) -> Vec<At> {
    let columns = (0..60).map(|column| right - 4.0 - 16.0 * f64::from(column));
    let columns = columns.take_while(|&across| across > left);
    let rows = [at - 5.0, at + 14.0];
    columns.flat_map(|across| rows.map(|down| ((across, down), Anchor::End))).collect()
}

/// Both sides of a place, the one with more room first.
fn sides(at: f64, (left, right): (f64, f64), apart: f64) -> [(f64, Anchor); 2] {
    let (after, before) = ((at + apart, Anchor::Start), (at - apart, Anchor::End));
    if at > f64::midpoint(left, right) { [before, after] } else { [after, before] }
}

/// To the right above a point or to the left, then below, and so on further from it.
fn around((across, up): Point, (left, right): (f64, f64)) -> Vec<At> {
    let sides = sides(across, (left, right), 10.0);
    let rows = [-10.0, 18.0, -26.0, 34.0, -42.0, 50.0].map(|down| up + down);
    rows.into_iter()
        .flat_map(|down| sides.map(|(across, anchor)| ((across, down), anchor)))
        .collect()
}

/// Draws a marked point with lines to both axes.
fn draw_spot(svg: &mut Svg, spot: &Spot, (x, y): (&Place, &Place)) {
    let (Some(across), Some(up)) = (x.of(spot.at.0), y.of(spot.at.1)) else { return };
    let ((left, _), (bottom, _)) = (x.pixels, y.pixels);
    let lines = format!("M{},{}H{}V{}", px(left), px(up), px(across), px(bottom));
    svg.leaf("path", &format!("{} stroke-dasharray=\"3 3\" d=\"{lines}\"", Ink::Grey.stroke()));
    let (cx, cy) = (px(across), px(up));
    let fill = Ink::Text.fill().replacen("class=\"", "class=\"vf-sground ", 1);
    let rim = "stroke=\"#ffffff\" stroke-width=\"2\"";
    svg.leaf("circle", &format!("{fill} {rim} cx=\"{cx}\" cy=\"{cy}\" r=\"6\""));
}
