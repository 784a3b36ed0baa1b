//! One look at a description: everything that the page shows of it.
//!
//! **Model.** The request has the `text` of the description, its `name`, perhaps `files` (what it includes, and profiles, by name),
//! `steps` of the search, and whether `helps` are looked for. With the steps of `vorrang check` and with helps, `check`
//! is what `vorrang check --json` prints; with fewer it is a quicker first look at the same.

use crate::request::text as text_of;
use serde_json::{Value, json};
use std::path::Path;
use vorrang_model::{Colour, Diagnostic, Format, LastText};
use vorrang_sim::Search;
use vorrang_verdict::check::{Limits, conclude_since};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::earlier::Earlier;
use vorrang_verdict::input::{Given, Input, Placed, Reading, Refusal};
use vorrang_verdict::report::View;
use vorrang_verdict::{bug::Bug, json};

/// What is said of a description, and what was found if it could be checked; what the last check found stands where
/// nothing changed.
///
/// # Errors
/// The request is not what it should be.
pub fn answer(
    request: &Value,
    last: Option<&Checked>,
    read: &mut LastText,
) -> Result<(Value, Option<Checked>), String> {
    let text = text_of(request, "text")?;
    let name = text_of(request, "name")?;
    let limits = limits(request);
    let input = match reading(name, text, &request["files"], |reading| reading.complete_since(read))
    {
        Ok(input) => input,
        Err(Refusal { diagnostics, message, .. }) => {
            let diagnostics: Vec<Value> =
                diagnostics.iter().map(|placed| diagnostic(text, placed)).collect();
            let refused = json!({ "message": message, "diagnostics": diagnostics });
            return Ok((json!({ "refused": refused }), None));
        }
    };
    let warnings: Vec<Value> =
        input.warnings.iter().map(|placed| diagnostic(text, placed)).collect();
    Ok(match check_since(input, &limits, last) {
        Ok(checked) => {
            let document = json::check(&checked, &View::default(), &[]);
            (json!({ "check": document, "warnings": warnings }), Some(checked))
        }
        Err(Bug(message)) => (json!({ "bug": message }), None),
    })
}

/// Everything that a check finds.
///
/// # Errors
/// A bug came to light.
pub fn check(input: Input, limits: &Limits) -> Result<Checked, Bug> {
    check_since(input, limits, None)
}

fn check_since(input: Input, limits: &Limits, last: Option<&Checked>) -> Result<Checked, Bug> {
    let earlier = Earlier::of(last, &limits.search);
    let bounds = earlier.bounds(&input.system, &|| false);
    let of = (&input.system, &bounds);
    let observations = earlier.search(of, &limits.search, &mut (), &mut |_| {});
    conclude_since(input, bounds, observations, limits, earlier)
}

fn limits(request: &Value) -> Limits {
    let usual = Limits::usual();
    let search = request["steps"].as_u64().map_or(usual.search, Search::within);
    Limits { search, helps: request["helps"].as_bool().unwrap_or(usual.helps), ..usual }
}

/// What is made of the reading of a text, with what stands beside it in the request.
pub(crate) fn reading<R>(
    name: &str,
    text: &str,
    files: &Value,
    of: impl FnOnce(Reading<'_>) -> R,
) -> R {
    let mut beside = |path: &Path| {
        let file = path.to_str().and_then(|path| files[path].as_str());
        file.map(|text| text.as_bytes().to_vec()).ok_or_else(|| "there is no such file".to_owned())
    };
    of(Reading {
        given: Given { file: name.into(), format: None, standard_input: None },
        bytes: text.as_bytes(),
        format: Format::of_path(Path::new(name)),
        allow: &[],
        file: &mut beside,
        colour: Colour::Never,
    })
}

/// A diagnostic with its place: line and column as they are printed, `from` and `to` in units of UTF-16.
fn diagnostic(text: &str, (found, (line, column)): &Placed) -> Value {
    let Diagnostic { code, message, span, label, help, .. } = found;
    let place = |byte: usize| {
        // What stands in another file has no place in this text.
        let byte = if found.file.is_some() { 0 } else { byte };
        let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
        String::from_utf8_lossy(before).encode_utf16().count()
    };
    json!({
        "code": code.text(),
        "warning": code.is_warning(),
        "message": message,
        "label": label,
        "help": help.as_deref().map(on_the_page),
        "file": found.file.as_deref(),
        "line": line,
        "column": column,
        "from": place(span.start),
        "to": place(span.end),
    })
}

/// What helps, where the page has a button for what a command does.
fn on_the_page(help: &str) -> String {
    const BUTTONS: [(&str, &str); 3] = [
        ("`vorrang design FILE`", "“Design this”"),
        ("`vorrang design`", "“Design this”"),
        // What is measured on a machine is opened together with the description.
        (
            "`vorrang measure kernel --out kernel.toml` there, then `kernel = \"kernel.toml\"`",
            "a profile that was measured there: `kernel = \"kernel.toml\"`, and “Open…” with both files",
        ),
    ];
    // The button writes without being told to.
    let help = help.replace("; `--out` writes it down", " and writes it into the text");
    BUTTONS.iter().fold(help, |help, (command, button)| help.replace(command, button))
}
