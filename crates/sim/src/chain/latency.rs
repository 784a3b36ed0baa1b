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

/// The longest of one kind, and the reading from which it counts.
pub(super) type Longest = Option<(Duration, Instant)>;

/// The longest reaction time and data age in one history; `tasks` are the jobs of each task along the path, in
/// order, those that have written.
///
/// Both count from readings at which every task of the chain has arrived once.
pub fn latency(tasks: &[&[Passage]]) -> (Longest, Longest) {
    let starts = tasks.iter().map(|jobs| jobs.first().map(|job| job.arrival));
    let Some(starts) = starts.collect::<Option<Vec<Instant>>>() else { return (None, None) };
    let Some(&from) = starts.iter().max() else { return (None, None) };
    let counts = |&(_, at): &(Duration, Instant)| at >= from;
    (reactions(tasks).filter(counts).max(), ages(tasks).filter(counts).max())
}

/// An event comes just after a job has read; the next one reads it.
fn reactions<'a>(tasks: &'a [&[Passage]]) -> impl Iterator<Item = (Duration, Instant)> + 'a {
    let (first, others) = tasks.split_first().expect("a chain has a task");
    first.windows(2).filter_map(move |pair| {
        let end = others.iter().try_fold(pair[1].write, |write, jobs| {
            let place = jobs.partition_point(|job| job.read < write);
            jobs.get(place).map(|job| job.write)
        });
        Some((end? - pair[0].read, pair[0].read))
    })
}

/// An output is in force until the next one of the same task.
fn ages<'a>(tasks: &'a [&[Passage]]) -> impl Iterator<Item = (Duration, Instant)> + 'a {
    let (last, others) = tasks.split_last().expect("a chain has a task");
    last.windows(2).filter_map(move |pair| {
        let source = others.iter().rev().try_fold(pair[0].read, |read, jobs| {
            let place = jobs.partition_point(|job| job.write <= read);
            jobs.get(place.checked_sub(1)?).map(|job| job.read)
        });
        let source = source?;
        Some((pair[1].write - source, source))
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
