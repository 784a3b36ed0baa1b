//! The events of a processor, in their order.

use super::packed::Packing;
use super::page::Page;
use crate::bytes::{Bytes, wrong};
use std::io::{self, Read, Seek};
use std::ops::Range;

/// Where a processor's pages are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) cpu: usize,
    pub(super) at: u64,
    pub(super) size: u64,
}

/// How far a processor was read.
#[derive(Debug)]
pub(super) struct Processor {
    pub(super) cpu: usize,
    /// Where the file goes on, and where that ends.
    at: u64,
    end: u64,
    /// Where the page is that is read.
    page_at: u64,
    page: Page,
    /// Pages of a piece that was compressed: which of its bytes were not read, and how many pieces follow.
    piece: Vec<u8>,
    unread: usize,
    pieces: u32,
    /// The event that is next.
    pub(super) next: Option<(u64, Range<usize>)>,
}

/// How the pages of a file are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    pub(super) page: usize,
    pub(super) packing: Packing,
}

impl Processor {
    pub(super) fn begin<R: Read + Seek>(
        stored: Stored,
        storage: Storage,
        file: &mut Bytes<R>,
    ) -> io::Result<Self> {
        let Stored { cpu, at, size } = stored;
        let end = at.checked_add(size).ok_or_else(|| wrong(at, "a size is too large"))?;
        let mut new = Self {
            cpu,
            at,
            end,
            page_at: at,
            page: Page::default(),
            piece: Vec::new(),
            unread: 0,
            pieces: 0,
            next: None,
        };
        if storage.packing != Packing::None && size > 0 {
            file.go(at)?;
            new.pieces = file.u32()?;
            new.at = file.at;
        }
        new.advance(storage, file)?;
        Ok(new)
    }

    /// Goes to the next event.
    pub(super) fn advance<R: Read + Seek>(
        &mut self,
        storage: Storage,
        file: &mut Bytes<R>,
    ) -> io::Result<()> {
        loop {
            let next = self.page.next().map_err(|why| self.wrong(why))?;
            if next.is_some() {
                self.next = next;
                return Ok(());
            }
            let Some(bytes) = self.bytes(storage, file)? else {
                self.next = None;
                return Ok(());
            };
            self.page.begin(bytes).map_err(|why| self.wrong(why))?;
        }
    }

    /// Those of the next page.
    fn bytes<R: Read + Seek>(
        &mut self,
        storage: Storage,
        file: &mut Bytes<R>,
    ) -> io::Result<Option<Vec<u8>>> {
        if storage.packing == Packing::None {
            let length = (self.end - self.at).min(storage.page as u64);
            if length == 0 {
                return Ok(None);
            }
            (self.page_at, file.at) = (self.at, self.at);
            file.go(self.at)?;
            let bytes = file.some(length, storage.page, "a page")?;
            self.at = file.at;
            return Ok(Some(bytes));
        }
        if self.unread == self.piece.len() {
            if self.pieces == 0 {
                return Ok(None);
            }
            self.page_at = self.at;
            file.go(self.at)?;
            self.piece = storage.packing.piece(file)?;
            (self.at, self.unread) = (file.at, 0);
            self.pieces -= 1;
        }
        let begin = self.unread;
        self.unread = (begin + storage.page).min(self.piece.len());
        Ok(Some(self.piece[begin..self.unread].to_vec()))
    }

    /// What is wrong with this processor's page.
    pub(super) fn wrong(&self, why: &str) -> io::Error {
        wrong(self.page_at, format!("processor {}: {why}", self.cpu))
    }

    pub(super) fn record(&self, place: Range<usize>) -> &[u8] {
        self.page.record(place)
    }
}
