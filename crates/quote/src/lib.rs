//! Quoting of a text for its next reader, so that it stays a text.
//!
//! Names of threads, machines, interfaces and interrupts hold whatever a user or a program has
//! chosen. Everything that puts one into a line for another program, or for a terminal, writes it
//! with the function for that reader:
//!
//! | reader | function | the text is |
//! |---|---|---|
//! | people; comments behind `#` (shell, systemd, `xl`) | [`visible`] | on one line, whatever it holds, and moves no cursor |
//! | POSIX shell | [`shell_word`] | one word: nothing in it is expanded, split or run |
//! | `grep -E` | [`expression`] | an expression that matches this text only |
//! | XML | [`xml_comment`] | inside a comment, which it does not end |
//!
//! Where no way of writing is safe (a name that `xl` would take for an option, a path where there
//! should be a name) the name is refused, see the selectors of `vorrang-enforce`.
//!
//! **Does not cover** JSON (the journal), which `serde_json` writes.

pub mod name;

use std::fmt::Write as _;

/// On one line, with every character that is seen: control characters, line ends and characters
/// that reorder or join others are written as in Rust, `\n` or `\u{202e}`, and so `\` as `\\`.
pub fn visible(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' | '"' => written.push(c),
            c => written.extend(c.escape_debug()),
        }
    }
    written
}

/// One word of a POSIX shell. Line ends are a part of it; NUL cannot be.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A POSIX extended regular expression for this text.
pub fn expression(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        if r"^.[$()|*+?{\".contains(c) {
            written.push('\\');
        }
        written.push(c);
    }
    written
}

/// Inside `<!-- … -->`, with a space at both ends: two hyphens would end it.
pub fn xml_comment(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in visible(text).chars() {
        if c == '-' && written.ends_with('-') {
            let _ = write!(written, "{}", c.escape_unicode());
        } else {
            written.push(c);
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_read_stays_on_its_line() {
        assert_eq!(visible("engine \"2\" of 'é'"), "engine \"2\" of 'é'");
        assert_eq!(visible("a\nb\r\0\u{1b}[2J\\"), r"a\nb\r\0\u{1b}[2J\\");
        assert_eq!(visible("\u{85}\u{2028}\u{202e}\u{200b}"), r"\u{85}\u{2028}\u{202e}\u{200b}");
    }

    #[test]
    fn words_are_quoted_only_where_a_shell_would_touch_them() {
        assert_eq!(shell_word("exhausted:task.can-rx"), "exhausted:task.can-rx");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word("$(reboot)"), "'$(reboot)'");
    }

    #[test]
    fn expressions_match_what_they_are_made_of() {
        assert_eq!(expression("napi/eth0.100-"), r"napi/eth0\.100-");
        assert_eq!(expression(r"^.[$()|*+?{\]}"), r"\^\.\[\$\(\)\|\*\+\?\{\\]}");
    }

    #[test]
    fn no_comment_of_xml_is_ended() {
        assert_eq!(xml_comment("a--><evil>"), r"a-\u{2d}><evil>");
        assert_eq!(xml_comment("----"), r"-\u{2d}-\u{2d}");
        assert_eq!(xml_comment("\u{fffe}-"), r"\u{fffe}-");
    }
}
