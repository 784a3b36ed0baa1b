//! JSON as rt-app and its `workgen` read it: with comments, with commas behind the last of several, with an event that has
//! nothing behind its word, and with the same word several times in one thread.
//!
//! **Model.** An object is a list of words with values, as they stand there: their order is that of events, and a word that
//! comes again happens again.

use crate::refused::Refused;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    /// Nothing, a truth value other than `true`, or a number that is not whole.
    Other,
    Yes,
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of a word, the last if it comes several times.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let mut all = self.entries()?.iter().rev();
        all.find(|(own, _)| own == key).map(|(_, value)| value)
    }

    pub(crate) fn entries(&self) -> Option<&[(String, Self)]> {
        if let Self::Object(all) = self { Some(all) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(crate) fn number(&self) -> Option<i64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// The value of a text.
pub(crate) fn read(text: &str) -> Result<Json, Refused> {
    serde_json::from_str(&strict(text))
        .map_err(|why| Refused::at(why.line(), format!("this is no JSON: {why}")))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(if value { Json::Yes } else { Json::Other })
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(i64::try_from(value).map_or(Json::Other, Json::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element()? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = from.next_entry()? {
            all.push(entry);
        }
        Ok(Json::Object(all))
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
