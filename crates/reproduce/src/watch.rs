//! What the figures watch a run for.

use crate::exact::{Exact, percent};
use std::collections::BTreeMap;
use vorrang_model::system::{DeviceId, TaskId};
use vorrang_sim::{Cause, Context, Job, Observer, Packet, Running, Source};
use vorrang_time::{Duration, Instant};

/// Time lost, by cause, and switches.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    /// Of all contexts together.
    pub by_cause: BTreeMap<Cause, Duration>,
    /// How often the core was given to another context.
    pub switches: u64,
}

impl Losses {
    /// Time lost to one cause.
    pub fn of(&self, cause: Cause) -> Duration {
        self.by_cause.get(&cause).copied().unwrap_or(Duration::ZERO)
    }
}

impl Observer for Losses {
    fn lost(&mut self, _: Option<Context>, cause: Cause, amount: Duration, _: Instant) {
        *self.by_cause.entry(cause).or_insert(Duration::ZERO) += amount;
    }

    fn switched(&mut self, _: Option<Context>, _: Context, _: Instant) {
        self.switches += 1;
    }
}

/// The longest time that each task that always has work waits for the core.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    last: BTreeMap<TaskId, Instant>,
    /// Between two intervals in which the task ran, or from the start.
    pub longest: BTreeMap<TaskId, Duration>,
}

impl Observer for Waits {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let Running::Task(task) = what else { return };
        let before = self.last.insert(task, to).unwrap_or(Instant::ZERO);
        let longest = self.longest.entry(task).or_insert(Duration::ZERO);
        *longest = (from - before).max(*longest);
    }
}

/// All responses of one source, in the order of completion.
#[derive(Clone, Debug)]
pub struct Responses {
    source: Source,
    /// Of the jobs that completed.
    pub all: Vec<Duration>,
    /// Of the jobs that did not, so far.
    pub unfinished: Vec<Duration>,
}

impl Responses {
    /// Nothing seen yet.
    pub fn of(source: Source) -> Self {
        Self { source, all: Vec::new(), unfinished: Vec::new() }
    }

    /// The longest of those that completed.
    pub fn longest(&self) -> Option<Duration> {
        self.all.iter().copied().max()
    }

    /// The shortest.
    pub fn shortest(&self) -> Option<Duration> {
        self.all.iter().copied().min()
    }

    /// The share of all jobs that were complete within a time of their arrival.
    pub fn within(&self, time: Duration) -> f64 {
        let jobs = self.all.len() + self.unfinished.len();
        let within = self.all.iter().filter(|response| **response <= time).count();
        ratio(within as u64, jobs as u64)
    }

    /// The same in percent, exactly.
    pub fn percent_within(&self, time: Duration) -> Exact {
        let jobs = self.all.len() + self.unfinished.len();
        let within = self.all.iter().filter(|response| **response <= time).count();
        percent(within as u64, jobs as u64)
    }

    /// The response that so many per thousand of the completed jobs did not exceed.
    pub fn quantile(&self, per_mille: usize) -> Option<Duration> {
        let mut sorted = self.all.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * per_mille).div_ceil(1000).saturating_sub(1);
        sorted.get(place).copied()
    }
}

impl Observer for Responses {
    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == self.source {
            self.all.push(at - job.arrival);
        }
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        if job.source == self.source {
            self.unfinished.push(at - job.arrival);
        }
    }
}

/// What becomes of the packets of the card on a core.
#[derive(Clone, Debug, Default)]
pub struct Packets {
    /// Delivered to their reader.
    pub delivered: u64,
    /// Lost because the ring or the socket buffer was full.
    pub dropped: u64,
    /// From the arrival to the end of the work in the polling task.
    pub round_trips: Vec<Duration>,
}

impl Observer for Packets {
    fn packet(&mut self, _: DeviceId, event: Packet, arrival: Instant, at: Instant) {
        match event {
            Packet::Arrived => {}
            Packet::DroppedAtRing | Packet::DroppedAtSocket => self.dropped += 1,
            Packet::Polled => self.round_trips.push(at - arrival),
            Packet::Delivered => self.delivered += 1,
        }
    }
}

/// A quotient for printing.
#[expect(clippy::cast_precision_loss, reason = "for printing")]
pub fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// Milliseconds for printing.
pub fn ms(time: Duration) -> f64 {
    ratio(time.as_ns(), 1_000_000)
}

/// Microseconds for printing.
pub fn us(time: Duration) -> f64 {
    ratio(time.as_ns(), 1_000)
}
