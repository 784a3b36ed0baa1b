//! *Design this*: what a description leaves open, chosen as `vorrang design` chooses it.
//!
//! **Model.** The request is that of a check. The answer has the `text` with the values in it and how many `steps` that
//! took; or, as `absent`, why there is none. The text is checked by who asked, like any other: a design that is not
//! proven then would be seen.

use crate::look::reading;
use crate::progress::told;
use crate::request::text as text_of;
use serde_json::{Value, json};
use vorrang_design::{Answer, Limits, design};
use vorrang_verdict::absence;
use vorrang_verdict::input::Refusal;

/// The completed text, or why there is none.
///
/// # Errors
/// The request is not what it should be.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method takes one lifetime, not all"
)]
pub fn answer(request: &Value) -> Result<Value, String> {
    let (text, name) = (text_of(request, "text")?, text_of(request, "name")?);
    let files = &request["files"];
    let mut open = match reading(name, text, files, |reading| reading.open()) {
        Ok(open) => open,
        Err(Refusal { message, .. }) => return Ok(json!({ "absent": message })),
    };
    let limits = Limits { told, ..Limits::for_cores(open.cores().len()) };
    let found = match design(&mut open, limits) {
        Answer::Design(found) => found,
        Answer::Absent(why) => return Ok(json!({ "absent": absence::sentence(why) })),
    };
    let text = String::from_utf8_lossy(&open.written(&found.chosen)).into_owned();
    Ok(json!({ "text": text, "steps": found.steps }))
}
