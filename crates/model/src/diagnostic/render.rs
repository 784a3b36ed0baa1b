//! Diagnostics as text, with the lines they point to.
//!
//! ```text
//! error[E0201]: `budget` is a number without a unit
//!   --> system.toml:7:10
//!    |
//!  7 | budget = 4
//!    |          ^ a duration is written as a string with its unit
//!    |
//!    = help: did you mean "4ms"?
//! ```
//!
//! The source is bytes and may be anything: control characters and broken UTF-8 are replaced, a
//! long line is shown around the place that matters, a span of several lines by its first one.
//! Lines are looked up once for all diagnostics, so that many errors in a long file stay cheap.

use super::line::{Lines, show};
use super::{Diagnostic, Label, Span};
use std::fmt::Write as _;

/// Whether to colour the text for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI escape sequences.
    Always,
}

#[derive(Clone, Copy)]
enum Paint {
    Error,
    Warning,
    Frame,
    Other,
    Bold,
}

impl Colour {
    fn paint(self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Error => "1;31",
            Paint::Warning => "1;33",
            Paint::Frame => "1;34",
            Paint::Other => "34",
            Paint::Bold => "1",
        };
        match self {
            Self::Always if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }
}

/// The diagnostics one after the other, each followed by an empty line.
///
/// `name` is what the file is called in the text, `source` its bytes as they were read.
pub fn render(diagnostics: &[Diagnostic], name: &str, source: &[u8], colour: Colour) -> String {
    render_all(diagnostics, &[Text { file: None, name, bytes: source }], colour)
}

/// A text that diagnostics may point into.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// As diagnostics name it; none of the description itself.
    pub file: Option<&'a str>,
    /// What it is called.
    pub name: &'a str,
    /// As it was read.
    pub bytes: &'a [u8],
}

/// The same of a description with what it includes; the description itself is the first text.
///
/// # Panics
/// There is no text.
pub fn render_all(diagnostics: &[Diagnostic], texts: &[Text<'_>], colour: Colour) -> String {
    let files: Vec<(&Text<'_>, Lines<'_>)> =
        texts.iter().map(|own| (own, Lines::of(own.bytes))).collect();
    let of =
        |file: Option<&str>| files.iter().find(|(own, _)| own.file == file).unwrap_or(&files[0]);
    let mut text = String::new();
    for diagnostic in diagnostics {
        let (own, lines) = of(diagnostic.file.as_deref());
        let gutter = Page { name: own.name, lines, colour, text: &mut text }.write(diagnostic);
        for label in diagnostic.others.iter().filter(|label| label.file != diagnostic.file) {
            let (own, lines) = of(label.file.as_deref());
            Page { name: own.name, lines, colour, text: &mut text }.write_elsewhere(label);
        }
        Page { name: own.name, lines, colour, text: &mut text }.write_help(diagnostic, gutter);
        text.push('\n');
    }
    text
}

/// The line and column of each of these bytes, from 1.
pub(crate) fn places(starts: &[usize], source: &[u8]) -> Vec<(usize, usize)> {
    let lines = Lines::of(source);
    starts.iter().map(|&byte| (lines.index_of(byte) + 1, lines.column_of(byte))).collect()
}

/// One mark under a line.
struct Mark<'a> {
    line: usize,
    span: &'a Span,
    text: &'a str,
    primary: bool,
}

struct Page<'a> {
    name: &'a str,
    lines: &'a Lines<'a>,
    colour: Colour,
    text: &'a mut String,
}

impl Page<'_> {
    /// All but its help; how wide the numbers of lines are.
    fn write(mut self, diagnostic: &Diagnostic) -> usize {
        let marks = self.marks(diagnostic);
        let last = marks.iter().map(|mark| mark.line + 1).max().unwrap_or(1);
        let gutter = last.to_string().len() + 1;
        let (line, column) = self.position(diagnostic.span.start);

        let code = diagnostic.code;
        let (word, paint) =
            if code.is_warning() { ("warning", Paint::Warning) } else { ("error", Paint::Error) };
        let title = self.colour.paint(paint, &format!("{word}[{code}]"));
        let message = self.colour.paint(Paint::Bold, &format!(": {}", diagnostic.message));
        self.line(format_args!("{title}{message}"));
        let arrow = self.colour.paint(Paint::Frame, &format!("{:gutter$}-->", ""));
        let name = self.name;
        self.line(format_args!("{arrow} {name}:{line}:{column}"));
        self.frame(gutter, "|", "");
        let mut above = None;
        for mark in &marks {
            above = Some((mark.line, self.write_mark(gutter, mark, above.as_ref())));
        }
        gutter
    }

    fn write_help(mut self, diagnostic: &Diagnostic, gutter: usize) {
        if let Some(help) = &diagnostic.help {
            self.frame(gutter, "|", "");
            for (index, line) in help.lines().enumerate() {
                let (sign, word) = if index == 0 { ("=", "help: ") } else { (" ", "      ") };
                self.frame(gutter, sign, &format!("{word}{line}"));
            }
        }
    }

    /// A place in another file.
    fn write_elsewhere(mut self, Label { span, text, .. }: &Label) {
        let (line, column) = self.position(span.start);
        let gutter = line.to_string().len() + 1;
        let arrow = self.colour.paint(Paint::Frame, &format!("{:gutter$}:::", ""));
        let name = self.name;
        self.line(format_args!("{arrow} {name}:{line}:{column}"));
        self.frame(gutter, "|", "");
        self.write_mark(gutter, &Mark { line: line - 1, span, text, primary: false }, None);
    }

    /// All places of a diagnostic in its file from the top of the file to its end.
    fn marks<'d>(&self, diagnostic: &'d Diagnostic) -> Vec<Mark<'d>> {
        let mark = |span: &'d Span, text: &'d str, primary| Mark {
            line: self.lines.index_of(span.start),
            span,
            text,
            primary,
        };
        let here = diagnostic.others.iter().filter(|label| label.file == diagnostic.file);
        let others = here.map(|label| mark(&label.span, &label.text, false));
        let mut marks: Vec<_> = std::iter::once(mark(&diagnostic.span, &diagnostic.label, true))
            .chain(others)
            .collect();
        marks.sort_by_key(|mark| mark.span.start);
        marks
    }

    /// Writes a mark and its line, unless that stands just above; returns what is shown of it.
    fn write_mark(
        &mut self,
        gutter: usize,
        mark: &Mark<'_>,
        above: Option<&(usize, String)>,
    ) -> String {
        let (start, line) = self.lines.line(mark.line);
        let from = mark.span.start.saturating_sub(start);
        let part = show(line, from, mark.span.end.saturating_sub(start).max(from));
        if above.is_some_and(|(line, _)| line + 1 < mark.line) {
            self.line(format_args!("{:gutter$}...", ""));
        }
        let is_above = above.is_some_and(|(line, text)| (*line, text) == (mark.line, &part.text));
        if !is_above {
            let width = gutter - 1;
            let number = self.colour.paint(Paint::Frame, &format!(" {:>width$} |", mark.line + 1));
            self.line(format_args!("{number} {}", part.text));
        }
        let (sign, paint) = if mark.primary { ("^", Paint::Error) } else { ("-", Paint::Other) };
        let underline = format!("{} {}", sign.repeat(part.marked), mark.text);
        let underline = self.colour.paint(paint, underline.trim_end());
        self.frame(gutter, "|", &format!("{:1$}{underline}", "", part.before));
        part.text
    }

    fn frame(&mut self, gutter: usize, sign: &str, text: &str) {
        let frame = self.colour.paint(Paint::Frame, &format!("{:gutter$} {sign}", ""));
        self.line(format_args!("{frame} {text}"));
    }

    /// One line of text without trailing spaces.
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let start = self.text.len();
        write!(self.text, "{text}").expect("a string takes everything");
        let end = start + self.text[start..].trim_end().len();
        self.text.truncate(end);
        self.text.push('\n');
    }

    /// Line and column of a byte, from 1.
    fn position(&self, byte: usize) -> (usize, usize) {
        (self.lines.index_of(byte) + 1, self.lines.column_of(byte))
    }
}
