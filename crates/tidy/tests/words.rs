//! Phrases that a reader of real-time English stops at do not come back.
//!
//! The list is of phrases, not of words, so that it has no false alarms: each stood in the sources once, with what
//! replaced it.

use std::fs;
use std::path::{Path, PathBuf};

/// What is not to be said, and what is said instead.
const PHRASES: [(&str, &str); 23] = [
    ("nobody knows how often", "whose replenishments are unbounded"),
    ("nobody counts", "is not bounded"),
    ("as urgent as any", "all have equal urgency; of the highest urgency"),
    ("walk of the backlog", "backlog recursion"),
    ("more than its steps", "exhausts its iteration budget"),
    ("what is asked of a budget is there", "the budget is supplied by the deadline"),
    ("Chosen, it gives", "When scheduled, it supplies"),
    ("what it stands on", "its parent supply"),
    ("what they stand on", "their parent supply"),
    ("required, but for a", "required, except for"),
    (
        "tried beside the analysis that decides",
        "also evaluated; the verdict uses the response-time analysis",
    ),
    ("in the letters of cyclictest", "with cyclictest's options"),
    ("in the letters and formats", "with the options and formats"),
    ("is seen broken", "an observed violation refutes the bound"),
    ("and goes again", "and unloads cleanly"),
    (
        "a server that reclaims nothing is refuted",
        "no requirement is refuted on cores with a reclaiming server",
    ),
    ("who is as urgent", "a member as urgent"),
    ("whom it interrupted", "the one that it interrupted"),
    ("nobody pays", "is charged to no budget"),
    ("claimed of the gift", "claimed of the reserved service"),
    ("how often a job is late", "deadline-miss probability"),
    ("every timer is as urgent", "all timers have equal urgency"),
    ("calls nobody", "calls no scheduler"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What people read: sources, pages, examples.
fn texts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["crates", "docs", "examples", "designs"].iter().map(|of| root().join(of)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_read = ["rs", "md", "toml"];
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|of| is_read.iter().any(|kind| of == *kind)) {
                found.push(path);
            }
        }
    }
    let top = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    found.extend(top.filter(|path| path.extension().is_some_and(|of| of == "md")));
    found.sort();
    found
}

/// The phrases in a text, with their lines.
fn unwanted(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.to_ascii_lowercase();
        let of_line =
            PHRASES.iter().filter(|(phrase, _)| line.contains(&phrase.to_ascii_lowercase()));
        found.extend(of_line.map(|(phrase, better)| (at + 1, *phrase, *better)));
    }
    found
}

#[test]
fn phrases_that_were_replaced_do_not_come_back() {
    let texts = texts();
    assert!(texts.len() > 500, "{}", texts.len());
    let mut wrong = Vec::new();
    for path in texts.iter().filter(|path| !path.ends_with("tidy/tests/words.rs")) {
        for (line, phrase, better) in unwanted(&fs::read_to_string(path).unwrap_or_default()) {
            wrong.push(format!("{}:{line}: \"{phrase}\"; better: {better}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_phrase_is_found_in_its_line() {
    let found = unwanted("one\nWhat it stands on is a core.\n");
    assert_eq!(found, [(2, "what it stands on", "its parent supply")]);
}
