//! Switches of a CPU: `sched_switch` and `sched_waking`, as the compact columns of an ftrace bundle.
//!
//! **Model.** A bundle holds columns of numbers, one entry for each switch or waking of one CPU:
//!
//! ```text
//!   switch_timestamp    1000   350   700 …     the first in full, then distances
//!   switch_prev_state      0     1     0 …     of the one who had the CPU: waiting or sleeping
//!   switch_next_pid        4     7     4 …     of the one who gets it
//!   switch_next_prio      98    90    98 …
//!   switch_next_comm_index 0     1     0 …     into the names of the bundle
//! ```
//!
//! That takes about ten bytes for a switch where a message of its own takes seventy.

use crate::sequence::packet;
use crate::sink::Sink;
use crate::threads::Thread;
use crate::wire::{Message, varint};
use std::io::Write;
use vorrang_time::Instant;

/// Events of a bundle: their names and keys are then a small part of it.
const BUNDLE: usize = 1024;

/// Fields of `FtraceEventBundle`.
mod bundle {
    pub(super) const CPU: u32 = 1;
    pub(super) const COMPACT_SCHED: u32 = 4;
}

/// Fields of `CompactSched`: name table, then one column each.
mod compact {
    pub(super) const NAMES: u32 = 5;
    pub(super) const SWITCH: [u32; 5] = [1, 2, 3, 4, 6];
    pub(super) const WAKING: [u32; 6] = [7, 8, 9, 10, 11, 12];
}

/// What becomes of a thread that has to leave a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// It has more to do (`R`).
    Waiting,
    /// It is done for now (`S`).
    Sleeping,
}

/// The switches and wakings of one CPU that are not written yet.
#[derive(Debug)]
pub(crate) struct Switches {
    sequence: u64,
    cpu: u64,
    given: Columns<5>,
    woken: Columns<6>,
    /// Names of this bundle, by their place.
    names: Vec<usize>,
    /// By thread: its place in `names`, if it has one.
    places: Vec<Option<u32>>,
}

/// Packed numbers, column by column.
#[derive(Debug)]
struct Columns<const N: usize> {
    packed: [Vec<u8>; N],
    last: Instant,
    count: usize,
}

impl<const N: usize> Columns<N> {
    fn new() -> Self {
        Self { packed: [const { Vec::new() }; N], last: Instant::ZERO, count: 0 }
    }

    /// Adds a row, whose first number is its instant.
    #[inline]
    fn push(&mut self, at: Instant, rest: [u64; N]) {
        for (column, value) in self.packed.iter_mut().zip(rest) {
            varint(column, value);
        }
        self.last = at;
        self.count += 1;
    }

    /// The time since the row before; the whole instant for the first.
    #[inline]
    fn distance(&self, at: Instant) -> u64 {
        (at - self.last).as_ns()
    }

    /// Appends the columns to a message, and forgets them.
    fn take(&mut self, fields: [u32; N], message: &mut Message) {
        if self.count > 0 {
            for (column, field) in self.packed.iter_mut().zip(fields) {
                message.append(field, column);
                column.clear();
            }
        }
        (self.last, self.count) = (Instant::ZERO, 0);
    }
}

impl Switches {
    /// None yet, of the CPU with that number.
    pub(crate) fn new(sequence: u64, cpu: u64, threads: usize) -> Self {
        Self {
            sequence,
            cpu,
            given: Columns::new(),
            woken: Columns::new(),
            names: Vec::new(),
            places: vec![None; threads],
        }
    }

    /// The CPU is given to `next`.
    #[inline]
    pub(crate) fn switch(
        &mut self,
        sink: &mut Sink<impl Write>,
        threads: &[Thread],
        left: Left,
        next: usize,
        at: Instant,
    ) {
        let state = match left {
            Left::Waiting => 0,
            Left::Sleeping => 1,
        };
        let (priority, name) = (threads[next].encoded_priority(), self.name(next));
        let distance = self.given.distance(at);
        self.given.push(at, [distance, state, threads[next].number, priority, name]);
        self.write_if_full(sink, threads);
    }

    /// A thread that was asleep has something to do.
    #[inline]
    pub(crate) fn waking(
        &mut self,
        sink: &mut Sink<impl Write>,
        threads: &[Thread],
        thread: usize,
        at: Instant,
    ) {
        let (priority, name) = (threads[thread].encoded_priority(), self.name(thread));
        // Whatever is told late is told as of now: distances do not go back.
        let at = at.max(self.woken.last);
        let distance = self.woken.distance(at);
        self.woken.push(at, [distance, threads[thread].number, self.cpu, priority, name, 0]);
        self.write_if_full(sink, threads);
    }

    /// The place of a name in the bundle.
    #[inline]
    fn name(&mut self, thread: usize) -> u64 {
        let place = *self.places[thread].get_or_insert_with(|| {
            self.names.push(thread);
            u32::try_from(self.names.len() - 1).expect("a bundle holds few")
        });
        u64::from(place)
    }

    #[inline]
    fn write_if_full(&mut self, sink: &mut Sink<impl Write>, threads: &[Thread]) {
        if self.given.count + self.woken.count >= BUNDLE {
            self.write(sink, threads);
        }
    }

    /// Writes what there is.
    pub(crate) fn write(&mut self, sink: &mut Sink<impl Write>, threads: &[Thread]) {
        let mut columns = Message::new();
        for &name in &self.names {
            columns = columns.text(compact::NAMES, &threads[name].name);
            self.places[name] = None;
        }
        self.names.clear();
        self.given.take(compact::SWITCH, &mut columns);
        self.woken.take(compact::WAKING, &mut columns);
        let bundle =
            Message::new().number(bundle::CPU, self.cpu).message(bundle::COMPACT_SCHED, &columns);
        sink.packet(
            &Message::new()
                .number(packet::SEQUENCE, self.sequence)
                .message(packet::FTRACE_EVENTS, &bundle),
        );
    }
}
