//! Text for people in lines of limited length.

use std::fmt::Write as _;

/// The longest line of prose: fits a terminal of 100 columns.
const WIDTH: usize = 96;

/// Text in lines of at most 96 characters, each with a line feed; `first` stands before the first
/// line and `others` before the rest.
pub fn wrapped(text: &str, first: &str, others: &str) -> String {
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
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

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_full_but_not_longer() {
        let text = wrapped(&"word ".repeat(50), "  a  ", "     ");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("  a  word") && lines[1].starts_with("     word"));
        assert!(lines.iter().all(|line| line.len() <= 96));
        assert!(lines[..lines.len() - 1].iter().all(|line| line.len() + " word".len() > 96));
    }

    #[test]
    fn a_word_that_is_too_long_has_a_line_of_its_own() {
        let long = "x".repeat(120);
        assert_eq!(wrapped(&format!("a {long} b"), "", ""), format!("a\n{long}\nb\n"));
    }
}
