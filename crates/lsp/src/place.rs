//! Bytes of a text as places of the protocol: lines from 0, and columns in units of UTF-16.

use lsp_types::{Position, Range};
use std::ops::Range as Bytes;

/// The place of a byte; the end for what lies behind it.
pub(crate) fn position(text: &str, byte: usize) -> Position {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let column = before[start..].encode_utf16().count();
    Position { line: small(line), character: small(column) }
}

/// The places of some bytes.
pub(crate) fn range(text: &str, bytes: Bytes<usize>) -> Range {
    Range { start: position(text, bytes.start), end: position(text, bytes.end) }
}

/// The byte at a place; the end of the line, or of the text, for what lies behind it.
pub(crate) fn byte(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].lines().next().unwrap_or_default();
    let mut column = 0;
    for (at, c) in line.char_indices() {
        if column >= position.character {
            return start + at;
        }
        column += small(c.len_utf16());
    }
    start + line.len()
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_in_units_of_utf_16() {
        let text = "a\n\u{1f600}b\u{e9}c\r\n";
        for (at, line, character) in [(0, 0, 0), (2, 1, 0), (6, 1, 2), (7, 1, 3), (9, 1, 4)] {
            assert_eq!(position(text, at), Position { line, character }, "{at}");
            assert_eq!(byte(text, Position { line, character }), at);
        }
    }

    #[test]
    fn places_outside_of_a_text_are_its_ends() {
        assert_eq!(byte("ab\ncd", Position { line: 0, character: 9 }), 2);
        assert_eq!(byte("ab\ncd", Position { line: 9, character: 0 }), 5);
        assert_eq!(position("ab", 9), Position { line: 0, character: 2 });
        assert_eq!(position("\u{e9}", 1), Position { line: 0, character: 0 });
    }
}
