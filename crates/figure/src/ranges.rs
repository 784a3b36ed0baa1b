//! Ranges: intervals on an axis, a row for each of several things.

use crate::chart::Axis;
use crate::table::Table;

/// A part of the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Which of [`Ranges::kinds`].
    pub of: usize,
    /// Its ends on the axis, in either order; the same twice is a mark.
    pub ends: (f64, f64),
}

/// A row of intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// Along it.
    pub stretches: Vec<Stretch>,
}

/// Ranges on one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    /// For files and links: small letters, digits and dashes.
    pub name: String,
    /// What they show.
    pub title: String,
    /// A description of them.
    pub description: String,
    /// The axis; what has no place on it is not drawn.
    pub axis: Axis,
    /// How intervals of each kind look, as the parts of bars do by their place, and what they are called.
    pub kinds: Vec<(usize, String)>,
    /// From the top.
    pub ranges: Vec<Range>,
    /// Where a line crosses all of them, and what it is.
    pub rule: Option<(f64, String)>,
    /// The numbers as they are to be read: the picture has only places.
    pub numbers: Table,
    /// Pixels of the width; the height follows from the ranges.
    pub width: f64,
}
