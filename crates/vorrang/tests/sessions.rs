//! Sessions shown in the README and in the manuals of the commands are real.
//!
//! A session is a line `$ vorrang …` and the output under it, up to the next command or the end of
//! the block; a last line `...` stands for the rest of the output.

mod program;

use program::{root, run, without_revision};

struct Session {
    command: String,
    output: Vec<String>,
}

/// The sessions of a text, whose blocks are indented or fenced.
fn sessions(text: &str, is_block: impl Fn(&str) -> bool) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let inside = line.trim();
        if let Some(command) = inside.strip_prefix("$ ") {
            sessions.push(Session { command: command.to_owned(), output: Vec::new() });
            open = true;
        } else if !line.is_empty() && !is_block(line) {
            open = false;
        } else if let (true, Some(session)) = (open, sessions.last_mut()) {
            session.output.push(line.to_owned());
        }
    }
    sessions
}

/// `command` as arguments of the program.
fn arguments(command: &str) -> Vec<&str> {
    let words: Vec<&str> = command.split(" > ").next().expect("words").split(' ').collect();
    match words[..] {
        ["vorrang", ..] => words[1..].to_vec(),
        ["cargo", "run", "--release", "--", ..] => words[4..].to_vec(),
        _ => panic!("a session of another program: {command}"),
    }
}

fn is_real(session: &Session, indent: usize) {
    let run = run(&arguments(&session.command));
    assert!(run.err.is_empty() && run.code < 4, "{}: {}", run.code, run.err);
    let real: Vec<&str> = run.out.trim_end().lines().collect();
    let shown: Vec<&str> =
        session.output.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
    let shown = without_revision(&shown.join("\n"));
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let (shown, real) = match shown.split_last() {
        Some((&"...", first)) => (first, &real[..first.len().min(real.len())]),
        _ => (&shown[..], &real[..]),
    };
    assert_eq!(shown.join("\n"), real.join("\n"), "$ {}", session.command);
}

#[test]
fn every_manual_opens_with_a_real_session() {
    for verb in ["check", "simulate", "explain", "schema"] {
        let manual = run(&[verb, "--help"]).out;
        let sessions = sessions(&manual, |line| line.starts_with("    "));
        assert!(!sessions.is_empty(), "{verb}");
        for session in sessions.iter().filter(|session| !session.command.contains(" > ")) {
            assert!(!session.output.is_empty(), "$ {}", session.command);
            is_real(session, 4);
        }
    }
}

#[test]
fn the_readme_shows_real_output() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let sessions = sessions(&readme, |line| !line.starts_with("```"));
    let of_program: Vec<_> =
        sessions.iter().filter(|session| session.command.contains("check")).collect();
    assert!(!of_program.is_empty());
    for session in of_program {
        is_real(session, 0);
    }
}
