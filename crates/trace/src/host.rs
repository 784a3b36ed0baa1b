//! A trace of a running machine: the thread on each CPU, and rows for what a description names.
//!
//! **Model.** The same two things as for a simulated core: switches of CPUs, and slices on tracks. What happened
//! is known when it is written; events of a row are written in the order of time.
//!
//! **Assumptions.** 1. Switches of one CPU are told in the order of time. 2. Slices of one row that
//! overlap contain one another, and the outer begins first.

use crate::sequence::{Event, Sequence};
use crate::sink::Sink;
use crate::switches::{Left, Switches};
use crate::threads::{Thread, write_host};
use crate::tracks::{Track, Writer};
use std::collections::BTreeMap;
use std::io::{self, Write};
use vorrang_time::Instant;

/// The sequence of names and descriptors.
const SYSTEM_SEQUENCE: u64 = 1;
/// The sequence of slices; those of CPUs follow.
const SLICES: u64 = 2;

/// Names of slices that are not called as their row.
const LABELS: [&str; 3] = ["job", "in the guest", "above the bound"];

/// What a slice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// What the row is called.
    Row,
    /// From a release to a completion.
    Job,
    /// A virtual processor runs its guest.
    Guest,
    /// A value above its bound.
    Above,
    /// What another row is called, by its place.
    Of(usize),
}

/// A row for slices, under another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRow {
    /// Its name.
    pub name: String,
    /// The place of the row that it is under, which comes before it.
    pub under: Option<usize>,
}

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
    slices: Sequence,
    rows: Vec<Track>,
}

impl<W: Write> HostTrace<W> {
    /// Begins a trace of these threads and rows.
    pub fn new(out: W, threads: &[HostThread], rows: &[HostRow]) -> Self {
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
        let mut writer = Writer { sink: &mut sink, sequence: SYSTEM_SEQUENCE, next, names };
        let mut tracks: Vec<Track> = Vec::new();
        for row in rows {
            let parent = row.under.and_then(|under| tracks.get(under).copied());
            tracks.push(writer.add(parent, &row.name));
        }
        let names = writer.names;
        let names = names.iter().map(String::as_str).chain(LABELS);
        let slices = Sequence::begin(&mut sink, SLICES, names, &[]);
        Self { sink, threads, places, cpus: BTreeMap::new(), slices, rows: tracks }
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
        let Some(track) = self.rows.get(row) else { return };
        let event = match self.name(label) {
            Some(name) => Event::begin(track.uuid, name),
            None => track.begin,
        };
        self.slices.happens(&mut self.sink, &event, at, &[]);
    }

    /// What began last on a row ends.
    pub fn end(&mut self, row: usize, at: Instant) {
        let Some(track) = self.rows.get(row) else { return };
        self.slices.happens(&mut self.sink, &track.end, at, &[]);
    }

    /// Something happens on a row.
    pub fn mark(&mut self, row: usize, label: Label, at: Instant) {
        let (Some(track), Some(name)) = (self.rows.get(row), self.name(label)) else { return };
        self.slices.happens(&mut self.sink, &Event::instant(track.uuid, name), at, &[]);
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

    /// The number of a name that is not that of a row.
    fn name(&self, label: Label) -> Option<u64> {
        let place = match label {
            Label::Row => return None,
            // Names of rows are counted from one.
            Label::Of(row) => return (row < self.rows.len()).then_some(row as u64 + 1),
            Label::Job => 1,
            Label::Guest => 2,
            Label::Above => 3,
        };
        Some(self.rows.len() as u64 + place)
    }
}

fn of_cpu(cpus: &mut BTreeMap<usize, Switches>, cpu: usize, threads: usize) -> &mut Switches {
    let sequence = SLICES + 1 + cpu as u64;
    cpus.entry(cpu).or_insert_with(|| Switches::new(sequence, cpu as u64, threads))
}
