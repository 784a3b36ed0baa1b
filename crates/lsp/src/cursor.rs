//! What stands at a place of a description in TOML, right or half written.
//!
//! **Model.** A text that is being written cannot be parsed most of the time, so lines are looked at: the last head of a
//! table above says which table it is, and the line itself has the key and its value. In braces the key before them
//! is a table, too.
//!
//! **Does not cover** values of several lines: they have no key here.

use std::ops::Range;
use vorrang_model::keys::{FILE, Key, Kind, Noun};

/// What stands at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The table: `["task", "log"]`; empty at the top.
    pub(crate) table: Vec<String>,
    /// Whether the place is in the head of the table.
    pub(crate) in_head: bool,
    /// The key of this line, or of the place in braces.
    pub(crate) key: Option<String>,
    /// Whether the place is behind the sign `=`.
    pub(crate) in_value: bool,
    /// The word around the place: a key, a full name, a duration, or part of it.
    pub(crate) word: Range<usize>,
    /// Whether that word is in quotes.
    pub(crate) is_quoted: bool,
}

impl Cursor {
    /// At a byte of a text.
    pub(crate) fn at(text: &str, byte: usize) -> Self {
        let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
        let end = text[byte..].find('\n').map_or(text.len(), |at| byte + at);
        let line = &text[start..end];
        let word = word(text, byte);
        let is_quoted = text[..word.start].ends_with('"');
        if let Some(table) = head(line) {
            return Self { table, in_head: true, word, is_quoted, ..Self::default() };
        }
        let mut table = text[..start].lines().rev().find_map(head).unwrap_or_default();
        let before = &line[..byte - start];
        let (mut key, mut in_value) = assignment(line)
            .map_or((None, false), |(key, sign)| (Some(key.to_owned()), before.len() > sign));
        if let Some(open) = open_brace(before) {
            table.extend(key.take().iter().flat_map(|key| parts(key)));
            let inner = &line[open + 1..];
            let from = before[open + 1..].rfind(',').map_or(0, |at| at + 1);
            let inner = inner[from..].split([',', '}']).next().unwrap_or_default();
            let found = assignment(inner);
            in_value = found.is_some_and(|(_, sign)| before.len() > open + 1 + from + sign);
            key = found.map(|(key, _)| key.to_owned());
        }
        Self { table, in_head: false, key, in_value, word, is_quoted }
    }

    /// The keys that the table may have; `None`: there is no such table.
    pub(crate) fn keys(&self) -> Option<&'static [Key]> {
        keys(&self.table)
    }

    /// What is said of the key of this line.
    pub(crate) fn known(&self) -> Option<&'static Key> {
        let path: Vec<String> = parts(self.key.as_ref()?).collect();
        let (last, above) = path.split_last()?;
        let table: Vec<String> = self.table.iter().chain(above).cloned().collect();
        keys(&table)?.iter().find(|key| key.name == last)
    }
}

/// The keys of a table.
fn keys(table: &[String]) -> Option<&'static [Key]> {
    let (own, inner) = match table {
        [noun, _, inner @ ..] if Noun::of_word(noun).is_some() => {
            (Noun::of_word(noun)?.keys(), inner)
        }
        [noun] if Noun::of_word(noun).is_some() => return None,
        inner => (FILE, inner),
    };
    inner.iter().try_fold(own, |keys, name| match keys.iter().find(|key| key.name == name)?.kind {
        Kind::Table(inner) | Kind::TableOrNone(inner) => Some(inner),
        _ => None,
    })
}

/// The path of a head, such as `[task.log]`, or of one that is not yet closed.
pub(crate) fn head(line: &str) -> Option<Vec<String>> {
    let path = line.trim_start().strip_prefix('[')?;
    let path = path.split([']', '#']).next().unwrap_or_default();
    let is_path = path.chars().all(|c| is_of_word(c) || matches!(c, '"' | '\'' | ' '));
    is_path.then(|| parts(path).collect())
}

/// The parts of a key with dots.
fn parts(key: &str) -> impl Iterator<Item = String> {
    key.split('.').map(|part| part.trim().trim_matches(['"', '\'']).to_owned())
}

/// The key of a line, and where its sign stands.
pub(crate) fn assignment(line: &str) -> Option<(&str, usize)> {
    let sign = line.find('=')?;
    let key = line[..sign].trim();
    let is_key =
        !key.is_empty() && key.chars().all(|c| is_of_word(c) || matches!(c, '"' | '\'' | ' '));
    is_key.then_some((key, sign))
}

/// The innermost brace that is open at the end of a part of a line, outside of strings.
fn open_brace(before: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut is_text = false;
    for (at, c) in before.char_indices() {
        match c {
            '"' => is_text = !is_text,
            '#' if !is_text => return None,
            '{' if !is_text => open.push(at),
            '}' if !is_text => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// The word around a byte; empty where there is none.
fn word(text: &str, byte: usize) -> Range<usize> {
    let before = text[..byte].trim_end_matches(is_of_word).len();
    let after = &text[byte..];
    before..byte + (after.len() - after.trim_start_matches(is_of_word).len())
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '%' | '\u{b5}' | '\u{3bc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the sign `|`.
    fn at(text: &str) -> (Cursor, String) {
        let byte = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let cursor = Cursor::at(&text, byte);
        let word = text[cursor.word.clone()].to_owned();
        (cursor, word)
    }

    #[test]
    fn a_value_knows_its_key_and_table() {
        let (cursor, word) = at("[task.log]\nwcet = \"1ms\"\non = \"core|.0\" # here\n");
        assert_eq!(cursor.table, ["task", "log"]);
        assert_eq!(
            (cursor.key.as_deref(), cursor.in_value, cursor.is_quoted),
            (Some("on"), true, true)
        );
        assert_eq!(word, "core.0");
        assert_eq!(cursor.known().unwrap().name, "on");
    }

    #[test]
    fn half_a_head_and_half_a_key_are_places() {
        let (cursor, word) = at("[core.0]\n[ta|");
        assert!(cursor.in_head);
        assert_eq!(word, "ta");
        let (cursor, word) = at("[core.0]\nsched|\n[task.a]\n");
        assert_eq!((cursor.in_head, cursor.in_value, word.as_str()), (false, false, "sched"));
        assert!(cursor.keys().unwrap().iter().any(|key| key.name == "scheduler"));
    }

    #[test]
    fn braces_and_dots_lead_into_tables() {
        let (cursor, _) =
            at("[core.0]\ncosts = { context-switch = \"1us\", sched|uler-call = \"2us\" }\n");
        assert_eq!(cursor.table, ["core", "0", "costs"]);
        assert_eq!((cursor.key.as_deref(), cursor.in_value), (Some("scheduler-call"), false));
        let (cursor, word) = at("[core.0]\ncosts = { context-switch = \"1|us\" }\n");
        assert_eq!(
            (cursor.key.as_deref(), cursor.in_value, word.as_str()),
            (Some("context-switch"), true, "1us")
        );
        let (cursor, _) = at("costs.context-switch = \"|\"\n");
        assert_eq!(cursor.known().map(|key| key.name), Some("context-switch"));
    }

    #[test]
    fn any_place_of_any_text_is_one() {
        let text = "[task.\"a b\"]\n= {{ \u{e9} = \"}\" [\nx = { a = { b = 1,";
        for byte in (0..=text.len()).filter(|byte| text.is_char_boundary(*byte)) {
            let cursor = Cursor::at(text, byte);
            assert!(cursor.word.start <= byte && byte <= cursor.word.end);
            let _ = (cursor.keys(), cursor.known());
        }
    }
}
