//! Sessions shown in the README, in the guide and in the manuals of the commands are real.
//!
//! A session is a line `$ vorrang …` and the output under it, up to the next command or the end of
//! the block; a last line `...` stands for the rest of the output.

use crate::program::{root, run};
use std::path::PathBuf;

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
    assert!(run.err.is_empty() && run.code < 4, "{}: {}", run.code, run.err);
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
    for verb in
        ["init", "check", "design", "margin", "simulate", "measure", "observe", "explain", "schema"]
    {
        let manual = run(&[verb, "--help"]).out;
        let sessions = sessions(&manual);
        assert!(!sessions.is_empty(), "{verb}");
        for session in &sessions {
            assert!(!session.output.is_empty(), "$ {}", session.command);
            is_real(session);
        }
    }
}

/// The README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let guide = std::fs::read_dir(root().join("docs/guide")).expect("the guide");
    let mut pages: Vec<PathBuf> = guide.map(|entry| entry.expect("a page").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|of| of == "md"));
    pages.retain(|path| path.file_name().is_some_and(|name| name != "README.md"));
    pages.sort();
    pages.insert(0, root().join("README.md"));
    pages
}

/// With `INSTA_UPDATE=always`, as for the snapshots, they are brought up to date instead.
#[test]
fn the_readme_and_the_guide_show_real_output() {
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a page");
        let real = with_real_output(&page);
        if std::env::var("INSTA_UPDATE").is_ok_and(|wish| wish == "always") {
            std::fs::write(&path, real).expect("the page can be written");
        } else {
            assert_eq!(page, real, "{}", path.display());
        }
    }
}

/// What the guide shows of descriptions stands in the files that its sessions use.
#[test]
fn the_guide_shows_real_descriptions() {
    for path in pages().split_off(1) {
        let page = std::fs::read_to_string(&path).expect("a page");
        let used: Vec<String> = page
            .split_whitespace()
            .filter(|word| word.strip_suffix(".toml").is_some() && !word.contains(['(', '[', '`']))
            .map(|file| std::fs::read_to_string(root().join(file)).expect("a description"))
            .collect();
        assert!(!used.is_empty(), "{}: no session", path.display());
        for part in page.split("```toml\n").skip(1) {
            let (part, _) = part.split_once("\n```").expect("the end of the part");
            let is_there = used.iter().any(|file| file.contains(part));
            assert!(is_there, "{}: no file of its sessions has\n{part}", path.display());
        }
    }
}

/// The text with the output of every session in it replaced by what it prints now.
fn with_real_output(text: &str) -> String {
    let mut out = String::new();
    let mut replacing = false;
    for line in text.lines() {
        replacing &= line != "```";
        if !replacing {
            out.push_str(line);
            out.push('\n');
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|command| command.contains(" -- ")) {
            out.push_str(&run(&arguments(command)).out);
            replacing = true;
        }
    }
    assert_ne!(out.matches("```console").count(), 0, "no session in the text");
    out
}
