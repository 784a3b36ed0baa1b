//! What is drawn of a requirement: the figures of the report ([`vorrang_report::of_requirement`]), and its margins; of what
//! is required of a chain, its path ([`vorrang_report::of_chain`]).
//!
//! **Model.** The request has the name of a `requirement` of the last check, or that of a chain and what is required of it, and for its figures how many `jobs` are run
//! for the distribution of its response times.
//!
//! **Cost.** Margins take some tenths of a second; what would take longer is left out by name.

use crate::request::{number, text};
use serde_json::{Value, json};
use vorrang_design::{Limits, Work};
use vorrang_verdict::bug::Bug;
use vorrang_verdict::chain::ChainRuling;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::margin;

/// The figures.
///
/// # Errors
/// The request is not what it should be, or nothing of that name was checked.
pub fn answer(checked: Option<&Checked>, request: &Value) -> Result<Value, String> {
    let jobs = number(request, "jobs")?;
    let name = text(request, "requirement")?;
    let is_it = |ruling: &ChainRuling| format!("{} {}", ruling.name, ruling.asked.word()) == name;
    let chain = checked.and_then(|of| Some((of, of.chains.iter().position(is_it)?)));
    if let Some((checked, place)) = chain {
        return Ok(
            json!({ "requirement": name, "html": vorrang_report::of_chain(checked, place) }),
        );
    }
    let (checked, place, name) = required(checked, request)?;
    Ok(json!({ "requirement": name, "html": vorrang_report::of_requirement(checked, place, jobs) }))
}

/// How far parameters may move.
///
/// # Errors
/// The request is not what it should be, nothing of that name was checked, or a bug came to light.
pub fn margins(checked: Option<&Checked>, request: &Value) -> Result<Value, String> {
    let (checked, place, name) = required(checked, request)?;
    let work =
        Work { limits: Limits::of(400), terms_each: 10_000_000, terms: 100_000_000, searches: 100 };
    let found = margin::find(&checked.input.system, &[place], &work);
    let found = found.map_err(|Bug(message)| message)?;
    let html = vorrang_report::margins_of(checked, place, &found);
    Ok(json!({ "requirement": name, "html": html }))
}

/// The check, with the requirement that a request names.
fn required<'r>(
    checked: Option<&'r Checked>,
    request: &'r Value,
) -> Result<(&'r Checked, usize, &'r str), String> {
    let name = text(request, "requirement")?;
    let checked = checked.ok_or("nothing was checked")?;
    let place = checked.rulings.iter().position(|ruling| ruling.name == name);
    let place = place.ok_or_else(|| format!("there is no requirement {name}"))?;
    Ok((checked, place, name))
}
