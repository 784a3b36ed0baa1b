//! Sessions shown in the README, in the book and in the manuals of the commands are real.
//!
//! A session is a line `$ vorrang …` and the output under it, up to the next command or the end of
//! the block; a last line `...` stands for the rest of the output.

use crate::program::{root, run};
use std::path::{Path, PathBuf};

struct Session {
    command: String,
    output: Vec<String>,
}

/// The sessions of a manual, which are indented.
fn sessions(text: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let inside = line.trim();
        if let Some(command) = inside.strip_prefix("$ ") {
            sessions.push(Session { command: command.to_owned(), output: Vec::new() });
            open = true;
        } else if !line.is_empty() && !line.starts_with("    ") {
            open = false;
        } else if let (true, Some(session)) = (open, sessions.last_mut()) {
            session.output.push(line.to_owned());
        }
    }
    sessions
}

/// `command` as arguments of the program.
fn arguments(command: &str) -> Vec<&str> {
    let words: Vec<&str> = command.split(' ').collect();
    match words[..] {
        ["vorrang", ..] => words[1..].to_vec(),
        ["cargo", "run", "--release", "--", ..] => words[4..].to_vec(),
        _ => panic!("a session of another program: {command}"),
    }
}

fn is_real(session: &Session) {
    let run = run(&arguments(&session.command));
    let only_warned = run.err.is_empty() || run.err.starts_with("warning[W");
    assert!(only_warned && run.code < 4, "{}: {}", run.code, run.err);
    let real: Vec<&str> = run.out.trim_end().lines().collect();
    let shown: Vec<&str> = session.output.iter().map(|line| line.get(4..).unwrap_or("")).collect();
    let shown = shown.join("\n");
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let (shown, real) = match shown.split_last() {
        Some((&"...", first)) => (first, &real[..first.len().min(real.len())]),
        _ => (&shown[..], &real[..]),
    };
    assert_eq!(shown.join("\n"), real.join("\n"), "$ {}", session.command);
}

#[test]
fn every_manual_opens_with_a_real_session() {
    for verb in [
        "init", "check", "design", "margin", "simulate", "measure", "doctor", "import", "observe",
        "explain", "schema",
    ] {
        let manual = run(&[verb, "--help"]).out;
        let sessions = sessions(&manual);
        assert!(!sessions.is_empty(), "{verb}");
        for session in &sessions {
            assert!(!session.output.is_empty(), "$ {}", session.command);
            is_real(session);
        }
    }
}

/// The pages of the repository that show a session: the README, and those of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the book") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages.retain(|path| text(path).lines().any(|line| line.starts_with(SESSION)));
    pages
}

/// How the line of a command on a page begins.
const SESSION: &str = "$ cargo run --release -- ";

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a page")
}

/// With `INSTA_UPDATE=always`, as for the snapshots, they are brought up to date instead.
#[test]
fn the_readme_and_the_book_show_real_output() {
    let pages = pages();
    assert!(pages.len() > 8, "{pages:?}");
    for path in pages {
        let page = text(&path);
        let real = with_real_output(&page);
        if std::env::var("INSTA_UPDATE").is_ok_and(|wish| wish == "always") {
            std::fs::write(&path, real).expect("the page can be written");
        } else {
            assert_eq!(page, real, "{}", path.display());
        }
    }
}

/// What the guide and the how-to pages show of descriptions stands in the files that their
/// sessions use.
#[test]
fn the_guide_shows_real_descriptions() {
    for path in pages() {
        if !["guide", "how-to"]
            .iter()
            .any(|part| path.parent().is_some_and(|of| of.ends_with(part)))
        {
            continue;
        }
        let page = text(&path);
        let used: Vec<String> = page
            .lines()
            .filter_map(|line| line.strip_prefix(SESSION))
            .flat_map(|command| command.split(' '))
            .filter(|word| word.strip_suffix(".toml").is_some())
            .map(|file| text(&root().join(file)))
            .collect();
        assert!(!used.is_empty(), "{}: no session with a description", path.display());
        for part in page.split("```toml\n").skip(1) {
            let (part, _) = part.split_once("\n```").expect("the end of the part");
            let is_there = used.iter().any(|file| file.contains(part));
            assert!(is_there, "{}: no file of its sessions has\n{part}", path.display());
        }
    }
}

/// The text with the output of every session in it replaced by what it prints now, or by its first
/// lines, as many as stand there, where `...` stands for the rest.
fn with_real_output(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line.starts_with(SESSION) {
            let shown: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let real = run(&arguments(line.strip_prefix("$ ").unwrap_or_default())).out;
            match shown.split_last() {
                Some((&"...", first)) => {
                    out.extend(real.lines().take(first.len()).flat_map(|line| [line, "\n"]));
                    out.push_str("...\n");
                }
                _ => out.push_str(&real),
            }
            out.push_str("```\n");
        }
    }
    out
}
