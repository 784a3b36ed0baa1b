//! Lines of a source that may be anything: binary, one line of megabytes, cut inside a character.

/// Where the lines of a source start.
pub(super) struct Lines<'a> {
    source: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(source: &'a [u8]) -> Self {
        let after_breaks = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(after_breaks.map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    /// The index of the line that holds this byte; the last line for what lies behind the end.
    pub(super) fn index_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte) - 1
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

/// The part of `line` around the bytes `from..to`.
pub(super) fn show(line: &[u8], from: usize, to: usize) -> Shown {
    let (from, to) = (from.min(line.len()), to.min(line.len()));
    // Only as much as can be shown is decoded: a character has at most four bytes.
    let first = if from > WIDTH * 4 { from - LEAD * 4 } else { 0 };
    let last = line.len().min(to.min(from + WIDTH * 4) + WIDTH * 4);
    let mut lead = printable(&line[first..from]);
    let mut marked = printable(&line[from..to.min(last).max(from)]);
    let mut rest = printable(&line[to.min(last).max(from)..last]);

    let cut_front = first > 0 || lead.len() > WIDTH / 2;
    if cut_front {
        lead.drain(..lead.len().saturating_sub(LEAD));
    }
    let mut cut_back = last < line.len();
    for part in [(&mut marked, lead.len()), (&mut rest, 0)] {
        let (text, used) = part;
        let room = WIDTH.saturating_sub(used);
        cut_back |= text.len() > room;
        text.truncate(room);
    }
    let room = WIDTH.saturating_sub(lead.len() + marked.len());
    cut_back |= rest.len() > room;
    rest.truncate(room);
    let ellipsis = |cut: bool| if cut { "..." } else { "" };
    let before = lead.len() + ellipsis(cut_front).len();
    let length = marked.len().max(1);
    let text = [ellipsis(cut_front).into(), lead.concat(), marked.concat(), rest.concat()].concat()
        + ellipsis(cut_back);
    Shown { text, before, marked: length }
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
