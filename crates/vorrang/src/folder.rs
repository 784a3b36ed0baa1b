//! The descriptions in folders.
//!
//! **Model.** A folder stands for the files in it and below that end in `.toml` or `.json` and are meant as
//! descriptions, in the order of their paths. What is hidden is left out, and links to folders are not followed, so
//! that there is an end. A file that is named itself is taken, whatever is in it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use vorrang_command::exit::Failure;
use vorrang_command::input;
use vorrang_model::{Format, included, is_meant_as_description};
use vorrang_quote::name::shown;

/// The same without those files in folders that others of them include: they are a part of these.
///
/// # Errors
/// As [`descriptions()`].
pub fn roots<'a>(given: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let given: Vec<&PathBuf> = given.into_iter().collect();
    let mut found = descriptions(given.iter().copied())?;
    let mut parts = BTreeSet::new();
    for file in &found {
        let Ok(bytes) = input::file(file) else { continue };
        let folder = file.parent().unwrap_or(Path::new(""));
        let named = included(bytes, Format::of_path(file)).into_iter();
        parts.extend(named.filter_map(|named| folder.join(named).canonicalize().ok()));
    }
    let is_part = |file: &PathBuf| file.canonicalize().is_ok_and(|file| parts.contains(&file));
    found.retain(|file| given.contains(&file) || !is_part(file));
    Ok(found)
}

/// These files, and those in these folders; each once, where it comes first.
///
/// # Errors
/// A folder cannot be read, or has no description.
pub fn descriptions<'a>(
    given: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<Vec<PathBuf>, Failure> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in given {
        let own = if path.is_dir() { within(path)? } else { vec![path.clone()] };
        for file in own {
            if !found.contains(&file) {
                found.push(file);
            }
        }
    }
    Ok(found)
}

fn within(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let refused = |why: &str| Failure::bad_input(format!("error: {}: {why}\n", shown(folder)));
    let mut found = Vec::new();
    collect(folder, &mut found).map_err(|why| refused(&input::explained(&why)))?;
    found.sort();
    if found.is_empty() {
        Err(refused("there is no description in this folder"))
    } else {
        Ok(found)
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        } else if is_description(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// One that cannot be read is, too: that is said when it is checked.
fn is_description(path: &Path) -> bool {
    let may_be = path
        .extension()
        .is_some_and(|own| own.eq_ignore_ascii_case("toml") || own.eq_ignore_ascii_case("json"));
    let is_meant = |bytes| is_meant_as_description(bytes, Format::of_path(path));
    may_be && path.is_file() && input::file(path).map_or(true, is_meant)
}
