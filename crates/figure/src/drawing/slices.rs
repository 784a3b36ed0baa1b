//! How slices look: a colour, a hatching and a height for each use of time.

use crate::look::{Ink, Look};
use crate::schedule::Use;
use crate::svg::Svg;

const SLICE: f64 = 16.0;

/// What tells slices apart without colour.
pub(super) fn hatching(svg: &mut Svg, name: &str) {
    let lines = [
        ("idles", Look::Nth(0), "M0,6L6,0"),
        ("serves", Look::Nth(3), "M0,0L6,6"),
        ("overhead", Look::Nth(4), "M0,3H6M3,0V6"),
    ];
    svg.raw("<defs>\n");
    for (what, look, path) in lines {
        svg.open(
            "pattern",
            &format!(
                "id=\"{name}-{what}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
            ),
        );
        svg.leaf("rect", &format!("{} width=\"6\" height=\"6\"", Ink::Ground.fill()));
        svg.leaf("path", &format!("{} stroke-width=\"1.5\" d=\"{path}\"", look.hairline()));
        svg.close("pattern");
    }
    svg.raw("</defs>\n");
}

/// The attributes of a slice.
pub(super) fn look(name: &str, of: Use) -> String {
    match of {
        Use::Runs => Look::Nth(0).fill(),
        Use::Supplies => format!("{} fill-opacity=\"0.3\"", Look::Nth(2).fill()),
        Use::Waits => {
            Ink::Grey.stroke().replace("fill=\"none\"", "fill=\"none\" stroke-dasharray=\"2 2\"")
        }
        Use::Idles => hatched(name, "idles", Look::Nth(0)),
        Use::Serves => hatched(name, "serves", Look::Nth(3)),
        Use::Overhead => hatched(name, "overhead", Look::Nth(4)),
    }
}

fn hatched(name: &str, what: &str, look: Look) -> String {
    let fill = format!("fill=\"url(#{name}-{what})\"");
    look.hairline().replace("fill=\"none\"", &fill)
}

/// From its bottom: how far up a slice begins, and how tall it is.
pub(super) const fn heights(of: Use) -> (f64, f64) {
    match of {
        Use::Waits => (6.0, 6.0),
        Use::Supplies => (SLICE - 2.0, SLICE - 2.0),
        _ => (SLICE, SLICE),
    }
}
