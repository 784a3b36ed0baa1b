//! Depth and number of tables, counted before anything is built.
//!
//! Parsers build a tree for every `[`, `{` and dotted key, and a megabyte of those becomes a
//! gigabyte of tree. This pass only looks at brackets and dots outside strings and comments. For a
//! text of the format it is exact; for one that is not it may say "too deep" where the parser
//! would have said what else is wrong.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::{Format, limits};

/// What was found.
struct Count {
    /// Brackets that are open.
    open: usize,
    /// Dots since the last key began.
    dots: usize,
    /// Tables opened so far, by brackets or dots.
    tables: usize,
}

/// Why a text must not be given to a parser.
pub(super) fn check(text: &str, format: Format) -> Result<(), Box<Diagnostic>> {
    let bytes = text.as_bytes();
    let mut count = Count { open: 0, dots: 0, tables: 0 };
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at, format),
            b'\'' if format == Format::Toml => at = string_end(bytes, at, format),
            b'#' if format == Format::Toml => at = line_end(bytes, at),
            _ => count.see(*byte),
        }
        if count.open + count.dots > limits::NESTING {
            let message = "values are nested too deeply";
            let error = Diagnostic::new(Code::NestedTooDeep, at..at + 1, message);
            return Err(error.label("too deep from here on").into());
        }
        if count.tables > limits::TABLES {
            let message = format!("the text opens more than {} tables", limits::TABLES);
            let error = Diagnostic::new(Code::TooMany, at..at + 1, message);
            return Err(error.label("the first one too many").into());
        }
        at += 1;
    }
    Ok(())
}

impl Count {
    fn see(&mut self, byte: u8) {
        match byte {
            b'[' | b'{' => {
                self.open += 1;
                self.tables += 1;
                self.dots = 0;
            }
            b']' | b'}' => {
                self.open = self.open.saturating_sub(1);
                self.dots = 0;
            }
            b'.' => {
                self.dots += 1;
                self.tables += 1;
            }
            b'=' | b',' | b':' | b'\n' => self.dots = 0,
            _ => {}
        }
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| from + end - 1)
}

/// The last byte of the string that opens at `from`; the end of the text if none closes it.
fn string_end(bytes: &[u8], from: usize, format: Format) -> usize {
    let quote = bytes[from];
    let triple = [quote; 3];
    let is_triple = format == Format::Toml && bytes[from..].starts_with(&triple);
    let close: &[u8] = if is_triple { &triple } else { &triple[..1] };
    let mut at = from + close.len();
    while at < bytes.len() {
        if quote == b'"' && bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(close) {
            return at + close.len() - 1;
        } else if bytes[at] == b'\n' && !is_triple {
            return at;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, format: Format) -> Option<Code> {
        check(text, format).err().map(|error| error.code)
    }

    #[test]
    fn brackets_and_dots_count_where_they_nest() {
        let deep = limits::NESTING + 1;
        for (text, format) in [
            (format!("a = {}", "[".repeat(deep)), Format::Toml),
            (format!("a = {}", "{a=".repeat(deep)), Format::Toml),
            (format!("[{}a]", "a.".repeat(deep)), Format::Toml),
            (format!("{}a = 1", "a.".repeat(deep)), Format::Toml),
            (format!("a = '\n{}", "[".repeat(deep)), Format::Toml),
            (format!("a = '''x''' # c\nb = {}", "[".repeat(deep)), Format::Toml),
            ("{\"a\":".repeat(deep), Format::Json),
            (format!("[\"\\\"\",{}", "[".repeat(deep)), Format::Json),
        ] {
            assert_eq!(code(&text, format), Some(Code::NestedTooDeep), "{text}");
        }
    }

    #[test]
    fn strings_and_comments_do_not_count() {
        let deep = "[.{".repeat(limits::NESTING);
        for (text, format) in [
            (format!("# {deep}"), Format::Toml),
            (format!("a = \"{deep}\""), Format::Toml),
            (format!("a = \"\\\"{deep}\""), Format::Toml),
            (format!("a = '{deep}'"), Format::Toml),
            (format!("a = '''\n'{deep}'''"), Format::Toml),
            (format!("a = \"\"\"\n\"{deep}\"\"\""), Format::Toml),
            ("a.b.c = 1.5\n".repeat(limits::NESTING), Format::Toml),
            ("[a.b]\nx = [[1]]\n".repeat(limits::NESTING), Format::Toml),
            (format!("\"{deep}\""), Format::Json),
        ] {
            assert_eq!(code(&text, format), None, "{text}");
        }
    }

    #[test]
    fn tables_are_counted() {
        let text = "[a.b]\n".repeat(limits::TABLES / 2);
        assert_eq!(code(&text, Format::Toml), None);
        assert_eq!(code(&(text + "[a.b]\n"), Format::Toml), Some(Code::TooMany));
    }
}
