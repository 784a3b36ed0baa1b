//! JSON as rt-app and its `workgen` read it: with comments, with commas behind the last of several, with an event that has
//! nothing behind its word, and with the same word several times in one thread.
//!
//! **Model.** `workgen` gives a word that comes again a number, so that all of them happen. Here the last one keeps its
//! word, and those before it have a blank and a number behind it: `run 1`, `run 2`, `run`.

use crate::refused::Refused;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The value of a text.
pub(crate) fn read(text: &str) -> Result<Value, Refused> {
    let all: All = serde_json::from_str(&strict(text))
        .map_err(|why| Refused::at(why.line(), format!("this is no JSON: {why}")))?;
    Ok(all.0)
}

/// A value in which nothing is left out that has the name of something else.
struct All(Value);

impl<'de> Deserialize<'de> for All {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading).map(Self)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(All(value)) = from.next_element()? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let (mut map, mut again) = (Map::new(), 0_u64);
        while let Some((key, All(value))) = from.next_entry::<String, All>()? {
            if let Some(before) = map.remove(&key) {
                again += 1;
                map.insert(format!("{key} {again}"), before);
            }
            map.insert(key, value);
        }
        Ok(map.into())
    }
}

/// A text on its way to JSON.
#[derive(Default)]
struct Strict {
    out: String,
    /// What is open, as it was opened.
    open: Vec<char>,
    /// A string of an object has ended, and nothing has come behind it.
    is_key: bool,
    /// A colon is behind the last key of the object.
    has_colon: bool,
}

impl Strict {
    /// What stands outside of strings and comments.
    fn plain(&mut self, c: char) {
        let ends = matches!(c, ',' | '}' | ']');
        if ends && self.is_key && !self.has_colon && self.open.last() == Some(&'{') {
            let end = self.out.trim_end().len();
            self.out.insert_str(end, ":\"\"");
        }
        match c {
            '{' | '[' => self.open.push(c),
            '}' | ']' => {
                without_last_comma(&mut self.out);
                self.open.pop();
            }
            _ => {}
        }
        // A comment may come between two of them.
        let is_between = c.is_whitespace() || c == '/';
        self.has_colon = c == ':' || self.has_colon && is_between;
        self.is_key &= is_between;
        self.out.push(c);
    }
}

/// Comments (`/* */`) and commas before the end of a list become blanks, so that lines stay where they are, and a word of
/// an object without a value has an empty one.
fn strict(text: &str) -> String {
    let mut to = Strict { out: String::with_capacity(text.len()), ..Strict::default() };
    let (mut in_string, mut in_comment, mut before) = (false, false, '\0');
    for c in text.chars() {
        if in_comment {
            in_comment = !(before == '*' && c == '/');
            to.out.push(if c == '\n' { c } else { ' ' });
            // The end of a comment begins no other one.
            before = if in_comment { c } else { '\0' };
            continue;
        }
        if !in_string && before == '/' && c == '*' {
            to.out.pop();
            to.out.push_str("  ");
            (in_comment, before) = (true, '\0');
            continue;
        }
        if c == '"' && !(in_string && before == '\\') {
            in_string = !in_string;
            to.is_key = !in_string;
            to.out.push(c);
        } else if in_string {
            to.out.push(c);
        } else {
            to.plain(c);
        }
        // A backslash that is escaped itself escapes nothing.
        before = if c == '\\' && before == '\\' { '\0' } else { c };
    }
    to.out
}

/// A comma that nothing follows becomes a blank.
fn without_last_comma(out: &mut String) {
    let end = out.trim_end().len();
    if out[..end].ends_with(',') {
        out.replace_range(end - 1..end, " ");
    }
}
