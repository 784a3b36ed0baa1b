//! The records of an interrupt of a guest on one processor, as the kernel writes them (`perf_event_open`).
//!
//! **Model.** A ring of records in memory that the kernel writes, and an alarm (`interrupts.rs`). One that is not heard
//! only counts: nothing is written, and nothing wakes. The next record says how many there were.
//!
//! **Assumption.** One thread reads.

use super::call;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Pages of records of a processor, a power of two: some hundred records.
const PAGES: usize = 8;
/// Where the first page of a ring says up to where it is written and read, in words (`perf_event_mmap_page`).
const WRITTEN: usize = 1024 / 8;
const READ: usize = 1032 / 8;
/// No record is longer, in words.
pub(super) const LONGEST: usize = 32;
/// A record that says how many others were not written (`PERF_RECORD_LOST`).
const LOST: u8 = 2;

/// How many records were not written before this one, if it says that: header, number of the event, count.
pub(super) fn lost(record: &[u64]) -> u64 {
    match record {
        [header, _, count, ..] if header.to_le_bytes()[0] == LOST => *count,
        _ => 0,
    }
}

/// The records of an interrupt on a processor.
#[derive(Debug)]
pub(super) struct Ring {
    /// The interrupt, by its place among those awaited.
    pub(super) of: usize,
    file: OwnedFd,
    alarm: OwnedFd,
    /// Its alarm has rung, or will without need.
    has_rung: bool,
    /// Others are counted, and neither written nor wake anything.
    pub(super) is_heard: bool,
    /// So many were.
    pub(super) lost: u64,
    /// The first page says how far it is written and read; the others are the records.
    pages: &'static [AtomicU64],
}

impl Ring {
    /// Opens the tracepoint of this number for interrupts that meet a condition.
    ///
    /// # Errors
    /// The kernel refuses.
    pub(super) fn open(tracepoint: u64, cpu: u32, of: usize, filter: &str) -> io::Result<Self> {
        // Of two events the later one sees an interrupt first: the alarm rings when the record is there.
        let alarm = call::tracepoint(tracepoint, cpu, filter)?;
        call::see_one(alarm.as_fd());
        let file = call::tracepoint(tracepoint, cpu, filter)?;
        let pages = call::ring(file.as_fd(), 1 + PAGES)?;
        Ok(Self { of, file, alarm, has_rung: false, is_heard: true, lost: 0, pages })
    }

    /// Can be read when there is a record.
    pub(super) fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Whether they are written from now on, or only counted.
    pub(super) fn hear(&mut self, is_heard: bool) {
        if is_heard != self.is_heard {
            call::pause(self.file.as_fd(), !is_heard);
            self.is_heard = is_heard;
            // It may have rung meanwhile.
            self.has_rung |= is_heard;
        }
    }

    /// Whether there is a record; where there is none, the next one rings the alarm.
    pub(super) fn is_written(&mut self) -> bool {
        if std::mem::take(&mut self.has_rung) {
            call::see_one(self.alarm.as_fd());
        }
        self.pages[WRITTEN].load(Acquire) != self.pages[READ].load(Relaxed)
    }

    /// Takes the next record; returns its length.
    pub(super) fn take(&mut self, record: &mut [u64; LONGEST]) -> Option<usize> {
        let words = &self.pages[self.pages.len() / (1 + PAGES)..];
        let (written, read) = (self.pages[WRITTEN].load(Acquire), self.pages[READ].load(Relaxed));
        if written == read {
            return None;
        }
        let word = |place: u64| {
            let place = usize::try_from(place).expect("addresses are that long") / 8;
            words[place % words.len()].load(Relaxed)
        };
        let [.., low, high] = word(read).to_le_bytes();
        let bytes = u64::from(u16::from_le_bytes([low, high]));
        let length = usize::try_from(bytes / 8).unwrap_or(LONGEST).min(LONGEST);
        for (index, to) in record[..length].iter_mut().enumerate() {
            *to = word(read + 8 * index as u64);
        }
        self.pages[READ].store(read + bytes, Release);
        self.has_rung = true;
        Some(length)
    }
}
