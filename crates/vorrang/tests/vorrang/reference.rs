//! The pages of the reference have what the program says: exit codes, columns, formats.

use crate::program::{root, run};

const PAGE: &str = "docs/exit-codes.md";
const BEGIN: &str = "<!-- written by `INSTA_UPDATE=always cargo test -p vorrang` -->\n";

/// The documentation of the type, a row for each code.
fn codes() -> String {
    let source =
        std::fs::read_to_string(root().join("crates/command/src/exit.rs")).expect("a type");
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

/// The titles of the columns of all tables in a text: each begins where a rule below it does.
fn columns(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &str| line.contains("--") && line.chars().all(|c| " -".contains(c));
    let mut found = Vec::new();
    for at in (1..lines.len()).filter(|at| is_rule(lines[*at])) {
        let first = (0..at).rev().take_while(|above| !lines[*above].is_empty()).last();
        let title: Vec<char> = lines[first.expect("a table has a header")].chars().collect();
        let mut begin = 0;
        for rule in lines[at].split(' ') {
            let cell: String = title.iter().skip(begin).take(rule.len()).collect();
            found.push(cell.trim().to_owned());
            begin += rule.len() + 1;
        }
    }
    found.retain(|title| !title.is_empty());
    found
}

#[test]
fn every_column_is_on_the_page() {
    let page = std::fs::read_to_string(root().join("docs/output.md")).expect("the page");
    let trace = "crates/observe/tests/data/6.12-rt.trace";
    let observed = ["observe", "crates/observe/tests/data/observe.toml", "--trace", trace];
    let mut seen = 0;
    for command in [
        &["check", "docs/guide/5-costs.toml"][..],
        &["check", "examples/video.toml"],
        &["design", "designs/priorities.toml"],
        &["margin", "examples/hello.toml"],
        &observed,
    ] {
        for title in columns(&run(command).out) {
            seen += 1;
            assert!(page.contains(&format!("`{title}`")), "{command:?}: {title}");
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn every_format_is_on_the_page() {
    let page = std::fs::read_to_string(root().join("docs/output.md")).expect("the page");
    for of in ["check", "diff", "design", "margin", "simulate", "observe"] {
        let schema = run(&["schema", "--of", of]).out;
        let (_, from) = schema.split_once("\"const\": \"").expect("a format");
        let format = from.split('"').next().unwrap_or_default();
        assert!(page.contains(&format!("| `{format}` | `vorrang {of} --json` |")), "{format}");
    }
    assert!(run(&["schema", "--of", "checks"]).out.contains("\"const\": \"vorrang-checks/1\""));
    assert!(page.contains("| `vorrang-checks/1` | `vorrang check FILE MORE --json` |"));
}
