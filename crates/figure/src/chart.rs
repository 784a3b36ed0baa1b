//! A chart: what is drawn against two axes.

use crate::look::Look;

/// How numbers become places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal factors are; what is not above zero has no place and is left out.
    Logarithmic,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is along it, without its unit.
    pub label: String,
    /// The unit of its numbers; empty where there is none.
    pub unit: String,
    /// How numbers become places.
    pub scale: Scale,
    /// Where it begins; otherwise with the data.
    pub from: Option<f64>,
    /// Where it ends; otherwise with the data.
    pub to: Option<f64>,
}

impl Axis {
    /// A linear axis over all data.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        let (label, unit) = (label.into(), unit.into());
        Self { label, unit, scale: Scale::Linear, from: None, to: None }
    }

    /// A logarithmic axis over all data.
    pub fn logarithmic(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Logarithmic, ..Self::linear(label, unit) }
    }

    /// Beginning here.
    #[must_use]
    pub const fn from(mut self, from: f64) -> Self {
        self.from = Some(from);
        self
    }

    /// Ending here.
    #[must_use]
    pub const fn to(mut self, to: f64) -> Self {
        self.to = Some(to);
        self
    }

    /// The label with the unit.
    pub fn heading(&self) -> String {
        if self.unit.is_empty() {
            return self.label.clone();
        }
        format!("{} [{}]", self.label, self.unit)
    }

    /// Whether a number has a place.
    pub(crate) fn has(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A line from point to point.
    Line,
    /// A line with a marker at each point.
    LineWithPoints,
    /// Markers alone.
    Points,
    /// Each value holds until the next point: distribution functions, demand.
    Steps,
    /// Bars from each point to the next, as high as the first says; the last only ends the one before.
    Bins,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// How they are drawn.
    pub shape: Shape,
    /// How they look; otherwise by their place among the series.
    pub look: Option<Look>,
    /// In the units of the axes.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A series that looks as its place says.
    pub fn new(name: impl Into<String>, shape: Shape, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), shape, look: None, points }
    }

    /// With a look of its own.
    #[must_use]
    pub const fn look(mut self, look: Look) -> Self {
        self.look = Some(look);
        self
    }
}

/// A reference line across the whole chart, with its name at it.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// Upright, at a value of the horizontal axis.
    At(f64, String, Look),
    /// Level, at a value of the vertical axis.
    Level(f64, String, Look),
}

/// A marked point, with lines down to both axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its place in the chart.
    pub at: (f64, f64),
    /// What it is.
    pub label: String,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// For files and links: small letters, digits and dashes.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// A description of it in a sentence or two, for screen readers.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
    /// Reference lines.
    pub rules: Vec<Rule>,
    /// Marked points.
    pub spots: Vec<Spot>,
    /// Pixels of the whole figure.
    pub size: (f64, f64),
}

impl Chart {
    /// An empty chart, 680 by 380.
    pub fn new(name: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            description: String::new(),
            x,
            y,
            series: Vec::new(),
            rules: Vec::new(),
            spots: Vec::new(),
            size: (680.0, 380.0),
        }
    }

    /// With a description.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// With one series more.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// With one reference line more.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// With one marked point more.
    #[must_use]
    pub fn spot(mut self, at: (f64, f64), label: impl Into<String>) -> Self {
        self.spots.push(Spot { at, label: label.into() });
        self
    }

    /// How the series at this place looks.
    pub(crate) fn look(&self, place: usize) -> Look {
        self.series[place].look.unwrap_or(Look::Nth(place))
    }
}
