//! The two texts that a description can be written in.

use std::path::Path;

/// How a description is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.0; what TOML 1.1 adds is read, too.
    Toml,
    /// JSON (RFC 8259): the same tables as objects.
    Json,
}

impl Format {
    /// JSON for a name that ends in `.json`, in whatever case; TOML for everything else.
    pub fn of_path(path: &Path) -> Self {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("json") => Self::Json,
            _ => Self::Toml,
        }
    }
}
