//! What a program stored, as a text that is made while it is read.

use crate::beginnings::{OF_PERF, OF_TRACE_CMD};
use crate::dat::TraceCmd;
use crate::perf::Perf;
use std::fmt;
use std::io::{self, BufRead, Read, Seek};

/// So much text is made at a time, at least.
const PIECE: usize = 1 << 16;

/// Whether a file that begins like this is one of a program that is known.
pub fn is_stored(beginning: &[u8]) -> bool {
    beginning.starts_with(OF_TRACE_CMD) || beginning.starts_with(OF_PERF)
}

enum Source<R> {
    TraceCmd(TraceCmd<R>),
    Perf(Perf<R>),
}

impl<R: Read + Seek> Source<R> {
    fn line(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        match self {
            Self::TraceCmd(file) => file.line(text),
            Self::Perf(file) => file.line(text),
        }
    }
}

/// The text of a trace.
pub struct Text<R> {
    source: Source<R>,
    made: Vec<u8>,
    given: usize,
}

impl<R: Read + Seek> Text<R> {
    /// # Errors
    /// The file cannot be read, or it is none of a program that is known: what is wrong, and at which byte
    /// ([`io::ErrorKind::InvalidData`]).
    pub fn new(mut from: R) -> io::Result<Self> {
        let mut beginning = Vec::new();
        from.by_ref().take(OF_PERF.len() as u64).read_to_end(&mut beginning)?;
        from.rewind()?;
        let source = if beginning == OF_PERF {
            Source::Perf(Perf::new(from)?)
        } else {
            Source::TraceCmd(TraceCmd::new(from)?)
        };
        Ok(Self { source, made: Vec::new(), given: 0 })
    }
}

impl<R: Read + Seek> BufRead for Text<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.given == self.made.len() {
            self.made.clear();
            self.given = 0;
            while self.made.len() < PIECE && self.source.line(&mut self.made)? {}
        }
        Ok(&self.made[self.given..])
    }

    fn consume(&mut self, amount: usize) {
        self.given += amount;
    }
}

impl<R: Read + Seek> Read for Text<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut text = self.fill_buf()?;
        let length = text.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R> fmt::Debug for Text<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("given", &self.given).finish_non_exhaustive()
    }
}
