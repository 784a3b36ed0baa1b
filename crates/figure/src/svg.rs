//! Text of SVG: elements, attributes, numbers, and what a user wrote.

use std::fmt::Write as _;

/// What a user wrote as text of SVG or HTML, or as the value of an attribute between double quotes. What
/// no XML may contain is replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A place or a length in pixels, to a tenth.
pub(crate) fn px(of: f64) -> String {
    debug_assert!(of.is_finite(), "a place in a picture");
    let text = format!("{of:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// About how wide text of this height is: no font is known, so digits of a wide one.
pub(crate) fn width_of(text: &str, height: f64) -> f64 {
    let characters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    f64::from(characters) * height * 0.58
}

/// Where text stands to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// An SVG while it is written.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Opens an element; `attributes` are text of SVG already.
    pub(crate) fn open(&mut self, tag: &str, attributes: &str) {
        let _ = writeln!(self.text, "<{tag} {attributes}>");
    }

    pub(crate) fn close(&mut self, tag: &str) {
        let _ = writeln!(self.text, "</{tag}>");
    }

    /// An element with nothing inside.
    pub(crate) fn leaf(&mut self, tag: &str, attributes: &str) {
        let _ = writeln!(self.text, "<{tag} {attributes}/>");
    }

    /// An element with a tip that is shown over it.
    pub(crate) fn tipped(&mut self, tag: &str, attributes: &str, tip: &str) {
        if tip.is_empty() {
            return self.leaf(tag, attributes);
        }
        let tip = escaped(tip);
        let _ = writeln!(self.text, "<{tag} {attributes}><title>{tip}</title></{tag}>");
    }

    /// A line of text.
    pub(crate) fn label(&mut self, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        self.label_as((x, y), anchor, "", words);
    }

    /// The same with more attributes.
    pub(crate) fn label_as(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        attributes: &str,
        words: &str,
    ) {
        let (x, y, anchor) = (px(x), px(y), anchor.word());
        let gap = if attributes.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{gap}{attributes}>{}</text>",
            escaped(words)
        );
    }

    /// Text that is SVG already.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_user_wrote_is_no_markup() {
        let escaped = escaped("<script>alert('x\" & y')</script>\u{1b}\u{0}");
        let expected =
            "&lt;script&gt;alert(&#39;x&quot; &amp; y&#39;)&lt;/script&gt;\u{fffd}\u{fffd}";
        assert_eq!(escaped, expected);
    }

    #[test]
    fn places_have_a_tenth_at_most() {
        assert_eq!(px(-0.01), "0");
        assert_eq!(px(3.0), "3");
        assert_eq!(px(2.25), "2.2");
    }
}
