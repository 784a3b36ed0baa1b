//! A plan for another machine, by what `vorrang doctor --json` printed there.

use crate::doctor::FORMAT;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use vorrang_command::decided::unfit;
use vorrang_command::exit::{Failure, Output};
use vorrang_enforce::journal::Described;
use vorrang_enforce::{Folder, GROUP, Kernel as _, Told};
use vorrang_host::elsewhere::changes_on;
use vorrang_quote::name::shown;
use vorrang_quote::visible;
use vorrang_verdict::input::Input;

/// The largest document: a hundred times that of a machine with a thousand threads.
const LARGEST: usize = 64 << 20;

/// What is known of a machine.
struct Document {
    told: Told,
    /// Names of causes, and what they do; with `*` for the ending of a verb of one.
    causes: Vec<(Vec<String>, &'static str)>,
}

/// The plan for the machine of this file.
///
/// # Errors
/// The file is not about a machine, or the description does not fit it.
pub(super) fn planned(
    file: &Path,
    input: &Input,
    described: &Described,
    unproven: bool,
) -> Result<Output, Failure> {
    let document = if file.is_dir() {
        Ok(Document { told: Told::of(&Folder(file.to_owned())), causes: Vec::new() })
    } else {
        let read = std::fs::read(file).map_err(|why| format!("cannot be read: {why}"));
        read.and_then(|text| document(&text))
    };
    let document =
        document.map_err(|why| Failure::bad_input(format!("error: {}: {why}\n", shown(file))))?;
    let words = if vorrang_enforce::is_dispatched(&input.system) {
        changes_on(&document.told, input, unproven)?
    } else {
        let plan = vorrang_enforce::plan(&document.told, &input.system);
        plan.map_err(|why| unfit(input, &why.missing, &why.wrong))?.words()
    };
    let file = shown(file);
    let name = document.told.name().map(|name| format!("{} ({file})", visible(name)));
    let name = name.unwrap_or_else(|| format!("of {file}"));
    let release = document.told.release().map_or("of an unknown release".to_owned(), visible);
    let mut text = format!("{}: {}, sha256 {}\n", input.name, described.verdict, input.sha256);
    let _ = writeln!(text, "For the machine {name}, Linux {release}.");
    for (causes, does) in &document.causes {
        let s = if causes.len() == 1 { "s" } else { "" };
        let _ = writeln!(text, "There {} {}.", visible(&causes.join(", ")), does.replace('*', s));
    }
    if [GROUP, vorrang_host::changes::GROUP].iter().any(|group| document.told.list(group).is_ok()) {
        text += "A description was in effect there: `vorrang restore` has to end it first.\n";
    }
    let _ = write!(
        text,
        "{words}\nNothing was changed. `vorrang apply --yes` on that machine makes these changes.\n"
    );
    Ok(Output::success(text))
}

fn document(text: &[u8]) -> Result<Document, String> {
    if text.len() > LARGEST {
        return Err(format!(
            "has {} bytes, and a document about a machine at most {LARGEST}",
            text.len()
        ));
    }
    let whole: Value = serde_json::from_slice(text).map_err(|why| format!("is no JSON: {why}"))?;
    match whole["format"].as_str() {
        Some(FORMAT) => {}
        Some(other) => {
            return Err(format!(
                "is of format \"{}\", and `vorrang doctor --json` prints \"{FORMAT}\"",
                visible(other)
            ));
        }
        None => {
            return Err(format!("has no \"format\": `vorrang doctor --json` prints \"{FORMAT}\""));
        }
    }
    let machine = whole.get("machine").ok_or(
        "does not tell a machine: it is about a thread, or of an older version; `vorrang doctor --json` on the machine does",
    )?;
    let told: Told =
        serde_json::from_value(machine.clone()).map_err(|why| format!("\"machine\": {why}"))?;
    let of = |state: &str| {
        let findings = whole["findings"].as_array().into_iter().flatten();
        let of_state = findings.filter(|one| one["state"] == state);
        of_state.filter_map(|one| Some(one["cause"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let mut causes = vec![(of("stops"), "stop* threads"), (of("costs"), "cost* time")];
    causes.retain(|(names, _)| !names.is_empty());
    Ok(Document { told, causes })
}
