//! Files of `trace-cmd`.

mod beginning;
mod contents;
mod options;
mod packed;
mod page;
mod processor;
mod sections;
mod whole;

use crate::bytes::Bytes;
use crate::layouts::Layouts;
use beginning::Beginning;
use contents::Contents;
pub(crate) use page::Page;
use processor::{Processor, Storage};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Read, Seek};

/// A file of `trace-cmd`, event by event.
pub(crate) struct TraceCmd<R> {
    file: Bytes<R>,
    layouts: Layouts,
    storage: Storage,
    processors: Vec<Processor>,
    /// When each processor's next event is, and which it is in the list.
    order: BinaryHeap<Reverse<(u64, usize)>>,
}

impl<R: Read + Seek> TraceCmd<R> {
    /// # Errors
    /// It is no such file, or of a kind that is not read.
    pub(crate) fn new(from: R) -> io::Result<Self> {
        let mut file = Bytes::new(from);
        let beginning = Beginning::read(&mut file)?;
        let contents = match beginning.first_options {
            None => whole::contents(&beginning, &mut file)?,
            Some(at) => sections::contents(&beginning, at, &mut file)?,
        };
        let Contents { layouts, storage, processors } = contents;
        let begin = |stored| Processor::begin(stored, storage, &mut file);
        let processors = processors.into_iter().map(begin).collect::<io::Result<Vec<_>>>()?;
        let next = |(number, processor): (usize, &Processor)| {
            processor.next.as_ref().map(|(at, _)| Reverse((*at, number)))
        };
        let order = processors.iter().enumerate().filter_map(next).collect();
        Ok(Self { file, layouts, storage, processors, order })
    }

    /// The line of the next event; `false`: there is none.
    ///
    /// # Errors
    /// The file is wrong there, or the kernel lost events.
    pub(crate) fn line(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let Some(mut first) = self.order.peek_mut() else {
            return Ok(false);
        };
        let Reverse((at, number)) = *first;
        let processor = &mut self.processors[number];
        if let Some((_, place)) = processor.next.take() {
            let record = processor.record(place);
            let printed = self.layouts.line(processor.cpu, at, record, text);
            printed.map_err(|why| processor.wrong(why))?;
        }
        processor.advance(self.storage, &mut self.file)?;
        match &processor.next {
            Some((at, _)) => *first = Reverse((*at, number)),
            None => drop(PeekMut::pop(first)),
        }
        Ok(true)
    }
}
