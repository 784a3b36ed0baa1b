//! What came of many inputs.

use crate::cost::{MOST_BYTES, MOST_NS};
use crate::input::Depth;
use crate::reader::Reader;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What an input showed that must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// It panicked.
    Panic,
    /// It came out otherwise than is promised.
    Wrong,
    /// It took more than [`MOST_NS`].
    Slow,
    /// The process had more than [`MOST_BYTES`].
    Hungry,
    /// It ended the process.
    Death,
    /// It did not come to an end.
    Endless,
}

/// An input with what it showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The number of the input.
    pub index: u64,
    /// What it showed.
    pub fault: Fault,
    /// In words.
    pub says: String,
}

/// Inputs of one reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// All inputs that were tried.
    pub inputs: u64,
    /// Those that were accepted.
    pub accepted: u64,
    /// Those that were to be analysed, and to be given to the whole command.
    pub analysed: u64,
    /// See `analysed`.
    pub run: u64,
    /// Processor time of all, in nanoseconds.
    pub spent_ns: u64,
    /// The longest of one, and its number.
    pub slowest: (u64, u64),
}

/// Inputs of all readers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// By reader.
    pub counts: BTreeMap<Reader, Count>,
    /// The most memory that a worker had, and the number of the input that took it there.
    pub peak: (u64, u64),
    /// What must not be.
    pub findings: Vec<Finding>,
}

impl Tally {
    /// Counts an input.
    pub fn count(
        &mut self,
        index: u64,
        reader: Reader,
        depth: Depth,
        accepted: bool,
        spent_ns: u64,
    ) {
        let count = self.counts.entry(reader).or_default();
        count.inputs += 1;
        count.accepted += u64::from(accepted);
        count.analysed += u64::from(depth == Depth::Analyse);
        count.run += u64::from(depth == Depth::Run);
        count.spent_ns += spent_ns;
        count.slowest = count.slowest.max((spent_ns, index));
    }

    /// With those of another.
    pub fn add(&mut self, other: Self) {
        for (reader, more) in other.counts {
            let count = self.counts.entry(reader).or_default();
            count.inputs += more.inputs;
            count.accepted += more.accepted;
            count.analysed += more.analysed;
            count.run += more.run;
            count.spent_ns += more.spent_ns;
            count.slowest = count.slowest.max(more.slowest);
        }
        self.peak = self.peak.max(other.peak);
        self.findings.extend(other.findings);
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Panic => "panics",
            Self::Wrong => "comes out wrong",
            Self::Slow => "takes too long",
            Self::Hungry => "takes too much memory",
            Self::Death => "ends the process",
            Self::Endless => "does not come to an end",
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "reader       inputs  accepted  analysed     run  mean [us]  slowest [ms]  its number"
        )?;
        writeln!(
            f,
            "-------  ----------  --------  --------  ------  ---------  ------------  ----------"
        )?;
        let all: u64 = self.counts.values().map(|count| count.inputs).sum();
        for (reader, count) in &self.counts {
            let Count { inputs, accepted, analysed, run, spent_ns, slowest } = count;
            writeln!(
                f,
                "{:<7}  {inputs:>10}  {accepted:>8}  {analysed:>8}  {run:>6}  {:>9}  {:>12}  {:>10}",
                reader.name(),
                spent_ns / inputs.max(&1) / 1_000,
                slowest.0 / 1_000_000,
                slowest.1
            )?;
        }
        let megabytes = |bytes: u64| bytes / 1_000_000;
        writeln!(
            f,
            "\n{all} inputs, {} of them show what must not be. At most {} ms of processor time each ({} allowed), \n\
             and {} MB of memory, with input {} ({} allowed).",
            self.findings.len(),
            self.counts.values().map(|count| count.slowest.0).max().unwrap_or(0) / 1_000_000,
            MOST_NS / 1_000_000,
            megabytes(self.peak.0),
            self.peak.1,
            megabytes(MOST_BYTES)
        )
    }
}
