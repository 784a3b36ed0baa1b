// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! What a program writes of an event, and the event that becomes of it.
//!
//! ```text
//!   slot: round, length, number (8) │ time (8) │ thread that runs (4) │ values (12)
//!   event: time (8) │ number (4), processor (4), thread that runs (4), unused (4) │ values …
//!                    └ from here on as tracefs has it
//! ```
//!
//! Slots are short: each line of memory that one processor writes and another one reads costs both of them more than all that is
//! done with it.

use super::events::Shape;
use super::room::{HELD, LONGEST, Lying, NAMES, SLOT};

/// In a slot: the time, the thread that runs, a value, and one of eight bytes.
pub(super) const TIME: i16 = 8;
pub(super) const THREAD: i16 = 16;
pub(super) const VALUE: i16 = 20;
pub(super) const WIDE: i16 = 24;
/// Of a thread that is woken or comes: its number. The priority of the one that leaves or is woken, and the processor for which it
/// is woken or the priority of the one that comes.
pub(super) const NEXT: i16 = 24;
pub(super) const PRIORITY: i16 = 20;
pub(super) const CPU: i16 = 22;
/// What the thread that leaves was about to do; whether it ends, and whether it was preempted.
pub(super) const STATE: i16 = 28;
pub(super) const AFTER: i16 = 30;
pub(super) const PREEMPTED: u16 = 1 << 15;

/// An event begins here, behind its time.
pub(super) const NUMBER: usize = 8;
const PROCESSOR: usize = 12;
pub(super) const RUNS: usize = 16;
/// The first value.
pub(super) const VALUES: usize = 24;
/// The name of a thread, or of a device.
pub(super) const NAME: usize = 16;
pub(super) const DEVICE: usize = 64;
/// A thread: name, number, priority.
pub(super) const ONE: usize = NAME + 8;
/// What the thread that leaves was about to do.
pub(super) const LEFT: usize = VALUES + ONE;

impl Shape {
    /// The threads that are named, by the places of what the tracepoint gives.
    pub(super) const fn threads(self) -> &'static [i16] {
        match self {
            Self::Switch => &[1, 2],
            Self::Woken => &[0],
            _ => &[],
        }
    }

    /// How many bytes a record has, of which names are known.
    pub(super) const fn length(self) -> i16 {
        if matches!(self, Self::DeviceEntry) { LONGEST } else { SLOT }
    }

    /// The same with the names.
    pub(super) const fn with_names(self) -> i16 {
        self.length() + if matches!(self, Self::Switch) { 2 * SLOT } else { SLOT }
    }

    /// How many tables of names it has: one for each place of a thread, as two in one event may have the same place there.
    pub(crate) const fn tables(self) -> usize {
        self.threads().len()
    }
}

/// Names that a program has written on a processor, by the lowest bits of the thread's number.
#[derive(Clone, Debug)]
pub(crate) struct Names(Vec<(u32, [u8; NAME])>);

impl Default for Names {
    fn default() -> Self {
        Self(vec![(0, [0; NAME]); NAMES])
    }
}

impl Names {
    fn of(&mut self, thread: u32, written: Option<[u8; NAME]>) -> Option<[u8; NAME]> {
        let known = &mut self.0[thread as usize % NAMES];
        if let Some(name) = written {
            *known = (thread, name);
        }
        (known.0 == thread).then_some(known.1)
    }
}

/// An event, and how many bytes it has.
pub(crate) struct Event {
    bytes: [u8; VALUES + 8 + DEVICE],
    length: usize,
}

impl Event {
    /// What becomes of a record; the function of timers is known already. `None`: it is none.
    pub(crate) fn of(
        lying: &Lying<'_>,
        shape: Shape,
        waker: u64,
        names: &mut [Names],
    ) -> Option<Self> {
        let record = lying.bytes;
        let slot: &[u8; SLOT as usize] = record.first_chunk()?;
        let mut event = Self { bytes: [0; VALUES + 8 + DEVICE], length: VALUES + 8 };
        event.put(0, &long(slot, TIME).to_le_bytes());
        event.put(NUMBER, &u32::from(lying.number).to_le_bytes());
        event.put(PROCESSOR, &u32::try_from(lying.cpu).ok()?.to_le_bytes());
        event.put(RUNS, &word(slot, THREAD).to_le_bytes());
        match shape {
            Shape::Switch | Shape::Woken => event.threads(record, shape, names)?,
            Shape::DeviceEntry => {
                event.put(VALUES, &word(slot, VALUE).to_le_bytes());
                for part in 0..DEVICE / 8 {
                    let at = SLOT.unsigned_abs() as usize * (1 + part / 3);
                    let at = at + HELD.unsigned_abs() as usize + 8 * (part % 3);
                    event.put(VALUES + 8 + 8 * part, record.get(at..at + 8)?);
                }
                event.length = VALUES + 8 + DEVICE;
            }
            Shape::DeviceExit => {
                event.put(VALUES, &word(slot, VALUE).to_le_bytes());
                event.put(VALUES + 4, &word(slot, WIDE).to_le_bytes());
            }
            Shape::Soft | Shape::Vector => event.put(VALUES, &word(slot, VALUE).to_le_bytes()),
            Shape::Timer => {
                event.put(VALUES, &waker.to_le_bytes());
                event.put(VALUES + 8, &long(slot, WIDE).to_le_bytes());
                event.length = VALUES + 16;
            }
        }
        Some(event)
    }

    fn threads(&mut self, record: &[u8], shape: Shape, names: &mut [Names]) -> Option<()> {
        let slot: &[u8; SLOT as usize] = record.first_chunk()?;
        let written = |slot: usize| {
            let at = slot * SLOT.unsigned_abs() as usize + HELD.unsigned_abs() as usize;
            record.get(at..)?.first_chunk().copied()
        };
        let next = word(slot, NEXT);
        let (names, of_next) = names.split_first_mut()?;
        if shape == Shape::Woken {
            self.thread(VALUES, names.of(next, written(1))?, next, half(slot, PRIORITY));
            self.put(VALUES + ONE, &u32::from(half(slot, CPU)).to_le_bytes());
            self.length = VALUES + ONE + 8;
            return Some(());
        }
        let leaves = word(slot, THREAD);
        self.thread(VALUES, names.of(leaves, written(1))?, leaves, half(slot, PRIORITY));
        let comes = of_next.first_mut()?.of(next, written(2))?;
        self.thread(LEFT + 8, comes, next, half(slot, CPU));
        let (state, after) = (half(slot, STATE), half(slot, AFTER));
        let left = left(after & PREEMPTED != 0, state | after & !PREEMPTED);
        self.put(LEFT, &u64::from(left).to_le_bytes());
        self.length = LEFT + 8 + ONE;
        Some(())
    }

    /// Its time.
    pub(crate) fn at(&self) -> u64 {
        self.bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Priorities are -1 and more, in two bytes.
    fn thread(&mut self, at: usize, name: [u8; NAME], number: u32, priority: u16) {
        self.put(at, &name);
        self.put(at + NAME, &number.to_le_bytes());
        self.put(at + NAME + 4, &i32::from(priority.cast_signed()).to_le_bytes());
    }
}

fn half(slot: &[u8; SLOT as usize], at: i16) -> u16 {
    let at = at.unsigned_abs() as usize;
    u16::from_le_bytes([slot[at], slot[at + 1]])
}

fn word(slot: &[u8; SLOT as usize], at: i16) -> u32 {
    u32::from(half(slot, at)) | u32::from(half(slot, at + 2)) << 16
}

fn long(slot: &[u8; SLOT as usize], at: i16) -> u64 {
    u64::from(word(slot, at)) | u64::from(word(slot, at + 4)) << 32
}

/// What the kernel reports of states, and how it marks a thread that could have gone on.
const REPORTED: u16 = 0x7f;
const REPORTED_IDLE: u16 = 0x80;
const COULD_GO_ON: u16 = 0x100;
/// Not interruptible; that together with *counts as no load* is idle; waiting for a lock, frozen.
const HELD_UP: u16 = 2;
const IDLE: u16 = 0x402;
const HELD_BESIDES: u16 = 0x1000 | 0x8000;

/// The state that tracefs has, of what a thread was about to do or how it ends (`__trace_sched_switch_state` of the kernel).
fn left(is_preempted: bool, state: u16) -> u16 {
    let found = match state & REPORTED {
        _ if state & HELD_BESIDES != 0 => HELD_UP,
        _ if state & IDLE == IDLE => REPORTED_IDLE,
        reported => reported,
    };
    // The highest one is told, as the kernel does.
    let highest = found.checked_ilog2().map_or(0, |bit| 1 << bit);
    if is_preempted { COULD_GO_ON } else { highest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_those_that_the_kernel_reports() {
        assert_eq!(left(false, 0), 0, "R");
        assert_eq!(left(true, 1), 0x100, "R+, whatever it was about to do");
        let all = [1, 2, 0x102].map(|state| left(false, state));
        assert_eq!(all, [1, 2, 2], "S, D, and killable");
        assert_eq!(left(false, 0x402), 0x80, "I");
        let all = [0x1000, 0x8000].map(|state| left(false, state));
        assert_eq!(all, [2, 2], "a lock of PREEMPT_RT, frozen");
        let all = [0x80 | 0x10, 0x80 | 0x20].map(|state| left(false, state));
        assert_eq!(all, [0x10, 0x20], "X and Z");
        assert_eq!(left(false, 0x40), 0x40, "P");
    }

    fn record(number: u32, name: Option<&[u8; NAME]>) -> Vec<u8> {
        let mut slots = vec![0; SLOT.unsigned_abs() as usize];
        slots[24..28].copy_from_slice(&number.to_le_bytes());
        slots[20..22].copy_from_slice(&(-1_i16).to_le_bytes());
        slots[22..24].copy_from_slice(&3_u16.to_le_bytes());
        if let Some(name) = name {
            slots.extend([0; 8].iter().chain(name).chain(&[0; 8]));
        }
        slots
    }

    #[test]
    fn a_name_is_that_which_was_written_last_for_the_thread() {
        let mut names = [Names::default()];
        let mut told = |record: &[u8]| {
            let lying = Lying { cpu: 1, number: 2, bytes: record };
            let event = Event::of(&lying, Shape::Woken, 0, &mut names)?;
            Some(event.bytes()[VALUES..].to_vec())
        };
        assert_eq!(told(&record(7, None)), None, "it was never written");
        let first = told(&record(7, Some(b"first\0\0\0\0\0\0\0\0\0\0\0"))).expect("it is written");
        assert_eq!(&first[..6], b"first\0");
        assert_eq!(first[16..28], [7, 0, 0, 0, 255, 255, 255, 255, 3, 0, 0, 0]);
        assert_eq!(told(&record(7, None)), Some(first));
        let same_place = 7 + u32::try_from(NAMES).expect("few");
        assert!(told(&record(same_place, Some(b"another\0\0\0\0\0\0\0\0\0"))).is_some());
        assert_eq!(told(&record(7, None)), None, "it is forgotten in the kernel, too");
    }

    #[test]
    fn no_record_is_longer_than_the_page_behind_the_slots() {
        let named = [Shape::Switch, Shape::Woken].map(Shape::with_names);
        let all = named.into_iter().chain([Shape::DeviceEntry, Shape::Timer].map(Shape::length));
        assert_eq!(all.max(), Some(LONGEST));
    }
}
