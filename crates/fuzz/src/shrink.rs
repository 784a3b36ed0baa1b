//! A smaller input that shows the same.
//!
//! Parts are left out, halves first, then quarters, and so on, lines before bytes, as long as the fault stays. Each
//! attempt is a process of its own, as it may end it.

use crate::input::Input;
use crate::order::Order;
use crate::supervisor::watched;
use crate::tally::Fault;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Attempts at most, and the time after which there are no more.
const ATTEMPTS: usize = 400;
const TIME: Duration = Duration::from_secs(120);

/// The smallest text that was found.
///
/// # Errors
/// An attempt cannot be started.
pub fn shrunk(order: &Order, input: &Input, fault: Fault, file: &Path) -> io::Result<Vec<u8>> {
    let begin = Instant::now();
    let mut attempts = 0;
    let mut shows = |text: &[u8]| {
        attempts += 1;
        let input = Input { text: text.to_vec(), ..input.clone() };
        Ok::<_, io::Error>((
            shown(order, &input, file)? == Some(fault),
            attempts < ATTEMPTS && begin.elapsed() < TIME,
        ))
    };
    let mut text = input.text.clone();
    for by_lines in [true, false] {
        let mut size = parts(&text, by_lines).len() / 2;
        while size > 0 {
            let mut from = 0;
            while from < parts(&text, by_lines).len() {
                let mut left = parts(&text, by_lines);
                left.drain(from..(from + size).min(left.len()));
                let candidate = left.concat();
                let (same, go_on) = shows(&candidate)?;
                if !go_on {
                    return Ok(text);
                }
                if same {
                    text = candidate;
                } else {
                    from += size;
                }
            }
            size /= 2;
        }
    }
    Ok(text)
}

fn parts(text: &[u8], by_lines: bool) -> Vec<&[u8]> {
    if by_lines {
        text.split_inclusive(|byte| *byte == b'\n').collect()
    } else {
        text.chunks(1).collect()
    }
}

/// What an input shows, in a process of its own.
///
/// # Errors
/// It cannot be started.
pub fn shown(order: &Order, input: &Input, file: &Path) -> io::Result<Option<Fault>> {
    fs::write(file, &input.text)?;
    let mut command = Order { only: Some(input.reader), ..order.clone() }.command();
    let depth = serde_json::to_string(&input.depth)?;
    command.args(["--depth", &depth]).arg("--try").arg(file);
    let (dead, out) = watched(command, order.patience, || 0)?;
    match dead {
        Some((fault, _)) => Ok(Some(fault)),
        None => serde_json::from_str(&out).map_err(io::Error::other),
    }
}
