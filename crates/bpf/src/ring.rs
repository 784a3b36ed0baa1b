//! The kernel's ring buffer for programs, read where it lies.
//!
//! ```text
//!   up to where it is read (a page) │ up to where it is written (a page) │ records … │ the same records again
//!   record: length, busy, discarded (4), unused (4) │ what it holds
//! ```
//!
//! The second copy makes every record one piece.

use crate::call::{Mapped, now, page, ring};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::sync::atomic::Ordering;

const BUSY: u32 = 1 << 31;
const DISCARDED: u32 = 1 << 30;
const HEAD: usize = 8;

/// A ring buffer.
#[derive(Debug)]
pub(crate) struct Ring {
    map: OwnedFd,
    read: Mapped,
    written: Mapped,
    length: u64,
    page: usize,
    /// An instant, and up to where was written then: everything before that instant lies before that place.
    seen: Option<(u64, u64)>,
    complete: u64,
}

impl Ring {
    /// One of so many bytes: pages, and a power of two.
    pub(crate) fn new(length: u32) -> io::Result<Self> {
        let (map, page) = (ring(length)?, page());
        let read = Mapped::of(&map, 0, page, true)?;
        let written = Mapped::of(&map, page, page + 2 * length as usize, false)?;
        Ok(Self { map, read, written, length: length.into(), page, seen: None, complete: 0 })
    }

    pub(crate) fn file(&self) -> RawFd {
        self.map.as_raw_fd()
    }

    /// Reads what there is; the instant before which nothing can come any more.
    pub(crate) fn take(&mut self, mut record: impl FnMut(&[u8])) -> u64 {
        let at = now();
        let end = self.written.long(0).load(Ordering::Acquire);
        let seen = *self.seen.get_or_insert((at, end));
        let mut from = self.read.long(0).load(Ordering::Relaxed);
        while from < end {
            let place = self.page + usize::try_from(from & (self.length - 1)).unwrap_or_default();
            // The head is the lower half of eight bytes.
            let head = self.written.long(place).load(Ordering::Acquire) & u64::from(u32::MAX);
            let head = u32::try_from(head).unwrap_or_default();
            if head & BUSY != 0 {
                break;
            }
            let length = (head & !DISCARDED) as usize;
            if head & DISCARDED == 0 {
                record(self.written.bytes(place + HEAD, length));
            }
            from += (length + HEAD).next_multiple_of(8) as u64;
            // Given back one by one: what is written while this is read may need the room.
            self.read.long(0).store(from, Ordering::Release);
        }
        if from >= seen.1 {
            self.complete = seen.0;
            self.seen = (from < end).then_some((at, end));
            if from >= end {
                self.complete = at;
            }
        }
        self.complete
    }

    /// Whether all that was written was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.read.long(0).load(Ordering::Relaxed) >= self.written.long(0).load(Ordering::Acquire)
    }
}
