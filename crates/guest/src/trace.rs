//! The kernel's trace, by its files.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

const TRACING: &str = "/sys/kernel/tracing";
/// Kilobytes of memory for each processor, unless it has more: some 100 000 switches.
const BUFFER: u32 = 8192;

/// Empties the trace and records these events.
pub(crate) fn start(events: &[String]) -> io::Result<()> {
    set("tracing_on", "0")?;
    set("events/enable", "0")?;
    let size = fs::read_to_string(Path::new(TRACING).join("buffer_size_kb"))?;
    // Before its first use it is written as what it will be: `7 (expanded: 1408)`.
    if !size.trim().parse().is_ok_and(|size: u32| size >= BUFFER) {
        set("buffer_size_kb", &BUFFER.to_string())?;
    }
    // The clock by which the tasks say when their jobs are complete.
    set("trace_clock", "mono")?;
    set("trace", "")?;
    for event in events {
        set(&format!("events/{event}/enable"), "1")?;
    }
    set("tracing_on", "1")
}

/// Stops recording and writes the trace.
pub(crate) fn end(to: &mut fs::File) -> io::Result<()> {
    set("tracing_on", "0")?;
    set("events/enable", "0")?;
    let mut trace = fs::File::open(Path::new(TRACING).join("trace"))?;
    io::copy(&mut trace, to)?;
    to.flush()
}

fn set(file: &str, text: &str) -> io::Result<()> {
    let path = Path::new(TRACING).join(file);
    fs::write(&path, text)
        .map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", path.display())))
}
