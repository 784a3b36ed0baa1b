//! What a request holds.

use serde_json::Value;

/// The text under a key.
///
/// # Errors
/// There is none.
pub(crate) fn text<'r>(request: &'r Value, key: &str) -> Result<&'r str, String> {
    request[key].as_str().ok_or_else(|| format!("{key} must be a string"))
}

/// The whole number under a key.
///
/// # Errors
/// There is none.
pub(crate) fn number(request: &Value, key: &str) -> Result<u64, String> {
    request[key].as_u64().ok_or_else(|| format!("{key} must be a whole number"))
}
