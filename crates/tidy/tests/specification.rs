//! The specification is promises: a short cell each, and a command or a test that anyone can run.

use std::fs;
use std::path::Path;

/// The longest cell.
const CELL: usize = 200;
/// Tables whose rows are held together by the command above them.
const WITH_ONE_COMMAND: [&str; 5] =
    ["| job |", "| row |", "| scheduler |", "| | systems |", "| operation |"];

fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn a_row_is_one_number_and_one_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../SPECIFICATION.md");
    let text = fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut heading = "";
    let mut before = "";
    for line in text.lines() {
        if line.starts_with('|') && !before.starts_with('|') {
            heading = line;
        } else if line.starts_with("| ") {
            let cells = cells(line);
            let longest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
            if longest > CELL {
                wrong.push(format!("a cell of {longest} characters: {line}"));
            }
            let has_command =
                cells.last().is_some_and(|last| last.contains('`') || *last == "the same");
            let of_a_table = WITH_ONE_COMMAND.iter().any(|begin| heading.starts_with(begin));
            if !has_command && !of_a_table {
                wrong.push(format!("no command: {line}"));
            }
        }
        before = line;
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(text.lines().filter(|line| line.starts_with("| ")).count() > 100, "rows are gone");
}
