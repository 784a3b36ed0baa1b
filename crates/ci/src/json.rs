//! All results as one document: format "vorrang-checks/1".
//!
//! **Model.** `checks` has an object for each file, in the order in which they were checked: its `result` is the
//! document that `vorrang check FILE --json` prints, or `null` with what is wrong in `errors`. `message` is there
//! where the file could not be read at all. `verdict` is that of the worst file: `wrong` if one was refused.

use crate::judged::{Judged, Worst};
use serde_json::{Value, json};
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::json::{self, remark};
use vorrang_verdict::report::View;

/// The document, with a line feed at the end.
pub fn text(judged: &[Judged], view: &View) -> String {
    let document = json!({
        "format": "vorrang-checks/1",
        "tool": TOOL,
        "verdict": Worst::of(judged).word(),
        "checks": judged.iter().map(|one| check(one, view)).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn check(judged: &Judged, view: &View) -> Value {
    let refusal = judged.outcome.as_ref().err();
    let errors = refusal.map_or(&[][..], |refusal| &refusal.diagnostics);
    let unread = refusal.filter(|refusal| refusal.diagnostics.is_empty());
    json!({
        "file": judged.file.to_string_lossy(),
        "verdict": judged.worst().word(),
        "errors": errors.iter().map(remark).collect::<Vec<_>>(),
        "message": unread.map(|refusal| refusal.message.trim()),
        "result": judged.outcome.as_ref().ok().map(|checked| json::document(checked, view, &[])),
    })
}
