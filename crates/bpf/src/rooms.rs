//! The rooms in which programs write, read where they lie.

use crate::call::{Mapped, now, shared};
use crate::kernel::{Lying, READ, Room, SLOT, TAKEN};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::sync::atomic::Ordering;

/// What was read is given back in pieces of so many bytes: programs look at the place, so it is written rarely.
const PIECE: u64 = 64 << 10;

/// A room for each processor.
#[derive(Debug)]
pub(crate) struct Rooms {
    map: OwnedFd,
    memory: Mapped,
    room: Room,
    each: Vec<Reading>,
}

/// How far a room is read.
#[derive(Clone, Debug, Default)]
struct Reading {
    read: u64,
    /// An instant, and up to where was taken then: everything before that instant lies before that place.
    seen: Option<(u64, u64)>,
    complete: u64,
}

impl Rooms {
    /// Rooms for so many processors.
    pub(crate) fn new(room: Room, cpus: usize) -> io::Result<Self> {
        let number = |of: usize| u32::try_from(of).map_err(io::Error::other);
        let map = shared(number(room.bytes())?, number(cpus)?)?;
        let memory = Mapped::of(&map, room.bytes() * cpus)?;
        Ok(Self { map, memory, room, each: vec![Reading::default(); cpus] })
    }

    pub(crate) fn file(&self) -> RawFd {
        self.map.as_raw_fd()
    }

    /// Reads what there is, processor by processor; the instant before which nothing can come any more.
    pub(crate) fn take(&mut self, mut record: impl FnMut(&Lying<'_>)) -> u64 {
        let mut complete = u64::MAX;
        for cpu in 0..self.each.len() {
            complete = complete.min(self.take_of(cpu, &mut record));
        }
        complete
    }

    fn take_of(&mut self, cpu: usize, record: &mut impl FnMut(&Lying<'_>)) -> u64 {
        let Self { memory, room, each, .. } = self;
        let (begin, own) = (cpu * room.bytes(), &mut each[cpu]);
        let (taken, read) = (memory.long(begin + place(TAKEN)), memory.long(begin + place(READ)));
        let at = now();
        let end = taken.load(Ordering::Acquire);
        let seen = *own.seen.get_or_insert((at, end));
        let mut given_back = own.read;
        while own.read < end {
            let within = usize::try_from(own.read).unwrap_or_default() & (room.length() - 1);
            let slot = begin + room.slots() + within;
            let head = memory.long(slot).load(Ordering::Acquire);
            let round = (own.read >> room.power()) + 1;
            if head & u64::from(u32::MAX) != round & u64::from(u32::MAX) {
                break;
            }
            let [_, _, _, _, a, b, c, d] = head.to_le_bytes();
            let length = usize::from(u16::from_le_bytes([a, b])).max(place(SLOT));
            let number = u16::from_le_bytes([c, d]);
            record(&Lying { cpu, number, bytes: memory.bytes(slot, length) });
            own.read += length as u64;
            if own.read - given_back >= PIECE {
                given_back = own.read;
                read.store(given_back, Ordering::Release);
            }
        }
        read.store(own.read, Ordering::Release);
        if own.read >= seen.1 {
            own.complete = seen.0;
            own.seen = (own.read < end).then_some((at, end));
            if own.read >= end {
                own.complete = at;
            }
        }
        own.complete
    }

    /// Whether all that was taken was read.
    pub(crate) fn is_empty(&self) -> bool {
        let taken = |cpu| self.memory.long(cpu * self.room.bytes() + place(TAKEN));
        let all = || self.each.iter().enumerate();
        all().all(|(cpu, own)| own.read >= taken(cpu).load(Ordering::Acquire))
    }
}

fn place(of: i16) -> usize {
    of.unsigned_abs().into()
}
