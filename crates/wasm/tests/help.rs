//! What helps, on a page: its buttons, not commands.

use serde_json::{Value, json};
use vorrang_wasm::Core;

/// What is answered about a text.
fn answered(text: &str) -> Value {
    let request = json!({ "verb": "check", "name": "system.toml", "text": text });
    serde_json::from_str(&Core::default().answer(&request.to_string())).expect("JSON")
}

/// What would help, each.
fn helps(diagnostics: &Value) -> Vec<String> {
    let diagnostics = diagnostics.as_array().expect("there are some");
    diagnostics.iter().filter_map(|found| found["help"].as_str()).map(str::to_owned).collect()
}

#[test]
fn an_open_value_is_chosen_by_the_button() {
    let open = include_str!("../../../designs/hello.toml");
    let found = helps(&answered(open)["refused"]["diagnostics"]);
    assert_eq!(found.len(), 2);
    for help in found {
        assert_eq!(help, "“Design this” chooses what is left open and writes it into the text");
    }
}

#[test]
fn what_is_measured_elsewhere_is_opened() {
    let shipped = include_str!("../../../examples/kvm-fifo.toml");
    let found = helps(&answered(shipped)["warnings"]);
    assert_eq!(
        found,
        [
            "a profile that was measured there: `kernel = \"kernel.toml\"`, and “Open…” with both files"
        ]
    );
}
