//! Lines of a source that may be anything: binary, one line of megabytes, cut inside a character.

use crate::text::BYTE_ORDER_MARK;

/// Where the lines of a source start.
pub(super) struct Lines<'a> {
    source: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(source: &'a [u8]) -> Self {
        let after_breaks = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        // A byte order mark is no part of the first line.
        let mut mark = [0; 4];
        let mark = BYTE_ORDER_MARK.encode_utf8(&mut mark).as_bytes();
        let first = if source.starts_with(mark) { mark.len() } else { 0 };
        let starts = std::iter::once(first).chain(after_breaks.map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    /// The index of the line that holds this byte; the last line for what lies behind the end.
    pub(super) fn index_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }

    /// The bytes of a line without its line break, and where it starts.
    pub(super) fn line(&self, index: usize) -> (usize, &'a [u8]) {
        let start = self.starts[index];
        let end = self.starts.get(index + 1).map_or(self.source.len(), |next| next - 1);
        let line = &self.source[start..end];
        (start, line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The column of a byte in its line, counted in characters from 1.
    pub(super) fn column_of(&self, byte: usize) -> usize {
        let (start, line) = self.line(self.index_of(byte));
        let before = &line[..byte.saturating_sub(start).min(line.len())];
        String::from_utf8_lossy(before).chars().count() + 1
    }
}

/// A part of a line made fit to print, and what is marked in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The text: at most [`WIDTH`] columns and two ellipses.
    pub(super) text: String,
    /// Columns before the mark.
    pub(super) before: usize,
    /// Columns marked; at least one.
    pub(super) marked: usize,
}

/// Most columns of a line that are shown.
const WIDTH: usize = 120;
/// Columns shown before the mark where a line is cut.
const LEAD: usize = 40;
/// Most bytes decoded on each side of the start of the mark. What is shown has at most [`WIDTH`]
/// characters of up to four bytes.
const NEAR: usize = WIDTH * 4;

/// The part of `line` around the bytes `from..to`.
pub(super) fn show(line: &[u8], from: usize, to: usize) -> Shown {
    let from = from.min(line.len());
    let first = from.saturating_sub(NEAR);
    let last = line.len().min(from + NEAR);
    let to = to.clamp(from, last);
    let mut columns = printable(&line[first..from]);
    let mut before = columns.len();
    columns.extend(printable(&line[from..to]));
    let mut after = columns.len();
    columns.extend(printable(&line[to..last]));

    let mut text = String::new();
    let is_long = first > 0 || last < line.len() || columns.len() > WIDTH;
    if is_long && (first > 0 || before > LEAD) {
        let cut = before.saturating_sub(LEAD);
        columns.drain(..cut);
        (before, after) = (before - cut, after - cut);
        text.push_str("...");
    }
    let ellipsis = text.len();
    let cut_back = last < line.len() || columns.len() > WIDTH;
    columns.truncate(WIDTH);
    text.push_str(&columns.concat());
    if cut_back {
        text.push_str("...");
    }
    let marked = after.min(columns.len()).saturating_sub(before).max(1);
    Shown { text, before: before + ellipsis, marked }
}

/// The text column by column: what is printed in each. A wide character takes two columns.
fn printable(bytes: &[u8]) -> Vec<String> {
    let mut columns = Vec::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match unicode_width::UnicodeWidthChar::width(c) {
            _ if c == '\t' => columns.push(" ".into()),
            None => columns.push('\u{fffd}'.to_string()),
            Some(0) => {}
            Some(width) => {
                columns.push(c.to_string());
                columns.extend(std::iter::repeat_n(String::new(), width - 1));
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line and a mark under it.
    fn shown(line: &[u8], from: usize, to: usize) -> (String, String) {
        let Shown { text, before, marked } = show(line, from, to);
        (text, " ".repeat(before) + &"^".repeat(marked))
    }

    #[test]
    fn short_lines_are_shown_whole() {
        assert_eq!(shown(b"budget = 4", 9, 10), ("budget = 4".into(), "         ^".into()));
        assert_eq!(shown(b"", 0, 0), (String::new(), "^".into()));
        assert_eq!(shown(b"ab", 2, 2), ("ab".into(), "  ^".into()));
        assert_eq!(shown(b"ab", 5, 9), ("ab".into(), "  ^".into()));
    }

    #[test]
    fn marks_stand_under_wide_and_unprintable_characters() {
        let line = "\t\u{1b}\u{6f22}e\u{301}x".as_bytes();
        let x = line.len() - 1;
        let (text, mark) = shown(line, x, x + 1);
        assert_eq!(text, " \u{fffd}\u{6f22}ex");
        assert_eq!(mark, "     ^");
        assert_eq!(shown(b"a\xff\xfeb", 3, 4), ("a\u{fffd}\u{fffd}b".into(), "   ^".into()));
        assert_eq!(shown("äb".as_bytes(), 1, 2).0, "\u{fffd}\u{fffd}b");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = [b"x".repeat(5_000), b"here".to_vec(), b"y".repeat(5_000)].concat();
        let (text, mark) = shown(&line, 5_000, 5_004);
        assert_eq!(text.len(), 3 + WIDTH + 3);
        let start = mark.find('^').unwrap();
        assert_eq!(&text[start..mark.len()], "here");
        let (text, mark) = shown(&line, 0, line.len());
        assert_eq!((text.len(), mark.len()), (WIDTH + 3, WIDTH));
        let (text, mark) = shown(&line, line.len(), line.len());
        assert_eq!((text.len(), mark.len()), (3 + LEAD, 3 + LEAD + 1));
    }

    #[test]
    fn a_byte_order_mark_is_before_the_first_column() {
        let lines = Lines::of("\u{feff}ab\nc".as_bytes());
        let position = |byte| (lines.index_of(byte), lines.column_of(byte));
        assert_eq!([0, 2, 3, 4, 6].map(position), [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1)]);
        assert_eq!(lines.line(0), (3, &b"ab"[..]));
    }

    #[test]
    fn lines_and_columns_count_from_the_start() {
        let lines = Lines::of("a\r\nbä\n".as_bytes());
        let position = |byte| (lines.index_of(byte), lines.column_of(byte));
        assert_eq!(position(0), (0, 1));
        assert_eq!(position(2), (0, 2));
        assert_eq!(position(3), (1, 1));
        assert_eq!(position(6), (1, 3));
        assert_eq!(position(7), (2, 1));
        assert_eq!(position(99), (2, 1));
        assert_eq!(lines.line(0), (0, &b"a"[..]));
        assert_eq!(lines.line(2), (7, &b""[..]));
    }
}
