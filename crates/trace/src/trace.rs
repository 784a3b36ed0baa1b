//! A trace file.

use crate::lanes::Lane;
use crate::rows::{NewRow, Rows};
use crate::sink::Sink;
use crate::threads::Threads;
use crate::tracks::{Tracks, Writer};
use std::io::{self, Write};
use vorrang_model::System;
use vorrang_model::system::SupplyId;

/// The sequence of the packets that describe threads.
const SYSTEM_SEQUENCE: u64 = 1;

/// A trace of runs of the cores of one system, written while they run.
#[derive(Debug)]
pub struct Trace<'s, W> {
    pub(crate) system: &'s System,
    pub(crate) threads: Threads,
    pub(crate) sink: Sink<W>,
    last_sequence: u64,
    last_track: u64,
}

impl<'s, W: Write> Trace<'s, W> {
    /// Begins a trace. It buffers what it writes.
    pub fn new(system: &'s System, out: W) -> Self {
        let (mut sink, threads) = (Sink::new(out), Threads::new(system));
        threads.write(&mut sink, SYSTEM_SEQUENCE);
        Self { system, threads, sink, last_sequence: SYSTEM_SEQUENCE, last_track: 0 }
    }

    /// Adds rows, and what is on these lanes among them. The tasks' slices may have further names.
    pub fn lanes(&mut self, rows: &[NewRow], names: &[String], lanes: &[Lane]) {
        let sequence = self.next_sequence();
        let Self { sink, last_track, .. } = self;
        let next = || {
            *last_track += 1;
            *last_track
        };
        let writer = Writer { sink, sequence: SYSTEM_SEQUENCE, next, names: Vec::new() };
        let mut rows = Rows::describe(writer, rows, names, sequence);
        for lane in lanes {
            lane.write(&mut rows, &mut self.sink);
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The first failure of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.sink.finish()
    }

    /// A number that no other sequence has.
    pub(crate) fn next_sequence(&mut self) -> u64 {
        self.last_sequence += 1;
        self.last_sequence
    }

    /// Describes the tracks of a core. Returned with the names of the slices on them.
    pub(crate) fn describe(&mut self, core: SupplyId) -> (Tracks, Vec<String>) {
        let Self { system, sink, last_track, .. } = self;
        Tracks::describe(sink, SYSTEM_SEQUENCE, system, core, || {
            *last_track += 1;
            *last_track
        })
    }
}
