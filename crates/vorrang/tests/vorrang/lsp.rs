//! An editor talks with `vorrang lsp`.

use crate::editor::{Editor, FILE};
use crate::program::root;
use serde_json::{Value, json};

/// Refuted with this budget, and proven with a larger one.
const SYSTEM: &str = r#"version = 1

[core.0]
scheduler = "fixed-priority"

[vcpu.a]
on = "core.0"
priority = 1
server = "periodic"
budget = "2ms"
period = "10ms"
scheduler = "fixed-priority"

[task.slow]
on = "vcpu.a"
priority = 1
wcet = "2.5ms"
period = "50ms"
deadline = "16ms"
"#;

/// The labels of what may stand at a place.
fn labels(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

/// The text with the one change of an action.
fn done(text: &str, action: &Value) -> String {
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    let byte = |place: &Value| {
        let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + usize::try_from(place["character"].as_u64().unwrap()).unwrap()
    };
    let (start, end) = (byte(&edit["range"]["start"]), byte(&edit["range"]["end"]));
    format!("{}{}{}", &text[..start], edit["newText"].as_str().unwrap(), &text[end..])
}

#[test]
fn a_remedy_proves_what_is_refuted() {
    let mut editor = Editor::with(SYSTEM);
    let told = editor.diagnostics();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["range"]["start"], json!({ "line": 13, "character": 6 }));
    assert_eq!(told[0]["source"], "vorrang");
    let hover = editor.at("textDocument/hover", SYSTEM, "slow", 1);
    let hover = hover["contents"]["value"].as_str().unwrap();
    assert!(hover.contains("refuted, at most 18.5ms of 16ms, seen 18.5ms"), "{hover}");
    let actions = editor.at("textDocument/codeAction", SYSTEM, "slow", 1);
    let text = done(SYSTEM, &actions[0]);
    assert_ne!(text, SYSTEM, "{actions}");
    editor.change(&text);
    assert_eq!(editor.diagnostics(), [] as [Value; 0], "{text}");
    let hints = editor.ask(
        "textDocument/inlayHint",
        &json!({ "textDocument": { "uri": FILE },
            "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } } }),
    );
    assert_eq!(hints.as_array().unwrap().len(), 1, "only in the lines that are shown: {hints}");
    assert!(hints[0]["label"] == "budget proven", "{hints}");
    editor.leave();
}

#[test]
fn the_page_shows_what_stands_beside_the_tables_of_an_example() {
    let read =
        |file: &str| std::fs::read_to_string(root().join(file)).expect("a file of the repository");
    let text = read("examples/hello.toml");
    let mut editor = Editor::with(&text);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let all =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": FILE }, "range": all });
    let hints = editor.ask("textDocument/inlayHint", &asked);
    let of = |line: usize| {
        let here = |hint: &&Value| hint["position"]["line"] == line;
        hints.as_array().unwrap().iter().find(here).map(|hint| hint["label"].as_str().unwrap())
    };
    let shown: String = text
        .lines()
        .enumerate()
        .filter_map(|(nth, line)| Some(format!("{line}  {}\n", of(nth)?)))
        .collect();
    let page = read("docs/how-to/in-your-day.md");
    assert!(page.contains(&format!("```text\n{shown}```\n")), "{shown}");
    editor.leave();
}

#[test]
fn what_was_meant_is_written_and_the_last_verdict_stands() {
    let mut editor = Editor::with(SYSTEM);
    editor.diagnostics();
    let wrong = SYSTEM.replace("wcet", "wect");
    editor.change(&wrong);
    let told = editor.diagnostics();
    let unknown = told.iter().find(|own| own["code"] == "E0101").expect("an unknown key");
    assert_eq!(unknown["range"]["start"], json!({ "line": 16, "character": 0 }));
    let hover = editor.at("textDocument/hover", &wrong, "slow", 1);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("before this change: refuted"));
    let actions = editor.at("textDocument/codeAction", &wrong, "wect", 2);
    assert_eq!(done(&wrong, &actions[0]), SYSTEM);
    editor.leave();
}

#[test]
fn keys_words_names_and_units_are_completed() {
    let mut editor = Editor::with(SYSTEM);
    editor.diagnostics();
    let text = format!(
        "{SYSTEM}\n[task.third]\non = \"\"\nwcet = \"5\"\nper\n\n[core.1]\nscheduler = \"\"\n[ta"
    );
    editor.change(&text);
    let mut complete = |part: &str, further| {
        let items = editor.at("textDocument/completion", &text, part, further);
        labels(&items).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("on = \"\"", 6), ["core.0", "vcpu.a"]);
    assert_eq!(complete("wcet = \"5\"", 9), ["5ns", "5us", "5ms", "5s"]);
    let keys = complete("\nper\n", 4);
    assert!(keys.contains(&"period".to_owned()) && !keys.contains(&"on".to_owned()), "{keys:?}");
    assert!(complete("scheduler = \"\"", 13).contains(&"edf".to_owned()));
    assert!(complete("\n[ta", 4).contains(&"task.".to_owned()));
    let hover = editor.at("textDocument/hover", &text, "priority = 1", 1);
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("**priority**: "));
    editor.leave();
}

#[test]
fn names_lead_to_tables_and_texts_are_laid_out() {
    let ugly = SYSTEM.replace("on = \"core.0\"", "on=\"core.0\"");
    let mut editor = Editor::with(&ugly);
    let place = editor.at("textDocument/definition", &ugly, "core.0\"", 2);
    assert_eq!(place["range"]["start"], json!({ "line": 2, "character": 6 }));
    let uses = editor.at("textDocument/references", &ugly, "[core.0]", 2);
    assert_eq!(uses.as_array().unwrap().len(), 2, "{uses}");
    let symbols = editor.at("textDocument/documentSymbol", &ugly, "core", 0);
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["core.0", "vcpu.a", "task.slow"]);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": FILE }, "options": options });
    let edits = editor.ask("textDocument/formatting", &params);
    assert_eq!(edits[0]["newText"], SYSTEM);
    editor.leave();
}

/// The newest text counts, however fast they come.
#[test]
fn an_error_in_what_is_included_stands_where_that_is_named() {
    let text = SYSTEM.replace("version = 1\n", "version = 1\ninclude = [\"nowhere.toml\"]\n");
    let mut editor = Editor::with(&text);
    let missing = editor.diagnostics();
    assert_eq!(
        (&missing[0]["code"], &missing[0]["range"]["start"]["line"]),
        (&"E0011".into(), &1.into())
    );
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("a part.toml");
    std::fs::write(&part, "version = 1\n[core.1]\nscheduler = \"efd\"\n").unwrap();
    editor.change(&text.replace("nowhere.toml", part.to_str().unwrap()));
    let said = &editor.diagnostics()[0];
    assert_eq!((&said["code"], &said["range"]["start"]["line"]), (&"E0208".into(), &1.into()));
    let there = &said["relatedInformation"][0]["location"];
    assert_eq!(there["range"]["start"], json!({ "line": 2, "character": 12 }));
    assert!(there["uri"].as_str().unwrap().ends_with("/a%20part.toml"), "{there}");
    editor.leave();
}

#[test]
fn a_text_that_changes_all_the_time_is_judged_in_the_end() {
    let mut editor = Editor::with(SYSTEM);
    for tenths in 87..130 {
        let period = format!("\"{}.{}ms\"", (216 - tenths) / 10, (216 - tenths) % 10);
        editor.change(&SYSTEM.replace("\"10ms\"", &period));
    }
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    editor.change("");
    assert_eq!(editor.diagnostics()[0]["code"], "E0008");
    editor.leave();
}

#[test]
fn other_files_in_toml_are_left_alone() {
    let mut editor = Editor::with("[package]\nname = \"core\"\n");
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let text = "[package]\nna\n";
    editor.change(text);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    assert_eq!(editor.at("textDocument/completion", text, "na", 2), Value::Null);
    editor.change(SYSTEM);
    assert_eq!(editor.diagnostics().len(), 1);
    editor.leave();
}

#[test]
fn an_editor_that_is_gone_ends_it() {
    let editor = Editor::with(SYSTEM);
    assert_eq!(editor.vanish(), Some(4));
}
