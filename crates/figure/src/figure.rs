//! A figure, whichever it is: as a file, in a page, and as a table.

use crate::bars::Bars;
use crate::chart::Chart;
use crate::drawing;
use crate::look::css;
use crate::ranges::Ranges;
use crate::schedule::Schedule;
use crate::svg::{escaped, px};
use crate::table::Table;

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Curves on two axes.
    Chart(Chart),
    /// What ran when.
    Schedule(Schedule),
    /// Parts of a whole.
    Bars(Bars),
    /// Intervals on an axis.
    Ranges(Ranges),
}

impl From<Chart> for Figure {
    fn from(of: Chart) -> Self {
        Self::Chart(of)
    }
}

impl From<Schedule> for Figure {
    fn from(of: Schedule) -> Self {
        Self::Schedule(of)
    }
}

impl From<Bars> for Figure {
    fn from(of: Bars) -> Self {
        Self::Bars(of)
    }
}

impl From<Ranges> for Figure {
    fn from(of: Ranges) -> Self {
        Self::Ranges(of)
    }
}

impl Figure {
    /// For files and links, made of what it was given: small letters, digits and dashes.
    pub fn name(&self) -> String {
        drawing::name(match self {
            Self::Chart(of) => &of.name,
            Self::Schedule(of) => &of.name,
            Self::Bars(of) => &of.name,
            Self::Ranges(of) => &of.name,
        })
    }

    /// What it shows.
    pub fn title(&self) -> &str {
        match self {
            Self::Chart(of) => &of.title,
            Self::Schedule(of) => &of.title,
            Self::Bars(of) => &of.title,
            Self::Ranges(of) => &of.title,
        }
    }

    /// A description of it.
    pub fn description(&self) -> &str {
        match self {
            Self::Chart(of) => &of.description,
            Self::Schedule(of) => &of.description,
            Self::Bars(of) => &of.description,
            Self::Ranges(of) => &of.description,
        }
    }

    /// A file of its own.
    pub fn svg(&self) -> String {
        self.drawn(Some(&css()))
    }

    /// For a page that has [`css`].
    pub fn inline(&self) -> String {
        self.drawn(None)
    }

    fn drawn(&self, css: Option<&str>) -> String {
        let name = self.name();
        let drawn = match self {
            Self::Chart(of) => drawing::chart(&name, of),
            Self::Schedule(of) => drawing::schedule(&name, of),
            Self::Bars(of) => drawing::bars(&name, of),
            Self::Ranges(of) => drawing::ranges(&name, of),
        };
        let (width, height) = drawn.size;
        let (width, height) = (px(width), px(height));
        let style = css.map_or(String::new(), |css| format!("<style>\n{css}</style>\n"));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"vf {}\" role=\"img\" aria-label=\"{}\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"12\"{}>\n\
             <desc>{}</desc>\n{style}{}</svg>\n",
            drawn.class,
            escaped(self.title()),
            drawn.data,
            escaped(self.description()),
            drawn.body,
        )
    }

    /// Its numbers.
    pub fn table(&self) -> Table {
        match self {
            Self::Chart(of) => Table::of_chart(of),
            Self::Schedule(of) => Table::of_schedule(of),
            Self::Bars(of) => Table::of_bars(of),
            Self::Ranges(of) => of.numbers.clone(),
        }
    }

    /// An element of a page that has [`css`]: the drawing, its description, and its numbers in a
    /// table that opens.
    pub fn html(&self) -> String {
        format!(
            "<figure class=\"vf-figure\" id=\"figure-{0}\">\n\
             <div class=\"vf-scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{1}\">\n{2}</div>\n\
             <figcaption>{3}</figcaption>\n\
             <details class=\"vf-numbers\"><summary>Numbers of this figure</summary>\n\
             <div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Numbers: {1}\">\n{4}</div></details>\n</figure>\n",
            self.name(),
            escaped(self.title()),
            self.inline(),
            escaped(self.description()),
            self.table().html()
        )
    }
}
