//! Bars: parts of a whole, one bar for each thing that has parts.

use crate::chart::Axis;

/// One part of a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Which of [`Bars::parts`].
    pub of: usize,
    /// How long, in the unit of the axis.
    pub value: f64,
}

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// One after the other, from zero on.
    pub parts: Vec<Part>,
}

/// Horizontal bars on one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// For files and links: small letters, digits and dashes.
    pub name: String,
    /// What they show.
    pub title: String,
    /// A description of them.
    pub description: String,
    /// The axis of their lengths; it begins at zero.
    pub axis: Axis,
    /// What the parts are called.
    pub parts: Vec<String>,
    /// From the top.
    pub bars: Vec<Bar>,
    /// Where a line crosses all bars, and what it is.
    pub rule: Option<(f64, String)>,
    /// Pixels of the width; the height follows from the bars.
    pub width: f64,
}

impl Bars {
    /// No bars yet, 680 wide.
    pub fn new(name: impl Into<String>, title: impl Into<String>, axis: Axis) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            description: String::new(),
            axis,
            parts: Vec::new(),
            bars: Vec::new(),
            rule: None,
            width: 680.0,
        }
    }

    /// With a description.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }
}
