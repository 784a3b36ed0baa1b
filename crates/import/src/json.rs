//! JSON with comments and with commas behind the last of several, as rt-app reads it.

use crate::refused::Refused;
use serde_json::Value;

/// The value of a text.
pub(crate) fn read(text: &str) -> Result<Value, Refused> {
    serde_json::from_str(&strict(text))
        .map_err(|why| Refused::at(why.line(), format!("this is no JSON: {why}")))
}

/// Comments (`/* */`) and commas before the end of a list become blanks, so that lines stay where they are.
fn strict(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut in_comment, mut before) = (false, false, '\0');
    for c in text.chars() {
        if in_comment {
            in_comment = !(before == '*' && c == '/');
            out.push(if c == '\n' { c } else { ' ' });
            // The end of a comment begins no other one.
            before = if in_comment { c } else { '\0' };
            continue;
        }
        if !in_string && before == '/' && c == '*' {
            out.pop();
            out.push_str("  ");
            (in_comment, before) = (true, '\0');
            continue;
        }
        if !in_string && matches!(c, '}' | ']') {
            without_last_comma(&mut out);
        }
        if c == '"' && !(in_string && before == '\\') {
            in_string = !in_string;
        }
        // A backslash that is escaped itself escapes nothing.
        before = if c == '\\' && before == '\\' { '\0' } else { c };
        out.push(c);
    }
    out
}

/// A comma that nothing follows becomes a blank.
fn without_last_comma(out: &mut String) {
    let end = out.trim_end().len();
    if out[..end].ends_with(',') {
        out.replace_range(end - 1..end, " ");
    }
}
