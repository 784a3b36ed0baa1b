//! Two results compared, and the layout of a text: verbs that have no one description.

use pyo3::prelude::*;
use serde_json::Value;
use vorrang_command::exit::Exit;
use vorrang_verdict::difference;
use vorrang_verdict::screen::PLAIN;

/// Document, text and exit code.
type Compared = (String, String, u8);

/// Two documents of `check` compared; or why they cannot be.
#[pyfunction]
pub(crate) fn diff(was: &str, is: &str, moved: u64) -> PyResult<Compared> {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).map_err(|why| wrong(&why));
    let permille = moved.saturating_mul(10);
    let found = difference::between(&parsed(was)?, &parsed(is)?, permille);
    let found = found.map_err(|(_, why)| wrong(&why))?;
    let exit = if found.is_worse() { Exit::Refuted } else { Exit::Success };
    Ok((format!("{:#}\n", found.document()), found.text(PLAIN), exit as u8))
}

/// A description in TOML in its layout; or why it has none.
#[pyfunction]
pub(crate) fn fmt(text: &str) -> PyResult<String> {
    vorrang_fmt::formatted(text).map_err(|why| wrong(&why))
}

fn wrong(why: &impl ToString) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(why.to_string())
}
