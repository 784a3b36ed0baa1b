//! Where packets go.

use crate::wire::{Message, Room};
use std::io::{self, Write};

/// Packets are collected up to this many bytes: few calls of the system, little memory.
const COLLECTED: usize = 1 << 16;

/// The longest packet of an event. Lengths in it take one byte, so it has fewer than 128 after
/// its own key and length; what is fixed is copied as a block, and may write behind its end.
const EVENT: usize = 160;

/// Where an event is written.
pub(crate) type EventRoom<'b> = Room<'b, EVENT>;

/// A file is a message `Trace`, with its packets in this field.
pub(crate) const PACKET: u32 = 1;

/// A buffered writer that keeps its first failure, because an observer cannot return one.
#[derive(Debug)]
pub(crate) struct Sink<W> {
    out: W,
    /// Room for an event more than what is collected.
    collected: Box<[u8]>,
    length: usize,
    failure: Option<io::Error>,
}

impl<W: Write> Sink<W> {
    /// Nothing written yet.
    pub(crate) fn new(out: W) -> Self {
        let collected = vec![0; COLLECTED + EVENT].into_boxed_slice();
        Self { out, collected, length: 0, failure: None }
    }

    /// Writes the packet of an event, of less than 128 bytes.
    #[inline]
    pub(crate) fn event(&mut self, fields: impl FnOnce(&mut EventRoom<'_>)) {
        let room = self.collected[self.length..].first_chunk_mut().expect("room for an event");
        let mut room = Room::new(room);
        let packet = room.begin(PACKET);
        fields(&mut room);
        room.end(packet);
        self.length += room.length();
        if self.length >= COLLECTED {
            self.pass_on();
        }
    }

    /// Writes a packet of any length.
    pub(crate) fn packet(&mut self, packet: &Message) {
        self.pass_on();
        let packet = Message::new().message(PACKET, packet);
        if self.failure.is_none() {
            self.failure = self.out.write_all(packet.bytes()).err();
        }
    }

    #[cold]
    fn pass_on(&mut self) {
        let length = std::mem::take(&mut self.length);
        if self.failure.is_none() {
            self.failure = self.out.write_all(&self.collected[..length]).err();
        }
    }

    /// Whether something could not be written: nothing is from then on.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The first failure of the writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.pass_on();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.out.flush()?;
        Ok(self.out)
    }
}
