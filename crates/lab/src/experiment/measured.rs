//! What was seen of each case.

use super::case::Case;
use super::network::{DELIVERED, HANDLER, TAKEN, WAITED};
use crate::evidence::Evidence;
use serde::Serialize;
use vorrang_guest::{Accounted, Record};

/// What was seen of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The case.
    pub case: String,
    /// Responses of all jobs in nanoseconds, the shortest first: their distribution.
    pub responses: Vec<u64>,
    /// For how long packets and times were counted.
    pub elapsed: u64,
    /// Packets that were taken from the card.
    pub taken: u64,
    /// Packets that the program received.
    pub delivered: u64,
    /// Time that the thread that polls received.
    pub handler: u64,
    /// Time for which it waited for locks.
    pub waited: u64,
    /// Time for which the program that receives waited for locks.
    pub program_waited: u64,
    /// Time that the thread of the interrupt received.
    pub interrupt: u64,
    /// Time that `ksoftirqd` of the processor received.
    pub soft: u64,
}

/// Of every case, in their order; ends before the first that is not complete.
pub fn outcomes(cases: &[Case], evidence: &Evidence) -> Vec<Outcome> {
    let mut records = evidence.records.iter().filter(|record| {
        matches!(record, Record::Account { .. })
            || matches!(record, Record::Jobs { task, .. } if task == "control")
    });
    let mut outcomes = Vec::new();
    for case in cases {
        let (Some(before), Some(after), Some(jobs)) =
            (records.next(), records.next(), records.next())
        else {
            break;
        };
        let Some(outcome) = outcome(case, before, jobs, after) else { break };
        outcomes.push(outcome);
    }
    outcomes
}

fn outcome(case: &Case, before: &Record, jobs: &Record, after: &Record) -> Option<Outcome> {
    let Record::Jobs { jobs, .. } = jobs else { return None };
    let (before, after) = (Look::of(before)?, Look::of(after)?);
    let mut responses: Vec<u64> = jobs.iter().map(|job| job.finish - job.release).collect();
    responses.sort_unstable();
    let time = |name: &str| after.time(name)?.checked_sub(before.time(name)?);
    let waited = |name: &str| after.waited(name)?.checked_sub(before.waited(name)?);
    Some(Outcome {
        case: case.name.clone(),
        responses,
        elapsed: after.at - before.at,
        taken: after.taken()? - before.taken()?,
        delivered: after.delivered()? - before.delivered()?,
        handler: time(HANDLER)?,
        waited: waited(HANDLER)?,
        program_waited: waited("receiver")?,
        interrupt: time("irq/10-eth0")?,
        soft: time("ksoftirqd/1")?,
    })
}

/// What the kernel has accounted at an instant.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    /// The instant of the look.
    pub(super) at: u64,
    threads: &'a [Accounted],
    texts: &'a [(String, String)],
}

impl<'a> Look<'a> {
    /// What a record says; nothing, if it is of something else.
    pub(super) fn of(record: &'a Record) -> Option<Self> {
        let Record::Account { at, threads, texts } = record else { return None };
        Some(Self { at: *at, threads, texts })
    }

    /// The time of the thread whose name begins so.
    pub(super) fn time(&self, beginning: &str) -> Option<u64> {
        let named = |thread: &&Accounted| thread.name.starts_with(beginning);
        self.threads.iter().find(named).map(|thread| thread.ran)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.texts.iter().find(|(known, _)| known == path).map(|(_, text)| text.as_str())
    }

    fn taken(&self) -> Option<u64> {
        self.text(TAKEN)?.trim().parse().ok()
    }

    /// The time for which the thread whose name begins so waited for locks.
    fn waited(&self, beginning: &str) -> Option<u64> {
        let thread = self.threads.iter().find(|thread| thread.name.starts_with(beginning))?.thread;
        waits(self.text(WAITED)?, thread)
    }

    /// Two lines `Udp:`, names and numbers.
    fn delivered(&self) -> Option<u64> {
        let mut lines = self.text(DELIVERED)?.lines().filter(|line| line.starts_with("Udp:"));
        let (names, numbers) = (lines.next()?, lines.next()?);
        let place = names.split_whitespace().position(|name| name == "InDatagrams")?;
        numbers.split_whitespace().nth(place)?.parse().ok()
    }
}

impl Outcome {
    /// The response that so many hundredths of the jobs do not exceed.
    pub fn response(&self, hundredths: usize) -> u64 {
        let place = (self.responses.len() * hundredths).div_ceil(100).max(1) - 1;
        self.responses.get(place).copied().unwrap_or_default()
    }

    /// So many packets, a second.
    pub fn rate(&self, packets: u64) -> u64 {
        packets * 1_000_000_000 / self.elapsed.max(1)
    }

    /// A part of the time, in hundredths of a percent.
    pub fn share(&self, time: u64) -> u64 {
        time * 10_000 / self.elapsed.max(1)
    }
}

/// Nanoseconds for which a thread waited, as the kernel's histogram has it in microseconds: of one that
/// never did there is no line. `None` if there is no histogram.
fn waits(histogram: &str, thread: i32) -> Option<u64> {
    let (_, lines) = histogram.split_once("# event histogram")?;
    let of_thread = |line: &&str| {
        let key = line.split_once("common_pid:").and_then(|(_, rest)| rest.split_once('}'));
        key.and_then(|(number, _)| number.trim().parse().ok()) == Some(thread)
    };
    let Some(line) = lines.lines().find(of_thread) else { return Some(0) };
    let (_, micros) = line.rsplit_once(':')?;
    micros.trim().parse::<u64>().ok().map(|micros| micros * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_from_a_histogram() {
        let histogram = "# event histogram\n#\n# trigger info: hist:keys=common_pid:vals=hitcount,us [active]\n#\n\n\
             { common_pid:         13 } hitcount:          1  us:       1344\n\
             { common_pid:        133 } hitcount:          8  us:      44055\n\n\
             Totals:\n    Hits: 9\n    Entries: 2\n    Dropped: 0\n";
        assert_eq!(waits(histogram, 133), Some(44_055_000));
        assert_eq!(waits(histogram, 1), Some(0), "of a thread that never waited there is no line");
        assert_eq!(waits("error: No such file or directory", 133), None);
    }
}
