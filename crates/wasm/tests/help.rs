//! What helps, on a page: its buttons, not commands.

use serde_json::{Value, json};
use vorrang_wasm::Core;

/// What would help with a text, each.
fn helps(text: &str) -> Vec<String> {
    let request = json!({ "verb": "check", "name": "system.toml", "text": text });
    let answer: Value =
        serde_json::from_str(&Core::default().answer(&request.to_string())).expect("JSON");
    let diagnostics = answer["refused"]["diagnostics"].as_array().expect("it is refused");
    diagnostics.iter().filter_map(|found| found["help"].as_str()).map(str::to_owned).collect()
}

#[test]
fn an_open_value_is_chosen_by_the_button() {
    let open = include_str!("../../../designs/hello.toml");
    let found = helps(open);
    assert_eq!(found.len(), 2);
    for help in found {
        assert_eq!(help, "“Design this” chooses what is left open and writes it into the text");
    }
}
