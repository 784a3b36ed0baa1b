//! What is wanted of a trace, and what was learnt.

use crate::processor::{Routine, Source};
use crate::separation::Separation;
use crate::thread::Thread;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;

/// What is wanted of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// These processors only; empty: all.
    pub cpus: Vec<usize>,
    /// Threads of these names only; empty: all.
    pub names: Vec<String>,
    /// What separates the jobs of threads of a name.
    pub separations: BTreeMap<String, Separation>,
}

/// Why a trace cannot be learnt from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub why: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl Error for Malformed {}

/// What was learnt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learnt {
    /// The processors that were looked at; empty: all.
    pub cpus: Vec<usize>,
    /// Threads by number.
    pub threads: BTreeMap<u32, Thread>,
    /// Interrupts by processor.
    pub routines: BTreeMap<usize, BTreeMap<Source, Routine>>,
    /// From the first event to the last.
    pub begin: u64,
    /// The last one.
    pub end: u64,
    /// Events that were read.
    pub events: u64,
    /// The error of an instant.
    pub resolution: u64,
    /// Whether the trace has calls of the kernel.
    pub has_calls: bool,
}

impl Learnt {
    /// Leaves out every thread but these.
    pub fn keep(&mut self, threads: &BTreeSet<u32>) {
        self.threads.retain(|number, _| threads.contains(number));
    }

    /// Whether a processor was looked at.
    pub fn looks_at(&self, cpu: usize) -> bool {
        self.cpus.is_empty() || self.cpus.contains(&cpu)
    }
}
