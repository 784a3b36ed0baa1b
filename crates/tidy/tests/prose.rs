//! A reader reads each sentence once: sentences, paragraphs and cells of tables are short.
//!
//! Pages that are written by a program, code and headings are left out. Inline code is one word. What is longer
//! still is counted by page in `prose.toml`, which only shrinks.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Words of a sentence.
const SENTENCE: usize = 40;
/// Words of a paragraph, or of an item of a list.
const PARAGRAPH: usize = 120;
/// Characters of a cell, as it is read.
const CELL: usize = 200;
/// At the top of the repository, besides those below `docs/`.
const PAGES: [&str; 5] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SPECIFICATION.md", "STYLE.md"];
/// Written by a program, or a table of contents.
const LEFT_OUT: [&str; 7] = [
    "SUMMARY.md",
    "codes.md",
    "commands.md",
    "description.md",
    "exit-codes.md",
    "pairs.md",
    "targets.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that people write, with their paths from the top.
fn pages() -> Vec<String> {
    let mut found: Vec<String> = PAGES.map(str::to_owned).to_vec();
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("{folder}/{name}");
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if Path::new(&name).extension().is_some_and(|of| of == "md")
                && !LEFT_OUT.contains(&name.as_str())
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What is read in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Paragraph,
    Cell,
}

/// A paragraph, an item of a list, or a cell of a table.
struct Piece {
    kind: Kind,
    line: usize,
    /// With inline code as one word.
    words: String,
    characters: usize,
}

impl Piece {
    /// What is too long about it.
    fn long(&self) -> Vec<String> {
        let mut found = Vec::new();
        let words = self.words.split_whitespace().count();
        match self.kind {
            Kind::Paragraph if words > PARAGRAPH => {
                found.push(format!("{}: a paragraph of {words} words", self.line));
            }
            Kind::Cell if self.characters > CELL => {
                found.push(format!("{}: a cell of {} characters", self.line, self.characters));
            }
            _ => (),
        }
        for sentence in sentences(&self.words) {
            let begin: Vec<&str> = sentence.iter().take(8).copied().collect();
            if sentence.len() > SENTENCE {
                let words = sentence.len();
                found.push(format!(
                    "{}: a sentence of {words} words: {} …",
                    self.line,
                    begin.join(" ")
                ));
            }
        }
        found
    }
}

/// Sentences end with a point where the next word begins like a sentence.
fn sentences(text: &str) -> Vec<Vec<&str>> {
    let mut found = vec![Vec::new()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        found.last_mut().expect("one").push(word);
        let ends = word.trim_end_matches([')', '"', '*']).ends_with(['.', '!', '?']);
        let begins = |next: &&str| !next.starts_with(char::is_lowercase);
        if ends && words.peek().is_some_and(begins) {
            found.push(Vec::new());
        }
    }
    found
}

/// The pieces of a page.
fn pieces(text: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut is_open = false;
    let mut skipped = 0_usize;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let line = text[..range.start].matches('\n').count() + 1;
        let mut open = |kind| {
            found.push(Piece { kind, line, words: String::new(), characters: 0 });
            is_open = true;
        };
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Heading { .. } | Tag::HtmlBlock) => skipped += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Heading(_) | TagEnd::HtmlBlock) => skipped -= 1,
            Event::Start(Tag::Paragraph | Tag::Item) => open(Kind::Paragraph),
            Event::Start(Tag::TableCell) => open(Kind::Cell),
            Event::Start(Tag::List(_)) | Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                is_open = false;
            }
            _ if skipped > 0 || !is_open => (),
            Event::Text(part) => add(&mut found, &part, &part),
            Event::Code(part) => add(&mut found, "`code`", &part),
            Event::SoftBreak | Event::HardBreak => add(&mut found, " ", " "),
            _ => (),
        }
    }
    found
}

fn add(pieces: &mut [Piece], words: &str, shown: &str) {
    let piece = pieces.last_mut().expect("an open one");
    piece.words.push_str(words);
    piece.characters += shown.chars().count();
}

#[test]
fn sentences_paragraphs_and_cells_are_short() {
    let listed = Path::new(env!("CARGO_MANIFEST_DIR")).join("prose.toml");
    let listed: BTreeMap<String, usize> =
        toml::from_str(&fs::read_to_string(listed).unwrap()).unwrap();
    let pages = pages();
    assert!(pages.len() > 90, "{}", pages.len());
    let mut wrong = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let long: Vec<String> = pieces(&text).iter().flat_map(Piece::long).collect();
        let may = listed.get(page).copied().unwrap_or(0);
        if long.len() > may {
            wrong.extend(long.iter().map(|what| format!("{page}:{what}")));
        } else if long.is_empty() && may > 0 {
            wrong.push(format!("{page}: no exception is needed any more"));
        }
    }
    for page in listed.keys().filter(|page| !pages.contains(page)) {
        wrong.push(format!("{page}: there is no such page"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_sentence_ends_with_its_point() {
    let counts = |text: &str| sentences(text).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(counts("One two. Three (four.) Five?"), [2, 2, 1]);
    assert_eq!(counts("It takes 3.5 ms, i.e. little. `code` is a word."), [6, 4]);
}

#[test]
fn what_is_too_long_is_found_with_its_line() {
    let word = "word ".repeat(41);
    let long = |text: &str| pieces(text).iter().flat_map(Piece::long).collect::<Vec<_>>();
    assert_eq!(long(&format!("# {word}\n\n```\n{word}\n```\n\nShort.\n")), [""; 0]);
    let found = long(&format!("Short.\n\n- one\n- {word}\n  - two\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("4: a sentence of 41 words"), "{found:?}");
    let cell = "A. ".repeat(70);
    assert_eq!(long(&format!("| a |\n|---|\n| {cell}|\n")), ["3: a cell of 209 characters"]);
    let paragraph = "A b c. ".repeat(41);
    assert_eq!(long(&paragraph), ["1: a paragraph of 123 words"]);
}
