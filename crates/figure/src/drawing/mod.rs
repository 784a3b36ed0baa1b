//! Figures, drawn.

mod axes;
mod bars;
mod chart;
mod drawn;
mod frame;
mod key;
mod labels;
mod legend;
mod marked;
mod place;
mod schedule;
mod series;
mod signs;
mod slices;

pub(crate) use bars::{bars, ranges};
pub(crate) use chart::chart;
pub(crate) use drawn::name;
pub(crate) use schedule::schedule;
