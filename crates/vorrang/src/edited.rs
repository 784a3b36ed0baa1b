//! The file of a description, with another text in its place.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_quote::name::shown;

/// The file of that name is the old one or the new one, never a part; its permissions stay.
///
/// # Errors
/// It cannot be written.
pub(crate) fn replace(file: &Path, text: &str) -> Result<(), Failure> {
    replaced(file, text).map_err(|why| {
        Failure::host(format!("error: {}: it cannot be written: {why}\n", shown(file)))
    })
}

fn replaced(file: &Path, text: &str) -> io::Result<()> {
    // A link stays one.
    let file = fs::canonicalize(file)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().set_permissions(fs::metadata(&file)?.permissions())?;
    draft.as_file().sync_all()?;
    draft.persist(&file).map_err(|why| why.error)?;
    Ok(())
}
