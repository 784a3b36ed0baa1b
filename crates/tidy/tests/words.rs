//! Phrases that a reader of real-time English stops at do not come back.
//!
//! The list is of phrases, not of words, so that it has no false alarms: each stood in the sources once, with what
//! replaced it.

use std::fs;
use std::path::{Path, PathBuf};

/// What is not to be said, and what is said instead.
const PHRASES: [(&str, &str); 51] = [
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
    ("nobody ", "no task, no thread, no budget, none"),
    ("somebody", "another thread, a program, a user"),
    ("everybody", "all members, all threads"),
    ("whoever", "the thread that, the task that"),
    ("who pays for", "what … is charged to"),
    ("who is interrupted pays", "charged to the interrupted thread"),
    ("holds a member up", "blocks a member"),
    ("hold a member up", "block a member"),
    ("held against", "compared with, checked against"),
    ("hold against", "compare with, check against"),
    ("holds against", "compares with, checks against"),
    ("takes for itself", "overhead"),
    ("the kernel does by itself", "the overhead of the kernel"),
    ("looks at the clock", "reads the clock"),
    ("what it is told", "its plan, its input"),
    ("what must be seen", "expected observations"),
    ("what the machine was like", "conditions of the measurement"),
    ("everything that a measurement showed", "results"),
    ("with the tick behind that", "at the next tick"),
    ("a search that was ended", "an aborted search"),
    ("above what was promised", "above its bound"),
    ("gives the rest of its budget away", "discards its remaining budget"),
    ("the walk says", "the recursion yields"),
    ("beyond the walk", "beyond the last step of the recursion"),
    ("for want of steps", "because the step limit is reached"),
    ("in whose favour", "by which context"),
    ("nothing says how often", "is not bounded"),
    ("goes on where it was killed", "resumes after an interruption"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What people read: sources, pages, examples.
fn texts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = ["crates", "docs", "examples", "designs", "kernel"]
        .iter()
        .map(|of| root().join(of))
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_read = ["rs", "md", "toml", "c", "h"];
            // Links are for packages: what they lead to is read where it is.
            if path.is_symlink() {
                continue;
            }
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

/// The phrases in a text, with the lines that they begin in; a phrase may go on in the next line.
fn unwanted(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut found = Vec::new();
    let lines: Vec<String> = text.lines().map(str::to_ascii_lowercase).collect();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).map_or("", |next| without_mark(next));
        let joined = format!("{} {next}", line.trim_end().trim_end_matches('\\').trim_end());
        let of_line = PHRASES.iter().filter(|(phrase, _)| {
            joined.find(&phrase.to_ascii_lowercase()).is_some_and(|begin| begin < line.len())
        });
        found.extend(of_line.map(|(phrase, better)| (at + 1, *phrase, *better)));
    }
    found
}

/// A line without what marks it as a comment or an item.
fn without_mark(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '/', '!', '#', '*', '"'])
}

#[test]
fn phrases_that_were_replaced_do_not_come_back() {
    let texts = texts();
    assert!(texts.len() > 500, "{}", texts.len());
    let mut wrong = Vec::new();
    // The second is in a session of docs/apply-measurements.md, recorded in the lab, by its SHA-256.
    let left_out = ["tidy/tests/words.rs", "examples/timers.toml"];
    for path in texts.iter().filter(|path| !left_out.iter().any(|end| path.ends_with(end))) {
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
    let over_two = unwanted("//! The core is what\n//! it stands on.\n");
    assert_eq!(over_two, [(1, "what it stands on", "its parent supply")]);
}
