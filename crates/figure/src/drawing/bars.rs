//! Bars and ranges, drawn: a line each, with its name to the left and blocks along it.

use super::drawn::Drawn;
use super::place::Place;
use super::{frame, legend};
use crate::bars::Bars;
use crate::chart::Axis;
use crate::look::{Ink, Look};
use crate::ranges::Ranges;
use crate::svg::{Anchor, Svg, px, width_of};

const ROW: f64 = 26.0;
const BOTTOM: f64 = 44.0;
/// Hatching of the kinds, so that they differ without colour: as lines within six pixels.
const HATCHES: [&str; 6] = ["", "M0,6L6,0", "M0,3H6", "M0,0L6,6", "M3,0V6", "M0,3H6M3,0V6"];

/// A block: how it looks, and its ends.
type Block = (usize, f64, f64);

/// Blocks in rows, whatever they are.
struct Blocks<'f> {
    title: &'f str,
    axis: Axis,
    /// How each kind looks, and its name.
    kinds: Vec<(usize, &'f str)>,
    /// Name, and blocks.
    rows: Vec<(&'f str, Vec<Block>)>,
    rule: Option<&'f (f64, String)>,
    width: f64,
    /// What no block is narrower than, in pixels.
    least: f64,
}

/// Draws bars: their parts one behind the other.
pub(crate) fn bars(name: &str, of: &Bars) -> Drawn {
    let line = |bar: &'_ crate::bars::Bar| {
        let mut sum = 0.0;
        let mut blocks = Vec::new();
        for part in bar.parts.iter().filter(|part| part.value > 0.0) {
            blocks.push((part.of, sum, sum + part.value));
            sum += part.value;
        }
        blocks
    };
    let rows = of.bars.iter().map(|bar| (bar.name.as_str(), line(bar)));
    let axis = Axis { from: Some(0.0), ..of.axis.clone() };
    draw(
        name,
        &Blocks {
            title: &of.title,
            axis,
            kinds: of.parts.iter().map(String::as_str).enumerate().collect(),
            rows: rows.collect(),
            rule: of.rule.as_ref(),
            width: of.width,
            least: 0.3,
        },
    )
}

/// Draws ranges; a mark is as wide as it takes to be seen.
pub(crate) fn ranges(name: &str, of: &Ranges) -> Drawn {
    let rows = of.ranges.iter().map(|range| {
        let blocks = range.stretches.iter().map(|stretch| {
            let (one, other) = stretch.ends;
            (of.kinds[stretch.of].0, one.min(other), one.max(other))
        });
        (range.name.as_str(), blocks.collect())
    });
    draw(
        name,
        &Blocks {
            title: &of.title,
            axis: of.axis.clone(),
            kinds: of.kinds.iter().map(|(look, name)| (*look, name.as_str())).collect(),
            rows: rows.collect(),
            rule: of.rule.as_ref(),
            width: of.width,
            least: 4.0,
        },
    )
}

fn draw(name: &str, of: &Blocks<'_>) -> Drawn {
    let (places, tall) = legend::places(of.kinds.iter().map(|(_, kind)| *kind), of.width - 24.0);
    let names = of.rows.iter().map(|(name, _)| width_of(name, 12.0));
    let left = names.fold(40.0, f64::max).min(of.width / 2.5) + 24.0;
    let label = if of.rule.is_some() { 12.0 } else { 0.0 };
    let top = frame::TITLE + tall + 8.0 + label;
    let bottom = top + ROW * f64::from(u32::try_from(of.rows.len()).unwrap_or(u32::MAX));
    let blocks = of.rows.iter().flat_map(|(_, blocks)| blocks);
    let ends = blocks.flat_map(|&(_, from, to)| [from, to]);
    let ends = ends.chain(of.rule.iter().map(|(at, _)| *at));
    let x = Place::over(&of.axis, ends, (left, of.width - 24.0));
    let size = (of.width, bottom + BOTTOM);
    let mut svg = frame::begin(of.title, size);
    hatching(&mut svg, name, of.kinds.iter().map(|(look, _)| *look));
    for (&(look, kind), (across, down)) in of.kinds.iter().zip(places) {
        let (left, middle) = (12.0 + across, frame::TITLE + down + 8.0);
        block(&mut svg, name, look, (left, middle - 6.0), (22.0, 12.0));
        let at = (left + legend::SAMPLE - 3.0, middle + 4.0);
        svg.label_as(at, Anchor::Start, &Ink::Text.fill(), kind);
    }
    axis(&mut svg, &of.axis, &x, (top, bottom));
    let mut down = top;
    for (line, blocks) in &of.rows {
        svg.label_as((left - 8.0, down + 17.0), Anchor::End, &Ink::Text.fill(), line);
        for &(look, from, to) in blocks {
            let (Some(from), Some(to)) = (x.of(from), x.of(to)) else { continue };
            let wide = (to - from).max(of.least);
            block(&mut svg, name, look, (from, down + 4.0), (wide, ROW - 8.0));
        }
        down += ROW;
    }
    if let Some((at, label)) = of.rule
        && let Some(at) = x.of(*at)
    {
        let look = Look::Nth(1);
        svg.leaf(
            "path",
            &format!("{} d=\"M{},{}V{}\"", look.stroke(), px(at), px(bottom), px(top)),
        );
        // Within the picture, wherever the line is.
        let half = width_of(label, 12.0) / 2.0;
        let middle = at.clamp(half + 8.0, (of.width - half - 8.0).max(half + 8.0));
        svg.label_as((middle, top - 4.0), Anchor::Middle, &look.fill(), label);
    }
    Drawn { class: "vf-bars", data: String::new(), body: svg.into_text(), size }
}

fn axis(svg: &mut Svg, of: &Axis, x: &Place, (top, bottom): (f64, f64)) {
    for (at, label) in x.ticks() {
        let Some(at) = x.of(at) else { continue };
        svg.leaf(
            "path",
            &format!("{} d=\"M{},{}V{}\"", Ink::Grid.stroke(), px(at), px(top), px(bottom)),
        );
        svg.label_as((at, bottom + 16.0), Anchor::Middle, &Ink::Text.fill(), &label);
    }
    let middle = f64::midpoint(x.pixels.0, x.pixels.1);
    svg.label_as((middle, bottom + 36.0), Anchor::Middle, &Ink::Text.fill(), &of.heading());
}

fn hatching(svg: &mut Svg, name: &str, looks: impl Iterator<Item = usize>) {
    svg.raw("<defs>\n");
    for nth in looks {
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
