//! What a request holds.

use serde_json::Value;

/// The text under a key.
///
/// # Errors
/// There is none.
pub(crate) fn text<'r>(request: &'r Value, key: &str) -> Result<&'r str, String> {
    request[key].as_str().ok_or_else(|| format!("{key} must be a string"))
}
