//! The frame of a chart, with what is written along it.

use super::place::Place;
use crate::chart::Axis;
use crate::look::Ink;
use crate::svg::{Anchor, Svg, px};

/// Grid, ticks and headings of both axes.
pub(super) fn draw(svg: &mut Svg, (x, y): (&Place, &Place), (along, up): (&Axis, &Axis)) {
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    svg.open("g", &Ink::Grid.stroke());
    for (at, _) in x.ticks() {
        if let Some(at) = x.of(at) {
            svg.leaf("path", &format!("d=\"M{},{}V{}\"", px(at), px(bottom), px(top)));
        }
    }
    for (at, _) in y.ticks() {
        if let Some(at) = y.of(at) {
            svg.leaf("path", &format!("d=\"M{},{}H{}\"", px(left), px(at), px(right)));
        }
    }
    svg.close("g");
    svg.leaf(
        "path",
        &format!(
            "{} d=\"M{},{}V{}H{}\"",
            Ink::Grey.stroke(),
            px(left),
            px(top),
            px(bottom),
            px(right)
        ),
    );
    svg.open("g", &Ink::Text.fill());
    for (at, label) in x.ticks() {
        if let Some(at) = x.of(at) {
            svg.label((at, bottom + 16.0), Anchor::Middle, &label);
        }
    }
    for (at, label) in y.ticks() {
        if let Some(at) = y.of(at) {
            svg.label((left - 6.0, at + 4.0), Anchor::End, &label);
        }
    }
    svg.label((f64::midpoint(left, right), bottom + 36.0), Anchor::Middle, &along.heading());
    let middle = f64::midpoint(bottom, top);
    let turned = format!("transform=\"rotate(-90 14 {})\"", px(middle));
    svg.label_as((14.0, middle), Anchor::Middle, &turned, &up.heading());
    svg.close("g");
}
