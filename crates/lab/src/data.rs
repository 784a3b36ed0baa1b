//! The files of `scenarios/`: all that a scenario is, except what has to be a program.
//!
//! They are part of the lab: one that is missing or wrong is a bug of it, and ends it.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::fs;
use std::path::{Path, PathBuf};
use vorrang_time::Duration;

/// The path of a file.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name)
}

/// The text of a file.
///
/// # Panics
/// It is not there.
pub fn text(name: &str) -> String {
    let path = path(name);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// What a file says.
///
/// # Panics
/// It is not there, or says something else.
pub fn read<T: DeserializeOwned>(name: &str) -> T {
    toml::from_str(&text(name)).unwrap_or_else(|why| panic!("scenarios/{name}: {why}"))
}

/// A time such as `200ms`, in nanoseconds.
///
/// # Errors
/// It is none.
pub fn ns<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Duration::as_ns).map_err(D::Error::custom)
}

/// A time that is given by itself, in nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Time(#[serde(deserialize_with = "ns")] pub u64);
