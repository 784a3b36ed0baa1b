//! What decides does not know who found it.

use std::fs;
use std::path::Path;

/// The engines, as code names them.
const ENGINES: [&str; 3] = ["vorrang_analysis", "vorrang_sim", "vorrang_design"];

/// The file of `crates/verdict` that holds evidence against evidence.
const DECIDES: &str = "crates/verdict/src/verdict.rs";

fn engines_in(text: &str) -> Vec<&'static str> {
    ENGINES.into_iter().filter(|engine| text.contains(engine)).collect()
}

#[test]
fn what_decides_imports_no_engine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(DECIDES);
    let text = fs::read_to_string(path).expect("the file");
    assert!(text.contains("fn decide"), "{DECIDES} decides no more");
    assert_eq!(engines_in(&text), [""; 0], "{DECIDES} knows an engine");
}

#[test]
fn an_engine_is_found_where_it_is_named() {
    assert_eq!(engines_in("use vorrang_sim::Search;"), ["vorrang_sim"]);
    assert_eq!(engines_in("let found = vorrang_analysis::bounds(system);"), ["vorrang_analysis"]);
}
