//! Charts and schedules as SVG, from numbers.
//!
//! **Model.** A [`Figure`] is a [`Chart`] (curves, steps, points and histograms on two axes, reference
//! lines, marked points), a [`Schedule`] (what ran on a processor when, and the events), [`Bars`]
//! (parts of a whole) or [`Ranges`] (intervals on an axis). It has a name, a title and a description; [`Figure::svg`] draws it
//! as a file of its own, [`Figure::inline`] for a page that has [`css`] once, and [`Figure::html`] as an
//! element of such a page with its numbers as a table below.
//!
//! **What holds for every figure.**
//! 1. The same numbers give the same bytes: no clock, no hash order, and logarithms that do not depend on
//!    the machine. Places are rounded to a tenth of a pixel.
//! 2. Everything that a user wrote is escaped: a task may be named `<script>`.
//! 3. Nothing is told by colour alone: curves differ in their dashes and markers, slices in their hatching,
//!    marks in their shapes. Each colour has a contrast of three to one at least, on a light ground and on
//!    a dark one, and is a property of CSS (`--vf-1` …) that a page may set. A program that does
//!    not know such properties (many that convert SVG to PDF) uses the colours of the light ground.
//! 4. The ground is light, or dark where the reader prefers that; in print it is always light.
//! 5. A screen reader finds an image with a title and a description, and the table beside it.
//!
//! **Does not cover** moving pictures: what scripts need to zoom a schedule is in `data-` attributes of the
//! drawing, and nothing here depends on a script.

/// What its page shows holds.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bars;
mod chart;
mod drawing;
mod figure;
mod look;
mod ranges;
mod schedule;
mod svg;
mod table;
mod ticks;

pub use bars::{Bar, Bars, Part};
pub use chart::{Axis, Chart, Rule, Scale, Series, Shape, Spot};
pub use figure::Figure;
pub use look::{Look, css};
pub use ranges::{Range, Ranges, Stretch};
pub use schedule::{Level, Mark, Row, Schedule, Sign, Slice, Span, Use};
pub use svg::escaped;
pub use table::Table;
