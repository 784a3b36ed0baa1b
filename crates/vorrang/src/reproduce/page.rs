//! `vorrang reproduce --all --out DIR`: the page and its pictures as files.

use crate::content::Content;
use crate::destination::{Destinations, Draft, Replace, unwritable};
use std::fs;
use std::path::{Path, PathBuf};
use vorrang_command::exit::Failure;
use vorrang_reproduce::page::{STYLE, body};
use vorrang_reproduce::{Made, Setting};
use vorrang_verdict::identity::TOOL;

/// Where it goes.
pub(super) struct Folder {
    path: PathBuf,
    files: Destinations,
    index: Draft,
}

impl Folder {
    /// # Errors
    /// The folder or the page in it cannot be written.
    pub(super) fn begin(
        path: &Path,
        replace: Replace,
        profile: Option<&Path>,
    ) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|why| unwritable(path, &why))?;
        let inputs: Vec<&Path> = profile.into_iter().collect();
        let mut files = Destinations::new(replace, &inputs);
        let index = files.begin(&path.join("index.html"), Content::Page)?;
        Ok(Self { path: path.to_owned(), files, index })
    }

    /// Writes all of it, and says what there is.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(mut self, made: &Made, setting: &Setting) -> Result<String, Failure> {
        let mut count = 0;
        for picture in made.iter().flat_map(|(_, found)| &found.pictures) {
            let path = self.path.join(format!("{}.svg", picture.name()));
            let draft = self.files.begin(&path, Content::Picture)?;
            draft.write_whole(picture.svg().as_bytes())?;
            count += 1;
        }
        let html = vorrang_report::shell(
            "Published figures and claims",
            STYLE,
            &body(made, setting, TOOL),
        );
        self.index.write_whole(html.as_bytes())?;
        Ok(format!("A page with {} figures and {count} pictures.\n", made.len()))
    }
}
