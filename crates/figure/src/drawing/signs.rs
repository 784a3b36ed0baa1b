//! What happens at an instant, as a shape around the foot of its row.

use crate::look::{Ink, Look};
use crate::schedule::Sign;
use crate::svg::{Svg, px};

/// The shape and its attributes; the origin is the instant, at the bottom of a row that is `tall`.
fn shape(sign: Sign, tall: f64) -> (String, String) {
    let tall = px(tall);
    match sign {
        Sign::Arrival => (format!("M0,0V-{tall}m-3,5l3,-5l3,5"), Ink::Text.stroke()),
        Sign::Deadline => (format!("M0,-{tall}V0m-3,-5l3,5l3,-5"), Look::Nth(1).hairline()),
        Sign::Miss => (format!("M0,-{tall}V0M-5,-14l10,10m0,-10l-10,10"), Look::Nth(1).stroke()),
        Sign::Completion => {
            ("M-3.5,-3.5a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z".to_owned(), Ink::Text.stroke())
        }
        Sign::Replenishment => ("M0,0l-4,7h8z".to_owned(), Look::Nth(2).fill()),
        Sign::Request => (format!("M1,-{tall}l-4,10h5l-3,8"), Look::Nth(3).hairline()),
    }
}

/// Draws a sign where it happens; scripts move the group by its `data-t`.
pub(super) fn draw(
    svg: &mut Svg,
    sign: Sign,
    (x, bottom): (f64, f64),
    tall: f64,
    at: u64,
    tip: &str,
) {
    let (path, attributes) = shape(sign, tall);
    svg.open("g", &format!("data-t=\"{at}\" transform=\"translate({} {})\"", px(x), px(bottom)));
    if sign != Sign::Replenishment {
        // A rim of the ground, so that it is seen in front of a slice.
        let rim = Ink::Ground.stroke();
        svg.leaf("path", &format!("{rim} stroke-width=\"4\" stroke-opacity=\"0.8\" d=\"{path}\""));
    }
    svg.tipped("path", &format!("{attributes} d=\"{path}\""), tip);
    svg.close("g");
}

/// The same in a legend.
pub(super) fn sample(svg: &mut Svg, sign: Sign, (x, y): (f64, f64)) {
    let (path, attributes) = shape(sign, 16.0);
    // Beside the middle of its word, whether it stands on the foot of a row or hangs from it.
    let foot = match sign {
        Sign::Completion => 3.5,
        Sign::Replenishment => -3.5,
        Sign::Arrival | Sign::Deadline | Sign::Miss | Sign::Request => 7.0,
    };
    let at = format!("transform=\"translate({} {})\"", px(x + 12.0), px(y + foot));
    svg.leaf("path", &format!("{attributes} {at} d=\"{path}\""));
}
