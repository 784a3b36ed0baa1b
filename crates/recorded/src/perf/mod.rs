//! Files of `perf record`.
//!
//! **Model.** The buffers of all processors are emptied in rounds, and their records stand in the order in which that was
//! done. What a round leaves is not later than what the next but one brings: so records are kept for two rounds at most.

mod header;
mod sample;

use crate::bytes::{Bytes, wrong};
use crate::layouts::Layouts;
use header::Header;
use sample::Samples;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read, Seek};

/// Kinds of records; others say nothing of events.
const LOST: u32 = 2;
const SAMPLE: u32 = 9;
const LOST_SAMPLES: u32 = 13;
const HEADER_TRACING: u32 = 66;
const ROUND: u32 = 68;
const AUXILIARY: u32 = 71;
const COMPRESSED: [u32; 2] = [81, 83];
/// The kind, flags and length of a record.
const HEADING: u16 = 8;
/// Records of two rounds, at most: some hundred megabytes.
const KEPT: usize = 1 << 20;

/// A sample: its time, its place among others, its processor, and what the kernel stored.
type Sample = Reverse<(u64, u64, usize, Vec<u8>)>;

/// A file of `perf record`, event by event.
pub(crate) struct Perf<R> {
    file: Bytes<R>,
    layouts: Layouts,
    samples: Samples,
    /// Where the records end.
    end: u64,
    waiting: BinaryHeap<Sample>,
    /// Nothing that comes is earlier.
    settled: Option<u64>,
    /// The latest time before the last round, and so far.
    last_round: u64,
    latest: u64,
}

impl<R: Read + Seek> Perf<R> {
    /// # Errors
    /// It is no such file, or of a kind that is not read.
    pub(crate) fn new(from: R) -> io::Result<Self> {
        let mut file = Bytes::new(from);
        let Header { begin, end, samples, layouts } = Header::read(&mut file)?;
        file.go(begin)?;
        let (waiting, settled) = (BinaryHeap::new(), Some(0));
        Ok(Self { file, layouts, samples, end, waiting, settled, last_round: 0, latest: 0 })
    }

    /// The line of the next event; `false`: there is none.
    ///
    /// # Errors
    /// The file is wrong there, or the kernel lost events.
    pub(crate) fn line(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let is_settled =
            |first: &Sample, settled: Option<u64>| settled.is_none_or(|at| first.0.0 <= at);
        while self.waiting.peek().is_none_or(|first| !is_settled(first, self.settled)) {
            if self.settled.is_none() {
                return Ok(false);
            }
            self.record()?;
        }
        let Some(Reverse((at, place, cpu, record))) = self.waiting.pop() else {
            return Ok(false);
        };
        let printed = self.layouts.line(cpu, at, &record, text);
        printed.map_err(|why| wrong(place, format!("processor {cpu}: {why}")))?;
        Ok(true)
    }

    /// Reads the next record.
    fn record(&mut self) -> io::Result<()> {
        let at = self.file.at;
        if at >= self.end {
            self.settled = None;
            return Ok(());
        }
        let (kind, _flags, size) = (self.file.u32()?, self.file.u16()?, self.file.u16()?);
        let Some(length) = size.checked_sub(HEADING) else {
            return Err(wrong(at, "a record is shorter than its heading"));
        };
        let body = self.file.some(u64::from(length), usize::from(u16::MAX), "a record")?;
        match kind {
            SAMPLE => self.sample(at, &body)?,
            ROUND => {
                self.settled = Some(self.last_round);
                self.last_round = self.latest;
            }
            // Behind the number of the event; or alone.
            LOST | LOST_SAMPLES => {
                let lost = body.get(if kind == LOST { 8.. } else { 0.. });
                let lost = lost.and_then(<[u8]>::first_chunk).map(|lost| u64::from_le_bytes(*lost));
                if lost != Some(0) {
                    return Err(wrong(at, "the kernel lost events"));
                }
            }
            HEADER_TRACING | AUXILIARY => {
                return Err(wrong(
                    at,
                    "it has data between its records: run `perf script --show-lost-events -i FILE`",
                ));
            }
            kind if COMPRESSED.contains(&kind) => {
                return Err(wrong(
                    at,
                    "it is compressed: run `perf script --show-lost-events -i FILE`",
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn sample(&mut self, at: u64, body: &[u8]) -> io::Result<()> {
        let sample = self.samples.read(body).map_err(|why| wrong(at, why))?;
        let Some((time, cpu, record)) = sample else {
            return Ok(());
        };
        if self.settled.is_some_and(|settled| time < settled) {
            return Err(wrong(at, "an event is earlier than those of the round before last"));
        }
        if self.waiting.len() == KEPT {
            return Err(wrong(at, format!("there are more than {KEPT} events in two rounds")));
        }
        self.latest = self.latest.max(time);
        self.waiting.push(Reverse((time, at, cpu, record.to_vec())));
        Ok(())
    }
}
