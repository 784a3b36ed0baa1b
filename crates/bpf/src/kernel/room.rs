// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! Where programs write: a room for each processor, which nothing else writes, so that none waits for another.
//!
//! ```text
//!   up to where room was taken │ up to where it is read │ names, a page for each program that writes some │ slots … │ a page
//! ```
//!
//! Room is taken in slots, over and over from the beginning. A record that begins in one of the last slots goes on in the page
//! behind them. A program that is interrupted writes into its slots later: each says by itself when it is complete, by the number
//! of the round.

/// Up to where room was taken, and up to where it is read, in bytes since the beginning.
pub(crate) const TAKEN: i16 = 0;
pub(crate) const READ: i16 = 64;
/// A slot, and where what it holds begins: behind the round (4), the length of the record (2), and the number of its event (2).
pub(crate) const SLOT: i16 = 32;
pub(crate) const HELD: i16 = 8;
/// The longest record.
pub(crate) const LONGEST: i16 = 4 * SLOT;
/// Names that a program knows of a processor's threads, each in a slot: it writes no name that it has written there.
pub(crate) const NAMES: usize = 128;

const PAGE: usize = 4096;

/// How large a room is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Programs that write names.
    tables: usize,
    /// Of two, for the length of the slots.
    power: u32,
}

impl Room {
    /// One of so many bytes at most, a power of two.
    pub(crate) fn of(tables: usize, length: usize) -> Self {
        Self { tables, power: length.max(PAGE).ilog2() }
    }

    /// Where the names of a program stand.
    pub(crate) const fn names(table: usize) -> usize {
        PAGE * (1 + table)
    }

    /// Where the slots stand.
    pub(crate) const fn slots(self) -> usize {
        Self::names(self.tables)
    }

    /// The bytes of all slots.
    pub(crate) const fn length(self) -> usize {
        1 << self.power
    }

    pub(crate) const fn power(self) -> u32 {
        self.power
    }

    /// Its bytes, whole pages of any kernel.
    pub(crate) fn bytes(self) -> usize {
        (self.slots() + self.length() + PAGE).next_multiple_of(16 * PAGE)
    }
}

/// What lies in a room: a record of an event, by its number.
pub(crate) struct Lying<'a> {
    pub(crate) cpu: usize,
    pub(crate) number: u16,
    pub(crate) bytes: &'a [u8],
}
