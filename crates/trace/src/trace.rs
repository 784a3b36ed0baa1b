//! A trace file.

use crate::sink::Sink;
use crate::threads::Threads;
use crate::tracks::Tracks;
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
