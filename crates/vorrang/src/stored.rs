//! The file of a trace: a text, or what a program stored, of which a text is made.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Seek as _};
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_quote::name::shown;
use vorrang_quote::visible;
use vorrang_recorded::{Text, is_stored};

/// Files that programs write for themselves, by their first bytes, and what makes a text of them.
const OF_PROGRAMS: [(&[u8], &str); 4] = [
    (b"PERFFILE", "this is an old file of perf: run `perf script --show-lost-events -i FILE`"),
    (b"\x1f\x8b", "this is compressed: run `gzip -dc FILE`"),
    (b"\xfd7zXZ\0", "this is compressed: run `xz -dc FILE`"),
    (b"\x28\xb5\x2f\xfd", "this is compressed: run `zstd -dc FILE`"),
];

/// The text of a trace, from a file or from standard input (`-`).
///
/// # Errors
/// It cannot be read, or is of a kind of which no text is made.
pub(crate) fn text_of(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return is_text(Box::new(io::stdin().lock()), path);
    }
    let unreadable = |why| failure(path, &why);
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    if !is_stored(file.fill_buf().map_err(unreadable)?) {
        return is_text(Box::new(file), path);
    }
    file.rewind().map_err(unreadable)?;
    Ok(Box::new(Text::new(file).map_err(unreadable)?))
}

fn is_text(mut text: Box<dyn BufRead>, path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let begin = text.fill_buf().map_err(|why| failure(path, &why))?;
    if is_stored(begin) {
        return Err(Failure::bad_input(format!(
            "error: {}: this is a file of trace-cmd or perf, which is read by its name: `--trace FILE`\n",
            shown(path)
        )));
    }
    match OF_PROGRAMS.iter().find(|(magic, _)| begin.starts_with(magic)) {
        Some((_, why)) => Err(Failure::bad_input(format!("error: {}: {why}\n", shown(path)))),
        None => Ok(text),
    }
}

/// Reading failed: the file is wrong, or the machine does not give it.
pub(crate) fn failure(path: &Path, why: &io::Error) -> Failure {
    let name = shown(path);
    Failure::bad_input(match why.kind() {
        ErrorKind::InvalidData => format!("error: {name}: {}\n", visible(&why.to_string())),
        _ => format!("error: {name}: cannot be read: {why}\n"),
    })
}
