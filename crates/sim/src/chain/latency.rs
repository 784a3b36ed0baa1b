//! Reaction time and data age of a chain, from when its jobs read and wrote.

use vorrang_time::{Duration, Instant};

/// What one job does for a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// When it arrived.
    pub arrival: Instant,
    /// When it read.
    pub read: Instant,
    /// When it wrote.
    pub write: Instant,
}

/// A value that a chain handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    /// The reading from which it counts.
    pub from: Instant,
    /// The write that ends it.
    pub until: Instant,
    /// What one job of each task did for it, along the path.
    pub way: Vec<Passage>,
}

impl Handed {
    /// How long it took.
    pub fn time(&self) -> Duration {
        self.until - self.from
    }
}

/// Every value that counts in one history: the reaction times, and the data ages; `tasks` are the jobs of each task along
/// the path, in order, those that have written.
///
/// Both count from readings at which every task of the chain has arrived once.
pub fn handed(tasks: &[&[Passage]]) -> [Vec<Handed>; 2] {
    let Some(start) = start(tasks) else { return [Vec::new(), Vec::new()] };
    let counts = |value: &Handed| value.from >= start;
    [reactions(tasks).filter(counts).collect(), ages(tasks).filter(counts).collect()]
}

/// The longest of one kind, and the reading from which it counts.
pub(super) type Longest = Option<(Duration, Instant)>;

/// The longest reaction time and the longest data age of [`handed`].
pub fn latency(tasks: &[&[Passage]]) -> (Longest, Longest) {
    let [reactions, ages] = handed(tasks);
    let longest = |values: Vec<Handed>| values.iter().map(|own| (own.time(), own.from)).max();
    (longest(reactions), longest(ages))
}

/// From when each task has arrived.
fn start(tasks: &[&[Passage]]) -> Option<Instant> {
    let starts = tasks.iter().map(|jobs| jobs.first().map(|job| job.arrival));
    starts.collect::<Option<Vec<Instant>>>()?.into_iter().max()
}

/// An event comes just after a job has read; the next one reads it.
fn reactions<'a>(tasks: &'a [&[Passage]]) -> impl Iterator<Item = Handed> + 'a {
    let (first, others) = tasks.split_first().expect("a chain has a task");
    first.windows(2).filter_map(move |pair| {
        let mut way = Vec::with_capacity(tasks.len());
        way.push(pair[1]);
        for jobs in others {
            let write = way.last()?.write;
            way.push(*jobs.get(jobs.partition_point(|job| job.read < write))?);
        }
        Some(Handed { from: pair[0].read, until: way.last()?.write, way })
    })
}

/// An output is in force until the next one of the same task.
fn ages<'a>(tasks: &'a [&[Passage]]) -> impl Iterator<Item = Handed> + 'a {
    let (last, others) = tasks.split_last().expect("a chain has a task");
    last.windows(2).filter_map(move |pair| {
        let mut way = Vec::with_capacity(tasks.len());
        way.push(pair[0]);
        for jobs in others.iter().rev() {
            let read = way.last()?.read;
            way.push(*jobs.get(jobs.partition_point(|job| job.write <= read).checked_sub(1)?)?);
        }
        way.reverse();
        Some(Handed { from: way.first()?.read, until: pair[1].write, way })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(all: &[(u64, u64)]) -> Vec<Passage> {
        let at = |ns| Instant::ZERO + Duration::from_ns(ns);
        let one = |&(read, write)| Passage { arrival: at(read), read: at(read), write: at(write) };
        all.iter().map(one).collect()
    }

    /// A reading at the instant of a write sees it; one grain earlier it does not.
    #[test]
    fn a_reading_at_the_instant_of_the_write_sees_it() {
        let writer = jobs(&[(0, 2), (6, 8), (12, 14), (18, 20), (24, 26)]);
        let at_once = jobs(&[(2, 3), (8, 9), (14, 15), (20, 21), (26, 27)]);
        let before = jobs(&[(1, 2), (7, 8), (13, 14), (19, 20), (25, 26)]);
        let of = |reader: &[Passage]| {
            let (reaction, age) = latency(&[&writer, reader]);
            (reaction.unwrap().0.as_ns(), age.unwrap().0.as_ns())
        };
        assert_eq!(of(&at_once), (9, 9));
        assert_eq!(of(&before), (14, 14));
    }

    #[test]
    fn nothing_counts_before_all_have_arrived() {
        let writer = jobs(&[(0, 1), (10, 11), (20, 21)]);
        let reader = jobs(&[(100, 101), (110, 111)]);
        assert_eq!(latency(&[&writer, &reader]), (None, None));
        assert_eq!(latency(&[&writer, &[]]), (None, None));
    }
}
