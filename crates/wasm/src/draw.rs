//! What is drawn of a requirement: the figures of the report ([`vorrang_report::of_requirement`]).
//!
//! **Model.** The request has the name of a `requirement` of the last check, and how many `jobs` are run for the
//! distribution of its response times.

use crate::request::{number, text};
use serde_json::{Value, json};
use vorrang_verdict::checked::Checked;

/// What is drawn.
///
/// # Errors
/// The request is not what it should be, or nothing of that name was checked.
pub fn answer(checked: Option<&Checked>, request: &Value) -> Result<Value, String> {
    let (name, jobs) = (text(request, "requirement")?, number(request, "jobs")?);
    let checked = checked.ok_or("nothing was checked")?;
    let place = checked.rulings.iter().position(|ruling| ruling.name == name);
    let place = place.ok_or_else(|| format!("there is no requirement {name}"))?;
    Ok(json!({ "requirement": name, "html": vorrang_report::of_requirement(checked, place, jobs) }))
}
