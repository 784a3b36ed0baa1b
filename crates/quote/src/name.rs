//! Names of files, as they may stand in a message and as a shell reads them back.
//!
//! **Model.** A name is any bytes but 0. One that could move a cursor or hide a part of itself
//! (control characters, marks of direction, bytes that are no UTF-8) is shown in quotes, with escapes in
//! place of those; every other one as it is.
//!
//! **Does not cover** names that end with a line feed, in a shell: what stands for them lacks it.

use crate::shell_word;
use std::ffi::OsStr;
use std::fmt::Write as _;

/// The name for a message.
pub fn shown(name: impl AsRef<OsStr>) -> String {
    let name = name.as_ref();
    match name.to_str() {
        Some(text) if text.chars().all(is_plain) => text.to_owned(),
        #[expect(clippy::unnecessary_debug_formatting, reason = "the escapes are wanted")]
        _ => format!("{name:?}"),
    }
}

/// Whether a character shows as itself: `Debug` knows which do not.
fn is_plain(c: char) -> bool {
    matches!(c, '\'' | '"' | '\\') || !c.escape_debug().to_string().starts_with('\\')
}

/// The name as a POSIX shell reads it back, without a character that is not [plain](is_plain).
pub fn quoted(name: impl AsRef<OsStr>) -> String {
    let name = name.as_ref();
    match name.to_str() {
        Some(text) if text.chars().all(is_plain) => shell_word(text),
        _ => printed(name),
    }
}

/// `"$(printf 'a\033b')"`: the bytes in octal, except for those that are safe anywhere.
fn printed(name: &OsStr) -> String {
    let mut text = String::new();
    for byte in name.as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"-_./".contains(byte) {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "\\{byte:03o}");
        }
    }
    // An argument that begins with a dash would be an option of printf.
    format!("\"$(printf -- '{text}')\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt as _;
    use std::process::Command;

    const NAMES: [&[u8]; 9] = [
        b"exhausted:task.can-rx",
        b"my file.toml",
        b"it's \"here\" $HOME `id` \\n.toml",
        b"-x.toml",
        b"~",
        b"a\x1b[31mred\x07.toml",
        b"-\x1b%s%d.toml",
        "\u{202e}lmot.\u{e4}".as_bytes(),
        b"\xff\xfe\nx",
    ];

    #[test]
    fn a_shell_reads_back_what_is_shown_without_a_control_character() {
        for name in NAMES {
            let quoted = quoted(OsStr::from_bytes(name));
            assert!(!quoted.contains(char::is_control), "{quoted:?}");
            let script = format!("printf %s {quoted}");
            let read = Command::new("sh").args(["-c", &script]).output().expect("a shell");
            assert_eq!(read.stdout, name, "{quoted}");
        }
        assert_eq!(quoted("exhausted:task.can-rx"), "exhausted:task.can-rx");
        assert_eq!(quoted("my file.toml"), "'my file.toml'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn names_are_shown_as_they_are_unless_they_could_harm() {
        for plain in ["a.toml", "it's \"a\\b\" \u{e4}\u{6f22}.toml", "my file"] {
            assert_eq!(shown(plain), plain);
        }
        assert_eq!(shown("a\u{1b}[31m"), r#""a\u{1b}[31m""#);
        assert_eq!(shown("a\nb"), r#""a\nb""#);
        assert_eq!(shown("\u{202e}b"), r#""\u{202e}b""#);
        assert_eq!(shown(OsStr::from_bytes(b"a\xff")), r#""a\xFF""#);
    }
}
