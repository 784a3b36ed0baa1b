//! Options of a file: what stands where.

use crate::bytes::{Bytes, wrong};
use std::io::{self, Read};

/// Their numbers.
pub(super) const DONE: u16 = 0;
pub(super) const BUFFER: u16 = 3;
pub(super) const CLOCK: u16 = 4;
pub(super) const HEADER: u16 = 16;
pub(super) const OF_TRACERS: u16 = 17;
pub(super) const OF_SYSTEMS: u16 = 18;
pub(super) const SYMBOLS: u16 = 19;
pub(super) const LATENCY: u16 = 22;

/// Maps of processes are the longest.
const OPTION: usize = 1 << 26;

/// An option.
pub(super) struct Chosen {
    pub(super) number: u16,
    pub(super) at: u64,
    pub(super) data: Vec<u8>,
}

impl Chosen {
    /// The next one.
    pub(super) fn read<R: Read>(from: &mut Bytes<R>) -> io::Result<Self> {
        let number = from.u16()?;
        Self::after(number, from)
    }

    /// What stands behind its number.
    pub(super) fn after<R: Read>(number: u16, from: &mut Bytes<R>) -> io::Result<Self> {
        let at = from.at;
        let size = u64::from(from.u32()?);
        Ok(Self { number, at, data: from.some(size, OPTION, "an option")? })
    }

    /// What a buffer is not that a file has besides.
    pub(super) fn is_no_text(&self) -> io::Result<()> {
        if self.number != LATENCY {
            return Ok(());
        }
        Err(wrong(self.at, NO_TEXT))
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.data).into_owned()
    }
}

/// Files of latency tracers hold a text.
pub(super) const NO_TEXT: &str =
    "it holds the text of a latency tracer: run `trace-cmd report -i FILE`";
/// There would be two schedules.
pub(super) const INSTANCES: &str =
    "it holds more than one buffer with events: record one, or run `trace-cmd report -i FILE`";
