//! Values: arrays and tables in braces; everything else is as it was written.

use crate::gap::within;
use toml_edit::{Array, Decor, InlineTable, RawString, Value};

/// The inside of a value that is so deep in arrays of several lines.
pub(crate) fn value(of: &mut Value, depth: usize) {
    match of {
        Value::Array(own) if has_lines(&own.to_string()) => lines(own, depth),
        Value::Array(own) => list(own, depth),
        Value::InlineTable(own) if !has_lines(&own.to_string()) => pairs(own, depth),
        _ => {}
    }
}

/// Whether something is written in several lines, around what is in it.
fn has_lines(text: &str) -> bool {
    text.trim().contains('\n')
}

fn text(raw: Option<&RawString>) -> String {
    raw.and_then(RawString::as_str).unwrap_or_default().to_owned()
}

/// `["a", "b"]`
fn list(of: &mut Array, depth: usize) {
    for (place, own) in of.iter_mut().enumerate() {
        value(own, depth);
        *own.decor_mut() = Decor::new(if place == 0 { "" } else { " " }, "");
    }
    of.set_trailing("");
    of.set_trailing_comma(false);
}

/// An element in each line.
fn lines(of: &mut Array, depth: usize) {
    let indentation = "    ".repeat(depth);
    for own in of.iter_mut() {
        let before = within(&text(own.decor().prefix()), &indentation);
        let after = text(own.decor().suffix());
        // A comment between an element and its comma stays where it is.
        let after = if after.contains('#') { after } else { String::new() };
        value(own, depth + 1);
        *own.decor_mut() = Decor::new(format!("{before}\n    {indentation}"), after);
    }
    let trailing = within(of.trailing().as_str().unwrap_or_default(), &indentation);
    of.set_trailing(format!("{trailing}\n{indentation}"));
    of.set_trailing_comma(!of.is_empty());
}

/// `{ a = 1, b = 2 }`
fn pairs(of: &mut InlineTable, depth: usize) {
    let count = of.len();
    of.set_trailing("");
    of.set_trailing_comma(false);
    for (place, (mut key, own)) in of.iter_mut().enumerate() {
        *key.leaf_decor_mut() = Decor::new(" ", " ");
        key.dotted_decor_mut().clear();
        if let Value::InlineTable(inner) = own
            && inner.is_dotted()
        {
            // `a.b = 1` inside: the key is spread over tables, and stays as it is.
            continue;
        }
        value(own, depth);
        *own.decor_mut() = Decor::new(" ", if place + 1 == count { " " } else { "" });
    }
}
