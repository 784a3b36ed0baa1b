//! Lines that are indented by two spaces a level, as lists in lists.

use std::fmt::Write as _;
use vorrang_figure::escaped;

/// A list of the lines; what stands in brackets names a source.
pub(crate) fn list<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::from("<ol class=\"steps\">\n");
    let mut depth = 0;
    let mut first = true;
    for line in lines {
        let text = line.trim_start();
        let wanted = (line.len() - text.len()) / 2;
        // A step may go in by one only, and out by many.
        if wanted > depth && !first {
            out += "<ol>\n";
            depth += 1;
        } else {
            if !first {
                out += "</li>\n";
            }
            while depth > wanted {
                out += "</ol>\n</li>\n";
                depth -= 1;
            }
        }
        let class = if text.starts_with('[') { " class=\"source\"" } else { "" };
        let _ = write!(out, "<li{class}>{}", escaped(text));
        first = false;
    }
    if !first {
        out += "</li>\n";
    }
    for _ in 0..depth {
        out += "</ol>\n</li>\n";
    }
    out + "</ol>\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn levels_are_lists_that_close() {
        let lines = ["a", "  b", "    <c>", "  d", "[source]"];
        let html = super::list(lines.into_iter()).replace('\n', "");
        let expected = "<ol class=\"steps\"><li>a<ol><li>b<ol><li>&lt;c&gt;</li></ol></li><li>d</li></ol></li>\
                        <li class=\"source\">[source]</li></ol>";
        assert_eq!(html, expected);
    }
}
