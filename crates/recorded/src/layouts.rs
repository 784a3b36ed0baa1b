//! The formats that a file holds, as layouts by the number of the event.

use crate::bytes::{Bytes, wrong};
use crate::fields::Format;
use crate::layout::{Layout, WAKES};
use crate::record::{Record, SHORT};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

/// The format of an event has a few hundred bytes, those of calls with many flags some thousand.
const FORMAT: usize = 1 << 18;
/// A line of the kernel's symbols has fewer.
const SYMBOL: u64 = 1 << 12;

/// What is known of events.
#[derive(Debug, Default)]
pub(crate) struct Layouts {
    by_number: BTreeMap<u16, Layout>,
    /// Where the function is that wakes a thread from its timer.
    wakes: Option<u64>,
}

impl Layouts {
    /// Those of formats as a kernel has them, and of its functions' addresses (`/proc/kallsyms`).
    ///
    /// # Errors
    /// A format is none, or of a kind that is not read; the addresses cannot be read.
    pub(crate) fn of(formats: &[String], symbols: impl BufRead) -> io::Result<Self> {
        let mut layouts = Self::default();
        layouts.formats(formats)?;
        layouts.addresses(symbols)?;
        Ok(layouts)
    }

    /// # Errors
    /// A format is none, or of a kind that is not read.
    pub(crate) fn formats(&mut self, formats: &[String]) -> io::Result<()> {
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        for text in formats {
            let none = || wrong("this is no format of an event".to_owned());
            let format = Format::of(text).ok_or_else(none)?;
            self.add(format.number, Layout::of(&format).map_err(wrong)?);
        }
        Ok(())
    }

    /// Finds the function that wakes a thread among the addresses of all functions.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn addresses(&mut self, mut symbols: impl BufRead) -> io::Result<Option<u64>> {
        let mut line = Vec::new();
        while symbols.read_until(b'\n', &mut line)? > 0 {
            self.symbol(&line);
            line.clear();
        }
        Ok(self.wakes)
    }

    /// The formats of the ring buffer: nothing is kept of them, and one thing may differ.
    pub(crate) fn of_ring_buffer<R: Read>(from: &mut Bytes<R>) -> io::Result<()> {
        from.expects(b"header_page\0")?;
        let (at, size) = (from.at, from.u64()?);
        let page = from.some(size, FORMAT, "the format of a page")?;
        let page = String::from_utf8_lossy(&page).into_owned();
        // `field: local_t commit; offset:8; size:8; signed:1;` with the data behind it.
        if !page.contains("offset:16;") {
            return Err(wrong(
                at,
                "the kernel that was traced has a word of 32 bits: pages of that form are not read",
            ));
        }
        from.expects(b"header_event\0")?;
        let size = from.u64()?;
        from.some(size, FORMAT, "the format of an event").map(drop)
    }

    /// Those of the tracers, of which no reader needs a value.
    pub(crate) fn of_tracers<R: Read>(&mut self, from: &mut Bytes<R>) -> io::Result<()> {
        (0..from.u32()?).try_for_each(|_| self.format(from))
    }

    /// Those of events, system by system.
    pub(crate) fn of_systems<R: Read>(&mut self, from: &mut Bytes<R>) -> io::Result<()> {
        for _ in 0..from.u32()? {
            from.text()?;
            (0..from.u32()?).try_for_each(|_| self.format(from))?;
        }
        Ok(())
    }

    fn format<R: Read>(&mut self, from: &mut Bytes<R>) -> io::Result<()> {
        let size = from.u64()?;
        let at = from.at;
        let text = from.some(size, FORMAT, "the format of an event")?;
        let text = String::from_utf8_lossy(&text);
        let format = Format::of(&text)
            .ok_or_else(|| wrong(at, "this is no format of an event as the kernel writes it"))?;
        let layout = Layout::of(&format).map_err(|why| wrong(at, why))?;
        self.add(format.number, layout);
        Ok(())
    }

    pub(crate) fn add(&mut self, number: u16, layout: Layout) {
        self.by_number.insert(number, layout);
    }

    /// Addresses of functions, a line each: `ffffffff8118c5f0 t hrtimer_wakeup`.
    pub(crate) fn symbols<R: Read>(&mut self, from: &mut Bytes<R>) -> io::Result<()> {
        let size = u64::from(from.u32()?);
        let begin = from.at;
        let mut lines = BufReader::new(from.inner().take(size));
        let mut line = Vec::new();
        loop {
            line.clear();
            if lines.by_ref().take(SYMBOL).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            self.symbol(&line);
        }
        if lines.into_inner().limit() > 0 {
            return Err(wrong(begin, "the file ends in the symbols of the kernel: it is cut"));
        }
        from.at = begin + size;
        Ok(())
    }

    /// One of them.
    pub(crate) fn symbol(&mut self, line: &[u8]) {
        let Some(line) = line.trim_ascii_end().strip_suffix(WAKES) else { return };
        let text = String::from_utf8_lossy(line);
        if let [address, _] = text.split_whitespace().collect::<Vec<_>>()[..]
            && text.ends_with([' ', '\t'])
        {
            // Zeroes stand there where addresses are hidden.
            self.wakes = u64::from_str_radix(address, 16).ok().filter(|at| *at != 0);
        }
    }

    /// An event of a processor.
    ///
    /// # Errors
    /// No format has its number.
    pub(crate) fn record<'a>(
        &'a self,
        cpu: usize,
        at: u64,
        bytes: &'a [u8],
    ) -> Result<Record<'a>, &'static str> {
        let number = bytes.first_chunk().ok_or("an event has no number")?;
        let layout = self.by_number.get(&u16::from_le_bytes(*number));
        let layout = layout.ok_or("there is no format for this event")?;
        Ok(Record { cpu, at, layout, bytes, wakes: self.wakes })
    }

    /// Its line.
    ///
    /// # Errors
    /// No format has its number, or it is shorter than that says.
    pub(crate) fn line(
        &self,
        cpu: usize,
        at: u64,
        bytes: &[u8],
        text: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        self.record(cpu, at, bytes)?.line(text).ok_or(SHORT)
    }
}
