//! Text in lines of limited length.

use crate::screen::Screen;
use std::fmt::Write as _;

/// The longest line of prose: what is longer is hard to read, however wide the terminal.
const WIDTH: usize = 96;

/// Text in lines of at most 96 characters, or fewer on a narrow screen, each with a line feed;
/// `first` stands before the first line and `others` before the rest.
pub fn wrapped(screen: Screen, text: &str, first: &str, others: &str) -> String {
    let width = WIDTH.min(screen.width);
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            let _ = writeln!(out, "{line}");
            others.clone_into(&mut line);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    let _ = writeln!(out, "{line}");
    out
}

/// The first of some names, and how many more there are: one more is named, too.
pub fn folded(names: &[&str], shown: usize) -> String {
    let (first, rest) = names.split_at(shown.min(names.len()));
    match rest {
        [] | [_] => names.join(", "),
        _ => format!("{} and {} more", first.join(", "), rest.len()),
    }
}

/// At most `width` characters of a name, at least three, with an ellipsis for its middle: names
/// often differ at their ends.
pub fn elided(name: &str, width: usize) -> String {
    let count = name.chars().count();
    if count <= width {
        return name.to_owned();
    }
    let tail = (width - 1) / 2;
    let head = width - 1 - tail;
    name.chars().take(head).chain(['…']).chain(name.chars().skip(count - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::{elided, folded, wrapped};
    use crate::screen::PLAIN;

    #[test]
    fn lines_are_full_but_not_longer() {
        let text = wrapped(PLAIN, &"word ".repeat(50), "  a  ", "     ");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("  a  word") && lines[1].starts_with("     word"));
        assert!(lines.iter().all(|line| line.len() <= 96));
        assert!(lines[..lines.len() - 1].iter().all(|line| line.len() + " word".len() > 96));
    }

    #[test]
    fn a_word_that_is_too_long_has_a_line_of_its_own() {
        let long = "x".repeat(120);
        assert_eq!(wrapped(PLAIN, &format!("a {long} b"), "", ""), format!("a\n{long}\nb\n"));
    }

    #[test]
    fn many_names_are_folded_but_never_one() {
        let folded = |count: usize| folded(&["a", "b", "c", "d", "e"][..count], 2);
        assert_eq!([0, 2, 3, 4].map(folded), ["", "a, b", "a, b, c", "a, b and 2 more"]);
    }

    #[test]
    fn an_elided_name_keeps_both_ends() {
        let elided = |width| elided("task.gäteway-200ms", width);
        assert_eq!([18, 11, 3].map(elided), ["task.gäteway-200ms", "task.…200ms", "t…s"]);
    }
}
