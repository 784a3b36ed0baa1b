//! A trace of a running machine: the thread on each CPU, and rows for what a description names.
//!
//! **Model.** The same two things as for a simulated core: switches of CPUs, and slices on tracks. What happened
//! is known when it is written; events of a row are written in the order of time.
//!
//! **Assumptions.** 1. Switches of one CPU are told in the order of time. 2. Slices of one row that
//! overlap contain one another, and the outer begins first.

use crate::lanes::Lane;
use crate::rows::{Label, NewRow, Rows};
use crate::sink::Sink;
use crate::switches::{Left, Switches};
use crate::threads::{Thread, write_host};
use crate::tracks::Writer;
use std::collections::BTreeMap;
use std::io::{self, Write};
use vorrang_time::Instant;

/// The sequence of names and descriptors.
const SYSTEM_SEQUENCE: u64 = 1;
/// The sequence of slices; those of CPUs follow.
const SLICES: u64 = 2;

/// A thread of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostThread {
    /// Its number; 0 is none.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// As the kernel counts: the less, the more urgent.
    pub priority: i32,
}

/// Writes what a machine did.
#[derive(Debug)]
pub struct HostTrace<W> {
    sink: Sink<W>,
    threads: Vec<Thread>,
    /// By number: the place in `threads`.
    places: BTreeMap<u32, usize>,
    cpus: BTreeMap<usize, Switches>,
    rows: Rows,
}

impl<W: Write> HostTrace<W> {
    /// Begins a trace of these threads and rows.
    pub fn new(out: W, threads: &[HostThread], rows: &[NewRow]) -> Self {
        let mut sink = Sink::new(out);
        let places = threads.iter().enumerate().map(|(place, thread)| (thread.number, place));
        let places = places.collect();
        let threads = threads.iter().enumerate().map(|(place, thread)| {
            Thread::of_host(thread.number, thread.name.clone(), thread.priority, place)
        });
        let threads: Vec<Thread> = threads.collect();
        write_host(&threads, &mut sink, SYSTEM_SEQUENCE);
        let mut last = 0;
        let next = || {
            last += 1;
            last
        };
        let names = Vec::new();
        let writer = Writer { sink: &mut sink, sequence: SYSTEM_SEQUENCE, next, names };
        let rows = Rows::describe(writer, rows, &[], SLICES);
        Self { sink, threads, places, cpus: BTreeMap::new(), rows }
    }

    /// A CPU is given to a thread; whether the one before could have gone on.
    pub fn switch(&mut self, cpu: usize, could_go_on: bool, next: u32, at: Instant) {
        let left = if could_go_on { Left::Waiting } else { Left::Sleeping };
        let Some(&next) = self.places.get(&next) else { return };
        let Self { sink, threads, cpus, .. } = self;
        of_cpu(cpus, cpu, threads.len()).switch(sink, threads, left, next, at);
    }

    /// A thread is woken, to run on a CPU.
    pub fn waking(&mut self, cpu: usize, thread: u32, at: Instant) {
        let Some(&thread) = self.places.get(&thread) else { return };
        let Self { sink, threads, cpus, .. } = self;
        of_cpu(cpus, cpu, threads.len()).waking(sink, threads, thread, at);
    }

    /// Something begins on a row.
    pub fn begin(&mut self, row: usize, label: Label, at: Instant) {
        self.rows.begin(&mut self.sink, row, label, at);
    }

    /// What began last on a row ends.
    pub fn end(&mut self, row: usize, at: Instant) {
        self.rows.end(&mut self.sink, row, at);
    }

    /// Something happens on a row.
    pub fn mark(&mut self, row: usize, label: Label, at: Instant) {
        self.rows.mark(&mut self.sink, row, label, at);
    }

    /// What is on these lanes, whose rows are among its own.
    pub fn lanes(&mut self, lanes: &[Lane]) {
        for lane in lanes {
            lane.write(&mut self.rows, &mut self.sink);
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The first failure of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        for switches in self.cpus.values_mut() {
            switches.write(&mut self.sink, &self.threads);
        }
        self.sink.finish()
    }
}

fn of_cpu(cpus: &mut BTreeMap<usize, Switches>, cpu: usize, threads: usize) -> &mut Switches {
    let sequence = SLICES + 1 + cpu as u64;
    cpus.entry(cpu).or_insert_with(|| Switches::new(sequence, cpu as u64, threads))
}
