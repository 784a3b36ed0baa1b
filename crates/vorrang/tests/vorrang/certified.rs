//! What of the examples is proven, and what of that is certified, as the page of the trusted base counts it.

use crate::program::{root, run};
use std::path::Path;

/// How many requirements of a description are proven, and how many of these certified. What refutes the others is
/// not searched for.
fn counted(file: &str) -> [usize; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.v");
    let run = run(&[
        "check",
        file,
        "--certificate",
        out.to_str().expect("UTF-8"),
        "--runs",
        "1",
        "--steps",
        "1",
    ]);
    assert!([0, 1, 3].contains(&run.code), "{file}: {}", run.err);
    let (_, certificates) = run.out.split_once("\nCertificates:\n\n").expect("a table");
    // The table ends with an empty line.
    let rows = certificates.lines().take_while(|line| !line.is_empty());
    let verdicts: Vec<&str> = rows.filter_map(|row| row.split("  ").last()).collect();
    let those = |verdict: &str| verdicts.iter().filter(|own| own.trim() == verdict).count();
    let certified = those("proven, certified");
    [those("proven") + certified, certified]
}

/// The descriptions in a folder.
fn described(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| format!("{folder}/{}", name.to_str().expect("UTF-8")));
    names.filter(|name| Path::new(name).extension().is_some_and(|own| own == "toml")).collect()
}

fn sum(all: impl IntoIterator<Item = String>) -> [usize; 2] {
    let counts = all.into_iter().map(|file| counted(&file));
    counts.fold([0, 0], |[proven, certified], [own, of]| [proven + own, certified + of])
}

/// A row of the table, whose first cell has the examples in it.
fn is_right(row: &str) {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let names = cells[1].split('`').skip(1).step_by(2);
    let [proven, certified] = sum(names.map(|name| format!("examples/{name}.toml")));
    assert_eq!(cells[2..4], [proven.to_string(), certified.to_string()], "{row}");
}

#[test]
fn as_many_requirements_are_certified_as_the_page_says() {
    let page = std::fs::read_to_string(root().join("docs/trusted-base.md")).expect("a page");
    let (_, table) = page.split_once("| example | proven | certified |").expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 5, "{table}");
    for row in rows {
        is_right(row);
    }
    let guests = ["examples/fleet/press.toml", "examples/fleet/oven.toml"].map(str::to_owned);
    let [proven, certified] = sum(described("examples").into_iter().chain(guests));
    let [in_guide, certified_there] = sum(described("docs/guide"));
    let said = format!(
        "Of all examples {proven} requirements are proven and {certified} certified, of the guide {in_guide} and {certified_there}."
    );
    assert!(page.contains(&said), "not in the page: {said}");
}
