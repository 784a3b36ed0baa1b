//! The page of exit codes has what the type and the manuals say.

use crate::program::{root, run};

const PAGE: &str = "docs/exit-codes.md";
const BEGIN: &str = "<!-- written by `INSTA_UPDATE=always cargo test -p vorrang` -->\n";

/// The documentation of the type, a row for each code.
fn codes() -> String {
    let source =
        std::fs::read_to_string(root().join("crates/vorrang/src/exit.rs")).expect("a type");
    let rows = source.lines().filter_map(|line| {
        let (code, means) = line.trim().strip_prefix("/// ")?.split_once(": ")?;
        code.parse::<u8>().ok()?;
        Some(format!("| {code} | {} |\n", means.trim_end_matches('.')))
    });
    format!("| code | means |\n|---|---|\n{}", rows.collect::<String>())
}

/// What the manual of a command says, if it says more than that.
fn of_command(verb: &str) -> Option<String> {
    let manual = run(&[verb, "--help"]).out;
    let (_, from) = manual.split_once("Exit codes: ")?;
    let said = from.split_once(".\n\n").expect("the end of a paragraph").0;
    Some(format!("| `{verb}` | {} |\n", said.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// The commands, as the program lists them.
fn commands() -> Vec<String> {
    let manual = run(&["--help"]).out;
    let (_, list) = manual.split_once("Commands:\n").expect("a list of commands");
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn the_exit_codes_are_those_of_the_program() {
    let rows: String = commands().iter().filter_map(|verb| of_command(verb)).collect();
    assert!(rows.lines().count() > 5, "{rows}");
    let written = format!("{}\n| command | exit codes |\n|---|---|\n{rows}", codes());
    let path = root().join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, shown) = page.split_once(BEGIN).expect("the mark where it is written");
    if std::env::var("INSTA_UPDATE").is_ok_and(|wish| wish == "always") {
        std::fs::write(&path, format!("{before}{BEGIN}{written}"))
            .expect("the page can be written");
    } else {
        assert_eq!(shown, written, "{PAGE}");
    }
}
