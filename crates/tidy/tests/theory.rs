//! The pages of the theory and the code lead to each other.
//!
//! A page names, in its sections *In the code* and *Tests*, files and what is in them; it is cited by one of
//! these files. What the code cites is there, and a module of the analysis that states assumptions cites
//! a page. Names are looked up, not lines, so that code may move within its file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "docs/theory";
const SECTIONS: [&str; 6] =
    ["Statement", "Assumptions", "Proof", "In the code", "Tests", "Not covered"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Each page of a theorem with its text.
fn pages() -> BTreeMap<String, String> {
    let entries = fs::read_dir(root().join(FOLDER)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let theorems = names.filter(|name| name != "README.md");
    theorems.map(|name| (name.clone(), read(&root().join(FOLDER).join(&name)))).collect()
}

/// What stands below a heading of the second level.
fn section<'a>(page: &'a str, title: &str) -> Option<&'a str> {
    let (_, from) = page.split_once(&format!("\n## {title}\n"))?;
    Some(from.split("\n## ").next().unwrap_or(from).trim())
}

/// The rows of a list of files, with the names that are said to be in each.
fn named(list: &str) -> Vec<(PathBuf, Vec<&str>)> {
    let row = |line: &str| line.split_once("](../../").map(|(_, rest)| rest.to_owned());
    list.lines()
        .filter_map(|line| {
            let file = row(line)?.split_once("): ")?.0.to_owned();
            let names = line.split_once("): ")?.1.split('`').skip(1).step_by(2).collect();
            Some((root().join(file), names))
        })
        .collect()
}

/// Whether a source has an item of this name.
fn has(source: &str, name: &str) -> bool {
    let items = ["fn", "struct", "enum", "trait"];
    items.iter().any(|item| {
        let begin = format!("{item} {name}");
        source.match_indices(&begin).any(|(at, _)| {
            let next = source[at + begin.len()..].chars().next();
            next.is_none_or(|next| !next.is_alphanumeric() && next != '_')
        })
    })
}

/// Pages and anchors in a text.
fn citations(text: &str) -> BTreeSet<(String, Option<String>)> {
    let word = |from: &str| -> String {
        from.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    let begin = format!("{FOLDER}/");
    text.match_indices(&begin)
        .filter_map(|(at, _)| {
            let name = word(&text[at + begin.len()..]);
            let rest = text[at + begin.len() + name.len()..].strip_prefix(".md")?;
            Some((format!("{name}.md"), rest.strip_prefix('#').map(word)))
        })
        .collect()
}

/// The sources of all crates.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules") {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn anchors(page: &str) -> BTreeSet<String> {
    let titles = page.lines().filter_map(|line| line.strip_prefix('#'));
    titles
        .map(|title| {
            let title = title.trim_start_matches('#').trim();
            let kept =
                title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
        })
        .collect()
}

#[test]
fn every_page_states_proves_and_names() {
    let pages = pages();
    assert!(pages.len() > 20, "{:?}", pages.keys());
    let mut wrong = Vec::new();
    for (name, page) in &pages {
        for title in SECTIONS {
            if section(page, title).is_none_or(str::is_empty) {
                wrong.push(format!("{name}: nothing under {title}"));
            }
        }
        if section(page, "Assumptions").is_some_and(|text| !text.starts_with("1. ")) {
            wrong.push(format!("{name}: its assumptions have no numbers"));
        }
        for title in ["In the code", "Tests"] {
            let rows = named(section(page, title).unwrap_or_default());
            if rows.is_empty() {
                wrong.push(format!("{name}: no file under {title}"));
            }
            for (file, items) in rows {
                let source = fs::read_to_string(&file).unwrap_or_default();
                for item in items.iter().filter(|item| !has(&source, item)) {
                    wrong.push(format!("{name}: {} has no {item}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_cited_by_the_code_that_it_names() {
    let mut wrong = Vec::new();
    for (name, page) in &pages() {
        let files = named(section(page, "In the code").unwrap_or_default());
        let is_cited = |file: &Path| {
            let source = fs::read_to_string(file).unwrap_or_default();
            citations(&source).iter().any(|(page, _)| page == name)
        };
        if !files.iter().any(|(file, _)| is_cited(file)) {
            wrong.push(format!("no file that {name} names cites it"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_citation_leads_to_a_page_and_its_anchor() {
    let pages = pages();
    let mut cited = 0;
    let mut wrong = Vec::new();
    for file in sources() {
        let own = file.ends_with("tidy/tests/theory.rs");
        for (name, anchor) in citations(&read(&file)).iter().filter(|_| !own) {
            cited += 1;
            let page = pages.get(name);
            let is_there = page.is_some_and(|page| {
                anchor.as_ref().is_none_or(|anchor| anchors(page).contains(anchor))
            });
            if !is_there {
                wrong.push(format!("{}: {name} {anchor:?}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(cited > 30, "{cited}");
}

#[test]
fn what_states_assumptions_cites_a_page() {
    let is_of_analysis = |file: &PathBuf| file.starts_with(root().join("crates/analysis/src"));
    let wrong: Vec<String> = sources()
        .into_iter()
        .filter(is_of_analysis)
        .filter(|file| {
            let text = read(file);
            let docs: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
            let docs = docs.join("\n");
            docs.contains("**Assumptions.**") && citations(&docs).is_empty()
        })
        .map(|file| file.display().to_string())
        .collect();
    assert!(wrong.is_empty(), "no page of {FOLDER} in the documentation of\n{}", wrong.join("\n"));
}

#[test]
fn names_and_citations_are_found() {
    assert!(has("pub fn one(", "one") && !has("pub fn one_more(", "one"));
    assert!(has("struct Two<'a> {", "Two") && !has("let two = 2;", "two"));
    let cited = citations("see docs/theory/supply.md#not-covered, docs/theory/turns.md.");
    let cited: Vec<_> = cited.iter().map(|(page, at)| (page.as_str(), at.as_deref())).collect();
    assert_eq!(cited, [("supply.md", Some("not-covered")), ("turns.md", None)]);
}
