//! The files of a machine that are data, or programs of the host.

use crate::data;
use crate::image::File;
use crate::program;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// A file below `scenarios/`: in the machine it has its own name, or another one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum From {
    Here(String),
    As { from: String, path: String },
}

impl From {
    pub(super) fn path(&self) -> String {
        match self {
            Self::Here(from) => format!("/{}", from.rsplit('/').next().unwrap_or(from)),
            Self::As { path, .. } => path.clone(),
        }
    }

    pub(super) fn text(&self) -> String {
        let (Self::Here(from) | Self::As { from, .. }) = self;
        data::text(from)
    }
}

/// A program of the host, as far as it is there; the step that needs a missing one says so.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Tool {
    /// Alone, in `/bin`.
    Static(String),
    /// With its libraries, in `/sbin`, where the guest looks first.
    WithLibraries {
        #[serde(rename = "with-libraries")]
        name: String,
    },
}

impl Tool {
    fn files(&self) -> Vec<File> {
        let (Self::Static(name) | Self::WithLibraries { name }) = self;
        let found = ["/usr/bin", "/bin"].map(|folder| format!("{folder}/{name}"));
        let Some(bytes) = found.iter().find_map(|path| fs::read(path).ok()) else {
            return Vec::new();
        };
        let Self::WithLibraries { .. } = self else {
            return vec![File { path: format!("/bin/{name}"), bytes }];
        };
        let ldd = |path| program::text(Command::new("ldd").arg(path)).ok();
        let libraries = found.iter().find_map(ldd).unwrap_or_default();
        let words = libraries.split_whitespace().filter(|word| word.starts_with('/'));
        let library =
            |path: &str| Some(File { path: path.to_owned(), bytes: fs::read(path).ok()? });
        let mut files = vec![File { path: format!("/sbin/{name}"), bytes }];
        files.extend(words.filter_map(library));
        files
    }
}

/// All of them, each once.
pub(super) fn read(files: &[From], tools: &[Tool]) -> Vec<File> {
    let file = |one: &From| File { path: one.path(), bytes: one.text().into_bytes() };
    let mut all: Vec<File> = files.iter().map(file).collect();
    all.extend(tools.iter().flat_map(Tool::files));
    let mut seen = BTreeSet::new();
    all.retain(|file| seen.insert(file.path.clone()));
    all
}
