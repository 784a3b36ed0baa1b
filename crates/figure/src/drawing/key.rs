//! The legend of a schedule: what occurs in it, and nothing else.

use super::{frame, legend, signs, slices};
use crate::look::{Ink, Look};
use crate::schedule::{Schedule, Sign, Use};
use crate::svg::{Anchor, Svg, px};
use std::collections::BTreeSet;

/// What the legend has to explain: what occurs.
fn entries(of: &Schedule) -> (BTreeSet<Use>, BTreeSet<Sign>, Vec<&str>) {
    let slices = of.rows.iter().flat_map(|row| &row.slices).map(|slice| slice.of).collect();
    let signs = of.rows.iter().flat_map(|row| &row.marks).map(|mark| mark.sign).collect();
    let mut spans: Vec<&str> = of.spans.iter().map(|span| span.label.as_str()).collect();
    spans.dedup();
    (slices, signs, spans)
}

fn names(of: &Schedule) -> Vec<String> {
    let (slices, signs, spans) = entries(of);
    let slices = slices.into_iter().map(|of| of.word().to_owned());
    let signs = signs.into_iter().map(|of| of.word().to_owned());
    slices.chain(signs).chain(spans.into_iter().map(str::to_owned)).collect()
}

pub(super) fn height(of: &Schedule) -> f64 {
    let names = names(of);
    legend::places(names.iter().map(String::as_str), of.width - 24.0).1
}

pub(super) fn draw(svg: &mut Svg, name: &str, of: &Schedule) {
    let (slices, signs, spans) = entries(of);
    let names = names(of);
    let (places, _) = legend::places(names.iter().map(String::as_str), of.width - 24.0);
    let places: Vec<(f64, f64)> =
        places.into_iter().map(|(x, y)| (12.0 + x, frame::TITLE + y + 8.0)).collect();
    for (nth, use_) in slices.iter().enumerate() {
        let (x, y) = places[nth];
        let tall = slices::heights(*use_).1.min(12.0);
        let place = format!(
            "x=\"{}\" y=\"{}\" width=\"22\" height=\"{}\"",
            px(x),
            px(y - tall / 2.0),
            px(tall)
        );
        svg.leaf("rect", &format!("{} {place}", slices::look(name, *use_)));
    }
    for (nth, sign) in signs.iter().enumerate() {
        signs::sample(svg, *sign, places[slices.len() + nth]);
    }
    for nth in 0..spans.len() {
        let (x, y) = places[slices.len() + signs.len() + nth];
        let place = format!("x=\"{}\" y=\"{}\" width=\"22\" height=\"14\"", px(x), px(y - 7.0));
        svg.leaf("rect", &format!("{} fill-opacity=\"0.12\" {place}", Look::Nth(1).fill()));
    }
    for (text, (x, y)) in names.iter().zip(places) {
        let at = (x + legend::SAMPLE - 3.0, y + 4.0);
        svg.label_as(at, Anchor::Start, &Ink::Text.fill(), text);
    }
}
