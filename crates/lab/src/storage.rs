//! The place of downloads and builds: the user's cache folder.

use crate::failure::Failure;
use std::env;
use std::fs;
use std::path::PathBuf;

/// The lab's folder in the user's cache folder (`XDG_CACHE_HOME`, `~/.cache` without it).
///
/// # Errors
/// Neither that nor a home folder is known.
pub fn folder() -> Result<PathBuf, Failure> {
    let absolute =
        |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("vorrang").join("lab"))
        .ok_or_else(|| {
            Failure("there is no place for downloads: set XDG_CACHE_HOME or HOME".to_owned())
        })
}

/// A folder in it, made if it is not there.
///
/// # Errors
/// It cannot be made.
pub fn subfolder(name: &str) -> Result<PathBuf, Failure> {
    let path = folder()?.join(name);
    fs::create_dir_all(&path).map_err(|why| Failure::at(&path, why))?;
    Ok(path)
}
