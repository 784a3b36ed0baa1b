//! The text of a trace, line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_command::interruption;
use vorrang_observe::Schedule;
use vorrang_observe::schedule::Reader;
use vorrang_quote::name::shown;

/// Reads a trace from a file, or from standard input (`-`).
///
/// # Errors
/// It cannot be read, or is no trace.
pub(super) fn read(path: &Path) -> Result<Schedule, Failure> {
    let name = shown(path);
    let wrong = |why: String| Failure::bad_input(format!("error: {name}: {why}\n"));
    let unreadable = |why: io::Error| wrong(format!("cannot be read: {why}"));
    let mut trace: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(unreadable)?))
    };
    let mut reader = Reader::default();
    if let Some(why) = trace.fill_buf().map_err(unreadable).map(is_of_a_program)? {
        return Err(wrong(why.to_owned()));
    }
    let mut line = Vec::new();
    while !interruption::is_wanted()
        && trace.by_ref().take(LINE).read_until(b'\n', &mut line).map_err(unreadable)? > 0
    {
        if line.pop_if(|end| *end == b'\n').is_none() {
            return Err(wrong(if line.len() as u64 == LINE {
                format!("a line is longer than {LINE} bytes: this is no trace")
            } else {
                "the last line does not end: the text is cut there; remove that line".to_owned()
            }));
        }
        // As mail has it.
        line.pop_if(|end| *end == b'\r');
        let text = printable(&line);
        reader.line(&text).map_err(|why| wrong(format!("{why}\n  {}", text.trim())))?;
        line.clear();
    }
    let schedule = reader.finish().map_err(|why| wrong(why.to_string()))?;
    if schedule.events.is_empty() {
        return Err(wrong("there are no events sched_switch or sched_wakeup in it".to_owned()));
    }
    Ok(schedule)
}

/// Files that programs write for themselves, by their first bytes, and what makes a text of them.
const OF_PROGRAMS: [(&[u8], &str); 6] = [
    (
        b"\x17\x08\x44tracing",
        "this is a file of trace-cmd, and no text: run `trace-cmd report -i FILE`",
    ),
    (
        b"PERFILE2",
        "this is a file of perf, and no text: run `perf script --show-lost-events -i FILE`",
    ),
    (
        b"PERFFILE",
        "this is a file of perf, and no text: run `perf script --show-lost-events -i FILE`",
    ),
    (b"\x1f\x8b", "this is compressed: run `gzip -dc FILE`"),
    (b"\xfd7zXZ\0", "this is compressed: run `xz -dc FILE`"),
    (b"\x28\xb5\x2f\xfd", "this is compressed: run `zstd -dc FILE`"),
];

/// Whether a file is no text, and what to do then.
pub(crate) fn is_of_a_program(begin: &[u8]) -> Option<&'static str> {
    OF_PROGRAMS.iter().find(|(magic, _)| begin.starts_with(magic)).map(|(_, why)| *why)
}

/// The longest line of a trace, in bytes: the kernel prints no event in more than a few hundred.
const LINE: u64 = 1 << 16;

/// Programs choose the names of their threads freely.
pub(super) fn printable(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}")
}
