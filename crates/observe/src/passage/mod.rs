//! Values that jobs hand on along a chain: how long each takes.
//!
//! **Model.** Each job reads once and writes once. It sees what was written by its reading, and what the job wrote that
//! woke it:
//!
//! ```text
//!   first   read ▄▄▄ write    read ▄▄▄ write
//!                    │             │
//!   last             └──▶ read ▄▄▄ write
//!           |········ reaction ··········|     from the reading before the event to the first output that shows it
//! ```
//!
//! A *reaction time* counts from a reading, for an event that comes just after it; a *data age* from a reading until the next
//! output after the last one that rests on it (*Chains* in docs/model.md).
//!
//! **Assumptions.** 1. Jobs of a task read and write in their order. 2. Of a reading and a write that are nearer to each
//! other than the clock tells, the reading sees the write: a value takes no less in truth.
//!
//! **Cost.** A binary search for each job and task.

use crate::pieces::Stretch;

/// What one job does for a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// When it read.
    pub read: u64,
    /// When it wrote; none if that is not seen.
    pub write: Option<u64>,
    /// The job of the task before that woke it, if one did, by its place.
    pub woken_by: Option<usize>,
}

/// The jobs of all tasks of a chain, and what each sees.
pub struct Passages {
    /// Of each task along the path, in order.
    jobs: Vec<Vec<Passage>>,
    /// Of each job of each task but the first: the latest job of the task before that it sees, by its place.
    sees: Vec<Vec<Option<usize>>>,
}

/// A value and the jobs that hand it on, one of each task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// From the reading from which it counts to its end.
    pub window: Stretch,
    /// The places of these jobs, along the path.
    pub way: Vec<usize>,
}

impl Value {
    /// How long it took.
    pub fn time(&self) -> u64 {
        self.window.1 - self.window.0
    }
}

impl Passages {
    /// Of the jobs of each task along the path; a reading so much before a write sees it.
    pub fn new(jobs: Vec<Vec<Passage>>, resolution: u64) -> Self {
        let pairs = jobs.iter().zip(jobs.iter().skip(1));
        let sees = pairs.map(|(writers, readers)| seen(writers, readers, resolution));
        Self { sees: sees.collect(), jobs }
    }

    /// A job.
    pub fn job(&self, task: usize, place: usize) -> Passage {
        self.jobs[task][place]
    }

    /// The reaction times that are complete.
    pub fn reactions(&self) -> Vec<Value> {
        let Some(first) = self.jobs.first() else { return Vec::new() };
        let of = |place: usize| {
            let mut way = vec![place + 1];
            for sees in &self.sees {
                let before = way[way.len() - 1];
                let is_older = |seen: &Option<usize>| seen.is_none_or(|seen| seen < before);
                let next = sees.partition_point(is_older);
                way.push((next < sees.len()).then_some(next)?);
            }
            let end = self.job(way.len() - 1, way[way.len() - 1]).write?;
            Some(Value { window: (first[place].read, end), way })
        };
        (0..first.len().saturating_sub(1)).filter_map(of).collect()
    }

    /// The data ages that are complete.
    pub fn ages(&self) -> Vec<Value> {
        let Some(last) = self.jobs.last() else { return Vec::new() };
        let of = |place: usize| {
            last[place].write?;
            let end = last[place + 1].write?;
            let mut way = vec![place];
            for sees in self.sees.iter().rev() {
                way.push(sees[way[way.len() - 1]]?);
            }
            way.reverse();
            Some(Value { window: (self.job(0, way[0]).read, end), way })
        };
        (0..last.len().saturating_sub(1)).filter_map(of).collect()
    }
}

/// Of each reader, the latest writer that it sees.
fn seen(writers: &[Passage], readers: &[Passage], resolution: u64) -> Vec<Option<usize>> {
    let mut latest = None;
    let of = |reader: &Passage| {
        let is_written =
            |writer: &Passage| writer.write.is_some_and(|at| at <= reader.read + resolution);
        let by_time = writers.partition_point(is_written).checked_sub(1);
        latest = latest.max(by_time).max(reader.woken_by);
        latest
    };
    readers.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
