//! What all figures begin with: the ground, the title, the part that is drawn in.

use crate::look::Ink;
use crate::svg::{Anchor, Svg, px};

/// Height of the title.
pub(super) const TITLE: f64 = 28.0;

/// The ground and the title of a figure of this size.
pub(super) fn begin(title: &str, (width, height): (f64, f64)) -> Svg {
    let mut svg = Svg::default();
    let ground = Ink::Ground.fill();
    svg.leaf("rect", &format!("{ground} width=\"{}\" height=\"{}\"", px(width), px(height)));
    let bold = format!("{} font-size=\"14\" font-weight=\"600\"", Ink::Text.fill());
    svg.label_as((12.0, 19.0), Anchor::Start, &bold, title);
    svg
}

/// Names the rectangle outside of which nothing of a group is drawn, `NAME-plot`.
pub(super) fn clip(svg: &mut Svg, name: &str, (x, y, wide, tall): (f64, f64, f64, f64)) {
    svg.open("clipPath", &format!("id=\"{name}-plot\""));
    let place =
        format!("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", px(x), px(y), px(wide), px(tall));
    svg.leaf("rect", &place);
    svg.close("clipPath");
}
