//! A schedule, drawn.
//!
//! ```text
//!   title
//!   legend
//!   task.a   ↑  [####]   ↓
//!   task.b   ↑ ......[##]↓
//!   budget   \___  \___
//!            0    5     10  ms
//! ```
//!
//! What scripts need to zoom is on the elements: `data-from` and `data-to` of the window and
//! `data-left` and `data-right` of its pixels on the drawing, `data-f` and `data-e` on slices, `data-t`
//! on signs, `data-p` on lines of a budget. All of a row has its name in `data-row`, for scripts that link it.

use super::drawn::Drawn;
use super::{frame, key, signs, slices};
use crate::look::{Ink, Look};
use crate::schedule::{Level, Row, Schedule, Slice, Use};
use crate::svg::{Anchor, Svg, escaped, px, width_of};
use crate::ticks;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const ROW: f64 = 30.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 44.0;
/// Names of rows are at most this wide.
const NAMES: f64 = 230.0;

/// The window on its pixels.
struct Window {
    from: u64,
    to: u64,
    left: f64,
    right: f64,
}

impl Window {
    fn x(&self, at: u64) -> f64 {
        let at = at.clamp(self.from, self.to);
        let part = real(at - self.from) / real(self.to - self.from);
        self.left + part * (self.right - self.left)
    }

    const fn has(&self, at: u64) -> bool {
        at >= self.from && at <= self.to
    }
}

#[expect(clippy::cast_precision_loss, reason = "a time in a picture")]
fn real(ns: u64) -> f64 {
    ns as f64
}

/// Draws a schedule.
pub(crate) fn schedule(name: &str, of: &Schedule) -> Drawn {
    let names = of.rows.iter().map(|row| indent(row) + width_of(&row.name, 12.0));
    let left = names.fold(60.0, f64::max).min(NAMES) + 24.0;
    let window = Window { from: of.from, to: of.to, left, right: of.width - RIGHT };
    let (tall, top) = (real(of.rows.len() as u64) * ROW, frame::TITLE + key::height(of) + 8.0);
    let size = (of.width, top + tall + BOTTOM);
    let mut svg = frame::begin(&of.title, size);
    slices::hatching(&mut svg, name);
    key::draw(&mut svg, name, of);
    axis(&mut svg, &window, top, tall);
    let plot = (left - 6.0, top - 2.0, window.right - left + 12.0, tall + 12.0);
    frame::clip(&mut svg, name, plot);
    for (nth, row) in of.rows.iter().enumerate() {
        let bottom = foot(top, nth);
        let at = (12.0 + indent(row), bottom - 4.0);
        let words = short(&row.name, left - at.0 - 6.0);
        svg.open("g", &own(row));
        svg.label_as(at, Anchor::Start, &Ink::Text.fill(), &words);
        svg.close("g");
        let line = format!("d=\"M{},{}H{}\"", px(left), px(bottom), px(window.right));
        svg.leaf("path", &format!("{} {line}", Ink::Grid.stroke()));
    }
    svg.open("g", &format!("class=\"vf-time\" clip-path=\"url(#{name}-plot)\""));
    spans(&mut svg, of, &window, top, tall);
    for (nth, row) in of.rows.iter().enumerate() {
        svg.open("g", &own(row));
        draw_row(&mut svg, name, row, &window, foot(top, nth));
        svg.close("g");
    }
    svg.close("g");
    Drawn { class: "vf-schedule", data: data(&window), body: svg.into_text(), size }
}

/// For scripts.
fn own(row: &Row) -> String {
    format!("data-row=\"{}\"", escaped(&row.name))
}

fn indent(row: &Row) -> f64 {
    14.0 * f64::from(u32::try_from(row.depth).unwrap_or(0))
}

/// Where a row stands.
fn foot(top: f64, nth: usize) -> f64 {
    top + real(nth as u64 + 1) * ROW - 6.0
}

/// For scripts.
fn data(window: &Window) -> String {
    format!(
        " data-from=\"{}\" data-to=\"{}\" data-left=\"{}\" data-right=\"{}\"",
        window.from,
        window.to,
        px(window.left),
        px(window.right)
    )
}

/// A name that fits.
fn short(name: &str, width: f64) -> String {
    if width_of(name, 12.0) <= width {
        return name.to_owned();
    }
    let mut out = String::new();
    for c in name.chars() {
        if width_of(&out, 12.0) + 14.0 > width {
            break;
        }
        out.push(c);
    }
    out + "…"
}

fn draw_row(svg: &mut Svg, name: &str, row: &Row, window: &Window, bottom: f64) {
    if let Some(level) = &row.level {
        draw_level(svg, level, window, bottom);
    }
    let used: BTreeSet<Use> = row.slices.iter().map(|slice| slice.of).collect();
    for of in used {
        svg.open("g", &slices::look(name, of));
        for slice in row.slices.iter().filter(|slice| slice.of == of) {
            draw_slice(svg, slice, window, bottom);
        }
        svg.close("g");
    }
    for mark in row.marks.iter().filter(|mark| window.has(mark.at)) {
        signs::draw(svg, mark.sign, (window.x(mark.at), bottom), 20.0, mark.at, &mark.tip);
    }
}

fn draw_slice(svg: &mut Svg, slice: &Slice, window: &Window, bottom: f64) {
    if slice.to < window.from || slice.from > window.to {
        return;
    }
    let (from, to) = (window.x(slice.from), window.x(slice.to));
    let (up, tall) = slices::heights(slice.of);
    let wide = (to - from).max(0.3);
    let place = format!(
        "data-f=\"{}\" data-e=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
        slice.from,
        slice.to,
        px(from),
        px(bottom - up),
        px(wide.max(0.1)),
        px(tall)
    );
    svg.tipped("rect", &place, &slice.tip);
}

/// The line of a quantity; its corners are in `data-p` as `time,height` in pixels above the foot.
fn draw_level(svg: &mut Svg, level: &Level, window: &Window, bottom: f64) {
    let most = real(level.most.max(1));
    let (mut path, mut data) = (String::new(), String::new());
    for &(at, value) in level.points.iter().filter(|(at, _)| window.has(*at)) {
        let up = real(value.min(level.most)) / most * (ROW - 10.0);
        let pen = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{pen}{},{}", px(window.x(at)), px(bottom - up));
        let _ = write!(data, "{at},{} ", px(bottom - up));
    }
    if path.is_empty() {
        return;
    }
    let data = data.trim_end();
    svg.leaf(
        "path",
        &format!("{} stroke-width=\"1.5\" data-p=\"{data}\" d=\"{path}\"", Look::Nth(2).hairline()),
    );
}

fn spans(svg: &mut Svg, of: &Schedule, window: &Window, top: f64, tall: f64) {
    for span in &of.spans {
        let (from, to) = (window.x(span.from), window.x(span.to));
        let wide = px((to - from).max(0.5));
        let place = format!(
            "data-f=\"{}\" data-e=\"{}\" x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"{}\"",
            span.from,
            span.to,
            px(from),
            px(top),
            px(tall)
        );
        let look = Look::Nth(1);
        svg.tipped("rect", &format!("{} fill-opacity=\"0.12\" {place}", look.fill()), &span.label);
    }
}

/// The unit of a window, and its nanoseconds.
pub(super) const fn unit(window_ns: u64) -> (&'static str, f64) {
    match window_ns {
        0..2_000 => ("ns", 1.0),
        2_000..2_000_000 => ("us", 1e3),
        2_000_000..2_000_000_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    }
}

fn axis(svg: &mut Svg, window: &Window, top: f64, tall: f64) {
    let (unit, ns) = unit(window.to - window.from);
    svg.open("g", "class=\"vf-axis\"");
    for (at, label) in ticks::linear(real(window.from) / ns, real(window.to) / ns, 8) {
        let part = (at * ns - real(window.from)) / real(window.to - window.from);
        let x = window.left + part * (window.right - window.left);
        let line = format!("d=\"M{},{}v{}\"", px(x), px(top), px(tall));
        svg.leaf("path", &format!("{} {line}", Ink::Grid.stroke()));
        svg.label_as((x, top + tall + 16.0), Anchor::Middle, &Ink::Text.fill(), &label);
    }
    let middle = f64::midpoint(window.left, window.right);
    let below = (middle, top + tall + 36.0);
    svg.label_as(below, Anchor::Middle, &Ink::Text.fill(), &format!("time [{unit}]"));
    svg.close("g");
}
