//! The frame of a chart, with what is written along it.

use super::place::Place;
use crate::chart::Axis;
use crate::look::Ink;
use crate::svg::{Anchor, Svg, px, width_of};

/// Grid, ticks and headings of both axes, in a figure of this width.
pub(super) fn draw(
    svg: &mut Svg,
    (x, y): (&Place, &Place),
    (along, up): (&Axis, &Axis),
    width: f64,
) {
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
            // The last may be at the very end.
            let at = at.min(width - width_of(&label, 12.0) / 2.0 - 1.0);
            svg.label((at, bottom + 16.0), Anchor::Middle, &label);
        }
    }
    for (at, label) in y.ticks() {
        if let Some(at) = y.of(at) {
            svg.label((left - 6.0, at + 4.0), Anchor::End, &label);
        }
    }
    svg.label((f64::midpoint(left, right), bottom + 36.0), Anchor::Middle, &along.heading());
    // One that is longer than its axis reaches down, where nothing else is.
    let half = width_of(&up.heading(), 12.0) / 2.0;
    let middle = f64::midpoint(bottom, top).max(top + half);
    let turned = format!("transform=\"rotate(-90 14 {})\"", px(middle));
    svg.label_as((14.0, middle), Anchor::Middle, &turned, &up.heading());
    svg.close("g");
}
