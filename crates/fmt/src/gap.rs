//! What stands between things: comments and empty lines.

/// Whole lines above something, and the spaces before it: comments without indentation, one empty line at most.
pub(crate) fn above(text: &str) -> String {
    let mut lines: Vec<&str> = text.split('\n').map(str::trim).collect();
    // The spaces before the thing itself.
    lines.pop();
    let mut out = String::new();
    let mut was_empty = false;
    for line in lines {
        if !(line.is_empty() && was_empty) {
            out += line;
            out += "\n";
        }
        was_empty = line.is_empty();
    }
    out
}

/// What follows on the same line: a comment behind its gap, or nothing.
pub(crate) fn behind(text: &str) -> String {
    let text = text.trim_end();
    match text.trim_start() {
        "" => String::new(),
        comment if comment.len() == text.len() => format!(" {comment}"),
        _ => text.to_owned(),
    }
}

/// What stands before an element of an array of several lines: comments, then a line with this indentation.
pub(crate) fn within(text: &str, indentation: &str) -> String {
    let mut lines = text.split('\n').map(str::trim);
    let mut out = String::new();
    // Behind the comma before.
    if let Some(comment) = lines.next().filter(|line| !line.is_empty()) {
        out += " ";
        out += comment;
    }
    for comment in lines.filter(|line| !line.is_empty()) {
        out += "\n    ";
        out += indentation;
        out += comment;
    }
    out
}
