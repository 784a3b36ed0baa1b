//! One's own description with other values: the verdict of `vorrang check` at each point of a grid.
//!
//! **Model.** Keys of the description have one of several values each. Every combination is a point, the last key
//! fastest; the description with these values is read and judged as any other. A point at which it is refused says why.
//!
//! **Does not cover** values that are left open: `vorrang design` chooses those.

mod curve;
mod point;
mod table;
mod vary;

pub(crate) use vary::Vary;

use crate::content::Content;
use crate::destination::{Destinations, Replace};
use point::Point;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use toml_edit::DocumentMut;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::{Source, Written};
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_quote::name::shown;
use vorrang_sim::Search;

/// Most points of a grid.
const POINTS: usize = 100_000;

/// What is varied, and how it is shown.
pub(super) struct Own {
    pub(super) file: PathBuf,
    pub(super) varied: Vec<Vary>,
    /// The names of requirements with a column each; all of a few if none is given.
    pub(super) of: Vec<String>,
    pub(super) csv: bool,
    pub(super) svg: Option<PathBuf>,
    /// Every so many points, from this one on, counted from one.
    pub(super) part: (u64, u64),
    /// Steps of the simulator at each point.
    pub(super) steps: u64,
}

impl Own {
    /// All of it.
    ///
    /// # Errors
    /// The description, or what is varied in it, is wrong; or a bug came to light.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let source =
            Source { file: self.file.clone(), format: None, allow: Vec::new(), text: None };
        let text = self.text(&source)?;
        let points = self.places()?;
        let mut files = Destinations::new(Replace::default(), &[&self.file]);
        let svg = self.svg.as_ref().map(|path| files.begin(path, Content::Picture)).transpose()?;
        interruption::listen();
        let found = self.judged(&source, &text, points)?;
        if interruption::is_wanted() {
            let message = "interrupted; nothing is printed of a part\n".to_owned();
            return Err(Failure { exit: Exit::Interrupted, message });
        }
        self.are_known(&found)?;
        if let Some(svg) = svg {
            svg.write_whole(curve::svg(&self.varied, &found, &self.of)?.as_bytes())?;
        }
        let text = if self.csv {
            table::csv(&self.varied, &found)
        } else {
            table::text(&self.varied, &found, &self.of)
        };
        Ok(files.output(text, Exit::Success))
    }

    fn text(&self, source: &Source) -> Result<DocumentMut, Failure> {
        let wrong = |why: &dyn std::fmt::Display| {
            Failure::bad_input(format!("error: {}: {why}\n", shown(&self.file)))
        };
        if source.format() != vorrang_model::Format::Toml {
            let word = Written::Json.word();
            return Err(wrong(&format!("--vary is of descriptions in TOML, and this is {word}")));
        }
        let bytes = source.read_bytes()?;
        let text = std::str::from_utf8(&bytes).map_err(|_| wrong(&"it is not UTF-8"))?;
        text.parse().map_err(|why| wrong(&why))
    }

    /// The points of this part.
    fn places(&self) -> Result<Vec<Vec<String>>, Failure> {
        let sizes = self.varied.iter().map(|vary| vary.values.len());
        let count = sizes.fold(1_usize, usize::saturating_mul);
        if count > POINTS {
            let message = format!("error: the grid has {count} points, and may have {POINTS}\n");
            return Err(Failure::bad_input(message));
        }
        let (number, of) = self.part;
        let is_ours = |place: &usize| (*place as u64) % of == number - 1;
        let all = point::combinations(&self.varied).into_iter().enumerate();
        Ok(all.filter(|(place, _)| is_ours(place)).map(|(_, values)| values).collect())
    }

    fn judged(
        &self,
        source: &Source,
        text: &DocumentMut,
        points: Vec<Vec<String>>,
    ) -> Result<Vec<Point>, Failure> {
        let steps = Search::within(self.steps);
        let done = Arc::new(AtomicU64::new(0));
        let _waiting = progress::of_systems(Arc::clone(&done), points.len() as u64);
        // A document is no value that threads share.
        let text = text.to_string();
        let judged = points.into_par_iter().map(|values| {
            let text: DocumentMut = text.parse().expect("it was read");
            let point = point::at(source, &text, &self.varied, values, &steps);
            done.fetch_add(1, Ordering::Relaxed);
            point
        });
        judged.collect()
    }

    /// Every name of a column is that of a requirement, wherever the description is one.
    fn are_known(&self, found: &[Point]) -> Result<(), Failure> {
        let names = || found.iter().flat_map(Point::names);
        let refused = found.first().and_then(|point| point.found.as_ref().err());
        if let Some(why) = refused.filter(|_| found.iter().all(|point| point.found.is_err())) {
            let file = shown(&self.file);
            let message = format!("error: {file}: it is refused at every point: {why}\n");
            return Err(Failure::bad_input(message));
        }
        for wanted in &self.of {
            if !names().any(|name| point::is_called(name, wanted)) {
                let message = format!("error: there is no requirement {}\n", shown(wanted));
                return Err(Failure::bad_input(message));
            }
        }
        Ok(())
    }
}
