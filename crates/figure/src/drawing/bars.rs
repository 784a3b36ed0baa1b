//! Bars, drawn: a line each, with its name to the left.

use super::drawn::Drawn;
use super::place::Place;
use super::{frame, legend};
use crate::bars::{Bar, Bars};
use crate::chart::Axis;
use crate::look::{Ink, Look};
use crate::svg::{Anchor, Svg, px, width_of};

const ROW: f64 = 26.0;
const BOTTOM: f64 = 44.0;
/// Hatching of the parts, so that they differ without colour: as lines within six pixels.
const HATCHES: [&str; 6] = ["", "M0,6L6,0", "M0,3H6", "M0,0L6,6", "M3,0V6", "M0,3H6M3,0V6"];

/// Draws bars.
pub(crate) fn bars(name: &str, of: &Bars) -> Drawn {
    let (places, tall) = legend::places(of.parts.iter().map(String::as_str), of.width - 24.0);
    let names = of.bars.iter().map(|bar| width_of(&bar.name, 12.0));
    let left = names.fold(40.0, f64::max).min(of.width / 2.5) + 24.0;
    let top = frame::TITLE + tall + 8.0;
    let bottom = top + ROW * f64::from(u32::try_from(of.bars.len()).unwrap_or(u32::MAX));
    let lengths = of.bars.iter().map(|bar| bar.parts.iter().map(|part| part.value).sum::<f64>());
    let ends = lengths.chain(of.rule.iter().map(|(at, _)| *at)).chain([0.0]);
    let from_zero = Axis { from: Some(0.0), ..of.axis.clone() };
    let x = Place::over(&from_zero, ends, (left, of.width - 24.0));
    let size = (of.width, bottom + BOTTOM);
    let mut svg = frame::begin(&of.title, size);
    hatching(&mut svg, name, of.parts.len());
    for (nth, (across, down)) in places.into_iter().enumerate() {
        let (left, middle) = (12.0 + across, frame::TITLE + down + 8.0);
        block(&mut svg, name, nth, (left, middle - 6.0), (22.0, 12.0));
        let at = (left + legend::SAMPLE - 3.0, middle + 4.0);
        svg.label_as(at, Anchor::Start, &Ink::Text.fill(), &of.parts[nth]);
    }
    axis(&mut svg, of, &x, (top, bottom));
    let mut down = top;
    for bar in &of.bars {
        svg.label_as((left - 8.0, down + 17.0), Anchor::End, &Ink::Text.fill(), &bar.name);
        draw_bar(&mut svg, name, bar, &x, down + 4.0);
        down += ROW;
    }
    if let Some((at, label)) = &of.rule
        && let Some(at) = x.of(*at)
    {
        let look = Look::Nth(1);
        svg.leaf(
            "path",
            &format!("{} d=\"M{},{}V{}\"", look.stroke(), px(at), px(bottom), px(top)),
        );
        svg.label_as((at - 4.0, top - 2.0), Anchor::End, &look.fill(), label);
    }
    Drawn { class: "vf-bars", data: String::new(), body: svg.into_text(), size }
}

fn axis(svg: &mut Svg, of: &Bars, x: &Place, (top, bottom): (f64, f64)) {
    for (at, label) in x.ticks() {
        let Some(at) = x.of(at) else { continue };
        svg.leaf(
            "path",
            &format!("{} d=\"M{},{}V{}\"", Ink::Grid.stroke(), px(at), px(top), px(bottom)),
        );
        svg.label_as((at, bottom + 16.0), Anchor::Middle, &Ink::Text.fill(), &label);
    }
    let middle = f64::midpoint(x.pixels.0, x.pixels.1);
    svg.label_as((middle, bottom + 36.0), Anchor::Middle, &Ink::Text.fill(), &of.axis.heading());
}

fn hatching(svg: &mut Svg, name: &str, parts: usize) {
    svg.raw("<defs>\n");
    for nth in 0..parts {
        let pattern = format!(
            "id=\"{name}-part-{nth}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
        );
        svg.open("pattern", &pattern);
        let opacity = if HATCHES[nth % 6].is_empty() { "0.8" } else { "0.3" };
        let look = Look::Nth(nth);
        svg.leaf(
            "rect",
            &format!("{} fill-opacity=\"{opacity}\" width=\"6\" height=\"6\"", look.fill()),
        );
        if !HATCHES[nth % 6].is_empty() {
            svg.leaf("path", &format!("{} d=\"{}\"", look.hairline(), HATCHES[nth % 6]));
        }
        svg.close("pattern");
    }
    svg.raw("</defs>\n");
}

/// A part as a block.
fn block(svg: &mut Svg, name: &str, nth: usize, (x, y): (f64, f64), (wide, tall): (f64, f64)) {
    let look = Look::Nth(nth).hairline();
    let look = look.replace("fill=\"none\"", &format!("fill=\"url(#{name}-part-{nth})\""));
    let place =
        format!("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", px(x), px(y), px(wide), px(tall));
    svg.leaf("rect", &format!("{look} {place}"));
}

fn draw_bar(svg: &mut Svg, name: &str, bar: &Bar, x: &Place, top: f64) {
    let mut sum = 0.0;
    for part in bar.parts.iter().filter(|part| part.value > 0.0) {
        let (Some(from), Some(to)) = (x.of(sum), x.of(sum + part.value)) else { continue };
        block(svg, name, part.of, (from, top), ((to - from).max(0.3), ROW - 8.0));
        sum += part.value;
    }
}
