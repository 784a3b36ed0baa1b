//! What a kernel hands out while it is traced: pages of each processor's buffer (`trace_pipe_raw`), event by event or as
//! text.
//!
//! **Model.** A page holds events of one processor in the order of time. Processors are read one after the other, so what
//! happened since the reading began may be missing of those that came first. What happened before the newest page of the
//! last reading began is complete by now: so much is handed on, in the order of time, and the rest waits.
//!
//! **Assumption.** All processors have one clock.
//!
//! **Cost.** Memory for what happens between two readings.

use crate::dat::Page;
use crate::layouts::Layouts;
use crate::record::{Record, SHORT};
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// No page of a kernel is larger.
const PAGE: usize = 1 << 16;
/// Pages of a processor in one reading: what fills faster than it is read is lost, and that is said.
const PAGES: usize = 1 << 14;

/// Buffers of processors that are being written.
pub struct Live<R> {
    layouts: Layouts,
    processors: Vec<Processor<R>>,
    bytes: Vec<u8>,
    /// When the newest page of the last reading began.
    newest: u64,
}

struct Processor<R> {
    cpu: usize,
    from: R,
    waiting: VecDeque<Vec<u8>>,
    page: Page,
    next: Option<(u64, Range<usize>)>,
}

impl Live<File> {
    /// Those of an instance of tracefs, by its folder, with these events (`sched/sched_switch`) and all events of these
    /// systems (`irq_vectors`); what its kernel has not is left out.
    ///
    /// # Errors
    /// A file cannot be read, or what is in it is of a kind that is not known.
    pub fn of(folder: &Path, events: &[&str]) -> io::Result<Self> {
        // On a kernel of 32 bits the events of a page begin elsewhere.
        let mut page = vec![0; PAGE];
        // The kernel tells it at once, and nothing to the next who reads on.
        let length = File::open(folder.join("events/header_page"))?.read(&mut page)?;
        if !String::from_utf8_lossy(&page[..length]).contains("offset:16;") {
            return Err(wrong("the kernel has a word of 32 bits"));
        }
        let mut formats = Vec::new();
        for event in events {
            formats_of(&folder.join("events").join(event), &mut formats)?;
        }
        let mut buffers = Vec::new();
        for processor in fs::read_dir(folder.join("per_cpu"))? {
            let processor = processor?;
            let name = processor.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix("cpu")?.parse().ok());
            let Some(cpu) = number else { continue };
            let raw = processor.path().join("trace_pipe_raw");
            let raw = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(raw)?;
            buffers.push((cpu, raw));
        }
        Self::new(&formats, BufReader::new(File::open("/proc/kallsyms")?), buffers)
    }
}

/// The format of an event, or those of all events of a system.
fn formats_of(folder: &Path, formats: &mut Vec<String>) -> io::Result<()> {
    if let Ok(format) = fs::read_to_string(folder.join("format")) {
        formats.push(format);
        return Ok(());
    }
    let Ok(events) = fs::read_dir(folder) else { return Ok(()) };
    for event in events {
        formats.extend(fs::read_to_string(event?.path().join("format")).ok());
    }
    Ok(())
}

impl<R: Read> Live<R> {
    /// Buffers by the numbers of their processors, which do not block; the formats of their events; the addresses of the
    /// kernel's functions (`/proc/kallsyms`).
    ///
    /// # Errors
    /// A format is none, or of a kind that is not read; the addresses cannot be read.
    pub fn new(
        formats: &[String],
        symbols: impl BufRead,
        buffers: impl IntoIterator<Item = (usize, R)>,
    ) -> io::Result<Self> {
        let layouts = Layouts::of(formats, symbols)?;
        let processor = |(cpu, from)| Processor {
            cpu,
            from,
            waiting: VecDeque::new(),
            page: Page::default(),
            next: None,
        };
        let processors = buffers.into_iter().map(processor).collect();
        Ok(Self { layouts, processors, bytes: vec![0; PAGE], newest: 0 })
    }

    /// Reads what there is, and writes lines of what is complete.
    ///
    /// # Errors
    /// A buffer cannot be read, or its kernel lost events.
    pub fn read(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        self.records(false, |record| record.line(text).ok_or_else(|| wrong(SHORT)))
    }

    /// The same of all the rest, once nothing is traced any more.
    ///
    /// # Errors
    /// As of [`Self::read`].
    pub fn finish(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        self.records(true, |record| record.line(text).ok_or_else(|| wrong(SHORT)))
    }

    /// Reads what there is, and hands on the events that are complete: at the end all of them.
    ///
    /// # Errors
    /// A buffer cannot be read, its kernel lost events, or an event is not taken.
    pub fn records(
        &mut self,
        is_end: bool,
        take: impl FnMut(&Record<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let complete = if is_end { u64::MAX } else { self.newest };
        self.fetch()?;
        self.events(complete, take)
    }

    fn fetch(&mut self) -> io::Result<()> {
        for processor in &mut self.processors {
            for _ in 0..PAGES {
                match processor.from.read(&mut self.bytes) {
                    Ok(0) => break,
                    Ok(length) => {
                        let page = self.bytes[..length].to_vec();
                        let begin = page.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
                        self.newest = self.newest.max(begin);
                        processor.waiting.push_back(page);
                    }
                    Err(why) if why.kind() == ErrorKind::WouldBlock => break,
                    Err(why) if why.kind() == ErrorKind::Interrupted => {}
                    Err(why) => return Err(why),
                }
            }
        }
        Ok(())
    }

    /// Everything up to an instant.
    fn events(
        &mut self,
        until: u64,
        mut take: impl FnMut(&Record<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut order = BinaryHeap::new();
        for (place, processor) in self.processors.iter_mut().enumerate() {
            if processor.next.is_none() {
                processor.advance()?;
            }
            order.extend(processor.next.as_ref().map(|(at, _)| Reverse((*at, place))));
        }
        while let Some(mut first) = order.peek_mut() {
            let Reverse((at, place)) = *first;
            if at > until {
                break;
            }
            let processor = &mut self.processors[place];
            if let Some((_, range)) = processor.next.take() {
                let bytes = processor.page.record(range);
                let record = self.layouts.record(processor.cpu, at, bytes);
                take(&record.map_err(|why| processor.wrong(why))?)?;
            }
            processor.advance()?;
            match &processor.next {
                Some((at, _)) => *first = Reverse((*at, place)),
                None => drop(PeekMut::pop(first)),
            }
        }
        Ok(())
    }
}

impl<R> Processor<R> {
    /// Goes to the next event, if that was read.
    fn advance(&mut self) -> io::Result<()> {
        loop {
            self.next = self.page.next().map_err(|why| self.wrong(why))?;
            if self.next.is_some() {
                return Ok(());
            }
            let Some(page) = self.waiting.pop_front() else { return Ok(()) };
            self.page.begin(page).map_err(|why| self.wrong(why))?;
        }
    }

    fn wrong(&self, why: &str) -> io::Error {
        wrong(format!("processor {}: {why}", self.cpu))
    }
}

fn wrong(why: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.into())
}

impl<R> fmt::Debug for Live<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("newest", &self.newest).finish_non_exhaustive()
    }
}
