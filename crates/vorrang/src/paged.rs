//! Results as pages that people look at: what every verb has that can write one.
//!
//! **Model.** One rule: a verb that finds something has `--report FILE`, which writes what it found as a page, beside
//! what it prints. `vorrang report` is `vorrang check` with nothing but the page.

use crate::content::Content;
use crate::destination::{Destinations, Draft, unwritable};
use std::fs;
use std::path::{Path, PathBuf};
use vorrang_command::exit::Failure;
use vorrang_figure::Figure;
use vorrang_report::{Options, Report};

/// Where a page goes, if one is wanted.
#[derive(Debug, clap::Args)]
pub struct Paged {
    /// Write the result as a page to look at, too (HTML; docs/report.md)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write each figure of the page into this directory, as SVG
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// What the page says about when it was made
    #[arg(long, value_name = "TEXT", requires = "report")]
    date: Option<String>,
}

/// A page that is to be written.
pub struct Begun {
    page: Option<Draft>,
    figures: Option<PathBuf>,
    /// What is wanted of it.
    pub options: Options,
}

impl Paged {
    /// Nothing where none is wanted. Before the work: a file that cannot be written is known at once.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(&self, files: &mut Destinations) -> Result<Option<Begun>, Failure> {
        if self.report.is_none() && self.figures.is_none() {
            return Ok(None);
        }
        let page = self.report.as_ref().map(|path| files.begin(path, Content::Page)).transpose()?;
        let options = Options { date: self.date.clone(), ..Options::default() };
        Ok(Some(Begun { page, figures: self.figures.clone(), options }))
    }
}

impl Begun {
    /// Writes the page and its figures.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(self, files: &mut Destinations, made: &Report) -> Result<(), Failure> {
        if let Some(folder) = &self.figures {
            write_figures(files, folder, &made.figures)?;
        }
        self.page.map_or(Ok(()), |page| page.write_whole(made.html.as_bytes()))
    }
}

/// Each figure as a file of its own in a directory, which is made if it is not there.
///
/// # Errors
/// A file cannot be written.
pub fn write_figures(
    files: &mut Destinations,
    folder: &Path,
    figures: &[Figure],
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|why| unwritable(folder, &why))?;
    for figure in figures {
        let path = folder.join(format!("{}.svg", figure.name()));
        files.begin(&path, Content::Picture)?.write_whole(figure.svg().as_bytes())?;
    }
    Ok(())
}
