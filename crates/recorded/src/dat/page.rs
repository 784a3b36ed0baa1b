//! A page of the kernel's ring buffer.
//!
//! ```text
//!   time of the first event (8) │ length, and whether events are missing before (8) │ events …
//!   event: length or kind (5 bits), time since the one before (27 bits) │ what it holds
//! ```

use std::ops::Range;

/// What stands before the events.
const HEADER: usize = 16;
/// The length of what was written.
const LENGTH: u64 = (1 << 27) - 1;
/// Events are missing before this page.
const MISSED: u64 = 1 << 31;
/// Kinds of what is no event.
const PADDING: u32 = 29;
const EXTENDED: u32 = 30;
const ABSOLUTE: u32 = 31;
/// Bits of a time in the first word of an event, and those that an absolute time leaves as they are.
const SHORT: u32 = 27;
const ABOVE: u64 = 0xf8 << 56;

const CUT: &str = "a page of events is cut";

/// A page, and how far it was read.
#[derive(Debug, Default)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    next: usize,
    end: usize,
    time: u64,
}

impl Page {
    /// Begins with the next page.
    ///
    /// # Errors
    /// It is none, or says that events are missing.
    pub(crate) fn begin(&mut self, bytes: Vec<u8>) -> Result<(), &'static str> {
        let word = |at: usize| {
            let word = bytes.get(at..)?.first_chunk()?;
            Some(u64::from_le_bytes(*word))
        };
        let (time, length) = word(0).zip(word(8)).ok_or(CUT)?;
        if length & MISSED != 0 {
            return Err("the kernel lost events");
        }
        let end = usize::try_from(length & LENGTH).map_or(usize::MAX, |length| HEADER + length);
        if end > bytes.len() {
            return Err(CUT);
        }
        *self = Self { bytes, next: HEADER, end, time };
        Ok(())
    }

    /// The next event: when it was, and where its bytes are; `None`: the page has no more.
    ///
    /// # Errors
    /// It has another length than it says.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Range<usize>)>, &'static str> {
        while self.next < self.end {
            let first = self.word(0)?;
            let (kind, delta) = (first & 31, u64::from(first >> 5));
            let (begin, length) = match kind {
                PADDING if delta == 0 => return Ok(None),
                0 => (8, self.word(4)?.checked_sub(4).ok_or(CUT)?),
                PADDING => (4, self.word(4)?),
                EXTENDED | ABSOLUTE => (4, 4),
                words => (4, 4 * words),
            };
            let long = |delta: u64| Ok((u64::from(self.word(4)?) << SHORT) + delta);
            self.time = match kind {
                ABSOLUTE => (self.time & ABOVE) | long(delta)?,
                EXTENDED => self.time.checked_add(long(delta)?).ok_or("a time is too large")?,
                _ => self.time.checked_add(delta).ok_or("a time is too large")?,
            };
            let begin = self.next + begin;
            let end = usize::try_from(length).ok().and_then(|length| begin.checked_add(length));
            let end = end.filter(|end| *end <= self.end).ok_or(CUT)?;
            self.next = end.next_multiple_of(4);
            if kind < PADDING {
                return Ok(Some((self.time, begin..end)));
            }
        }
        Ok(None)
    }

    /// A word of the event that is next.
    fn word(&self, at: usize) -> Result<u32, &'static str> {
        let begin = self.next + at;
        let word = self.bytes[..self.end].get(begin..).and_then(<[u8]>::first_chunk);
        word.map(|word| u32::from_le_bytes(*word)).ok_or(CUT)
    }

    /// Bytes of an event.
    pub(crate) fn record(&self, place: Range<usize>) -> &[u8] {
        &self.bytes[place]
    }
}
