//! The text of a trace, line by line.

use crate::stored;
use std::io::{self, BufRead as _, Read as _};
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
    let unreadable = |why: io::Error| stored::failure(path, &why);
    let mut trace = stored::text_of(path)?;
    let mut reader = Reader::default();
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

/// The longest line of a trace, in bytes: the kernel prints no event in more than a few hundred.
const LINE: u64 = 1 << 16;

/// Programs choose the names of their threads freely.
pub(super) fn printable(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}")
}
