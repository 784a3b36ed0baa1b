//! The tree of a text that differs from another one in a single value.
//!
//! **Model.** Between the two texts one stretch of bytes is another one. Where it lies in one value, and that is one
//! value of TOML before and after, the text is read as before: a value stands wherever another one does. So the tree
//! is the one before with that value, and everything behind it stands as much further on as the text became longer.
//!
//! **Does not cover** values that hold others, numbers with a dot and values of several lines: then all of it is read.

use super::node::{BYTE_ORDER_MARK, Entry, Node, Value};
use super::toml;
use crate::Format;
use crate::diagnostic::Span;
use crate::diagnostic::collect::Errors;

/// A text of TOML that nothing was wrong with, and its tree.
pub(crate) struct Kept {
    text: String,
    tree: Node,
}

impl Kept {
    /// Of a text that is TOML and nothing else.
    pub(crate) fn new(source: &[u8], format: Format, tree: Node) -> Option<Self> {
        let text = std::str::from_utf8(source).ok().filter(|_| format == Format::Toml)?;
        (!text.starts_with(BYTE_ORDER_MARK)).then(|| Self { text: text.to_owned(), tree })
    }

    /// The tree of another text, if it differs in one value at most.
    pub(super) fn tree_of(self, text: &str, format: Format) -> Option<Node> {
        let Self { text: before, mut tree } = self;
        if format != Format::Toml {
            return None;
        }
        let (from, end) = difference(before.as_bytes(), text.as_bytes());
        if from == end && before.len() == text.len() {
            return Some(tree);
        }
        let edit = Edit { from, end, before: before.len(), now: text.len() };
        let old = edit.value_around(&tree)?;
        let new = old.start..edit.moved(old.end);
        let value = single(text.get(new)?)?;
        // What stood there was one as well, so that nothing else depends on how it was written.
        single(before.get(old.clone())?)?;
        edit.put(&mut tree, &old, &mut Some(value));
        Some(tree)
    }
}

/// The bytes of the first text that are others in the second: from here to before there.
fn difference(before: &[u8], now: &[u8]) -> (usize, usize) {
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let from = before.iter().zip(now).take_while(same).count();
    let rest = before[from..].iter().rev().zip(now[from..].iter().rev());
    (from, before.len() - rest.take_while(same).count())
}

/// A value that is one word: a string of one line, a whole number, or a boolean.
fn single(text: &str) -> Option<Value> {
    let is_quoted = text.starts_with(['"', '\'']);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    if text.contains(['\n', '\r']) || !(is_quoted || text.chars().all(is_word)) {
        return None;
    }
    let mut errors = Errors::default();
    let line = format!("{KEY}{text}\n");
    let read = toml::parse(&line, &mut errors).filter(|_| errors.is_empty())?;
    let Value::Table(mut entries) = read.value else { return None };
    let Entry { node: Node { span, value }, .. } = entries.pop()?;
    let is_whole = entries.is_empty() && span == (KEY.len()..KEY.len() + text.len());
    let is_single = matches!(value, Value::Text(_) | Value::Number(..) | Value::Boolean(_));
    (is_whole && is_single).then_some(value)
}

/// What a value is tried behind.
const KEY: &str = "x = ";

/// One stretch of a text that became another one.
struct Edit {
    from: usize,
    end: usize,
    /// How long the text was, and is.
    before: usize,
    now: usize,
}

impl Edit {
    /// Where the value stands in which all of it lies.
    fn value_around(&self, node: &Node) -> Option<Span> {
        match &node.value {
            Value::Array(items) => items.iter().find_map(|own| self.value_around(own)),
            Value::Table(entries) => entries.iter().find_map(|own| self.value_around(&own.node)),
            _ => (node.span.start <= self.from && self.end <= node.span.end)
                .then(|| node.span.clone()),
        }
    }

    /// Where something stands now that stood behind it.
    fn moved(&self, place: usize) -> usize {
        place + self.now - self.before
    }

    /// Puts the new value in, and moves what stands behind it.
    fn put(&self, node: &mut Node, old: &Span, new: &mut Option<Value>) {
        let move_on = |span: &mut Span| {
            for place in [&mut span.start, &mut span.end] {
                if *place >= old.end {
                    *place = self.moved(*place);
                }
            }
        };
        match &mut node.value {
            Value::Array(items) => items.iter_mut().for_each(|own| self.put(own, old, new)),
            Value::Table(entries) => {
                for Entry { span, node, .. } in entries {
                    move_on(span);
                    self.put(node, old, new);
                }
            }
            value if node.span == *old => *value = new.take().unwrap_or(Value::Null),
            _ => {}
        }
        move_on(&mut node.span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// As if nothing had been read before; `None`: it is not TOML.
    fn anew(text: &str) -> Option<Node> {
        let mut errors = Errors::default();
        toml::parse(text, &mut errors).filter(|_| errors.is_empty())
    }

    /// After another text: what is known of it then, and whether that was known without reading all of it.
    fn edited(before: &str, now: &str) -> bool {
        let tree = anew(before).expect("right");
        let kept = Kept::new(before.as_bytes(), Format::Toml, tree).expect("TOML");
        let found = kept.tree_of(now, Format::Toml);
        if let Some(found) = &found {
            assert_eq!(Some(found), anew(now).as_ref(), "{now}");
        }
        found.is_some()
    }

    fn values(node: &Node, found: &mut Vec<Span>) {
        match &node.value {
            Value::Array(items) => items.iter().for_each(|own| values(own, found)),
            Value::Table(entries) => entries.iter().for_each(|own| values(&own.node, found)),
            _ => found.push(node.span.clone()),
        }
    }

    const WRITTEN: [&str; 16] = [
        "7",
        "1_0",
        "\"12ms\"",
        "'é'",
        "true",
        "1.5",
        "\"a\" # b",
        "[1]",
        "{ a = 1 }",
        "\"a\", \"b\"",
        "\"",
        "1979-05-27",
        "1\n[task.more]\nx = 2",
        "",
        "\"\"\"a\"\"\"",
        "\"\\u00e9\"",
    ];

    #[test]
    fn whatever_stands_in_place_of_a_value_the_tree_is_that_of_the_whole_text() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/right");
        let (mut known, mut all) = (0, 0);
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|own| own != "toml") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            // A byte order mark is no part of TOML.
            if text.starts_with(BYTE_ORDER_MARK) {
                continue;
            }
            let mut places = Vec::new();
            values(&anew(&text).unwrap(), &mut places);
            // Some of each description, and other ones for each thing that is written.
            for (at, place) in places.iter().enumerate() {
                let written = WRITTEN[at % WRITTEN.len()];
                let now = [&text[..place.start], written, &text[place.end..]].concat();
                known += usize::from(edited(&text, &now));
                all += 1;
            }
        }
        assert!(known * 3 > all && all > 500, "{known} of {all}");
    }

    #[test]
    fn what_else_may_change_is_read_anew() {
        let text = "a = 1\n[b.c]\nd = \"x\" # y\ne = [2, 3]\nf = { g = 4 }\n";
        let known = |from: &str, to: &str| edited(text, &text.replace(from, to));
        assert!(edited(text, text));
        for (from, to) in
            [("1", "12"), ("1", "-1"), ("\"x\"", "\"\""), ("x", "xx"), ("3", "33"), ("4", "'h'")]
        {
            assert!(known(from, to), "{to}");
        }
        for (from, to) in [
            ("a", "h"),
            ("1", "1 # z"),
            ("# y", "# z"),
            ("c]", "d]"),
            ("2, 3", "2, 3, 4"),
            ("g = 4", "g = 4, h = 5"),
            ("1\n", "1\nz = 1\n"),
            ("d = \"x\"", "d = x"),
            ("4", "4.0"),
            ("3", "nothing"),
        ] {
            assert!(!known(from, to), "{to}");
        }
        // Two values.
        assert!(!edited(text, &text.replace('2', "5").replace('3', "6")));
    }
}
