//! The core of Vorrang for a web page: one question as JSON, one answer as JSON.
//!
//! **Model.** [`Core::answer`] takes a request with a `verb` and returns a document; it reads nothing else, and keeps
//! what the last check found, so that it can be drawn. What a check says is the text that `vorrang check --json` prints
//! for the same bytes, in the answer as a string, so that nothing on the way can change a number.
//!
//! | verb | answers |
//! |---|---|
//! | `check` ([`look`]) | diagnostics with their places, or the document of the check |
//! | `design` ([`design`]) | the description with what it leaves open chosen, or why there is none |
//! | `draw` ([`draw`]) | of the last check, the figures of a requirement and how its bound comes about, as HTML |
//! | `margins` ([`draw`]) | of the last check, how far parameters may move for a requirement, as HTML |
//! | `style` | the style sheet of the figures |
//! | `keys` ([`words`]) | tables, keys and words of descriptions, for completion |
//! | `explain` | the page of a code |
//!
//! **Assumptions.** 1. The page gives requests one after the other; an instance that panicked is not used
//! again (`memory.rs`).
//!
//! **Does not cover** profiles that are not in the request.

#[cfg(target_arch = "wasm32")]
mod memory;

pub mod design;
pub mod draw;
pub mod look;
mod progress;
mod request;
pub mod words;

use crate::request::text;
use serde_json::{Value, json};
use vorrang_model::LastText;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::codes::pages;

/// What answers requests, one after the other.
#[derive(Default)]
pub struct Core {
    /// What the last check found that found anything.
    checked: Option<Checked>,
    /// The text that was read last.
    read: LastText,
}

impl Core {
    /// The answer to a request.
    pub fn answer(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str::<Value>(request) {
            Ok(request) => self.to(&request),
            Err(problem) => Err(format!("the request is not JSON: {problem}")),
        };
        answer.unwrap_or_else(|problem| json!({ "wrong": problem })).to_string()
    }

    fn to(&mut self, request: &Value) -> Result<Value, String> {
        match text(request, "verb")? {
            "check" => {
                let (answer, checked) =
                    look::answer(request, self.checked.as_ref(), &mut self.read)?;
                self.checked = checked.or(self.checked.take());
                Ok(answer)
            }
            "design" => design::answer(request),
            "draw" => draw::answer(self.checked.as_ref(), request),
            "margins" => draw::margins(self.checked.as_ref(), request),
            "style" => Ok(json!({ "style": vorrang_figure::css() })),
            "keys" => Ok(words::all()),
            "explain" => {
                let wanted = text(request, "code")?;
                let page = pages().find(|(code, ..)| *code == wanted);
                Ok(json!({ "page": page.map(|(_, _, page)| page) }))
            }
            verb => Err(format!("there is no verb {verb}")),
        }
    }
}
