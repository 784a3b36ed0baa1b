//! The jobs of one task or interrupt in a history: arrival, release and execution time of each.
//!
//! The simulator takes its jobs from here, and so can anything that replays a history on its own.

use crate::history::{Arrivals, Delay, Execution, Spacing};
use crate::observer::{Job, Source};
use crate::random::Random;
use vorrang_time::{Duration, Instant};

/// What a history fixes about one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Counts the jobs of its task or interrupt from zero.
    pub number: u64,
    /// When it arrives.
    pub arrival: Instant,
    /// When it becomes ready.
    pub release: Instant,
    /// How long it executes.
    pub execution: Duration,
}

impl Plan {
    /// The job of that source.
    pub(crate) fn job(&self, source: Source) -> Job {
        Job { source, number: self.number, arrival: self.arrival, release: self.release }
    }
}

/// Iterator over the jobs of one task or interrupt, in the order of arrival. It ends only where
/// the range of [`Instant`] does.
#[derive(Clone, Debug)]
pub struct Jobs {
    arrivals: Arrivals,
    min_interarrival: Duration,
    jitter: Duration,
    shortest: Duration,
    longest: Duration,
    execution: Execution,
    /// Only where something is random.
    random: Option<Random>,
    number: u64,
    next_arrival: Option<Instant>,
    last_release: Instant,
}

impl Jobs {
    /// `limits`: least inter-arrival time, jitter, longest execution; `stream`: seed of the run
    /// and number of the entity's stream.
    pub(crate) fn new(
        arrivals: Arrivals,
        limits: (Duration, Duration, Duration),
        execution: Execution,
        stream: (u64, u64),
    ) -> Self {
        let (min_interarrival, jitter, longest) = limits;
        let is_random = matches!(arrivals.spacing, Spacing::Random { .. })
            || arrivals.delay == Delay::Random
            || execution == Execution::Random;
        Self {
            arrivals,
            min_interarrival,
            jitter,
            shortest: Duration::RESOLUTION,
            longest,
            execution,
            random: is_random.then(|| Random::new(stream.0, stream.1)),
            number: 0,
            next_arrival: arrivals.first,
            last_release: Instant::ZERO,
        }
    }

    /// The same jobs, none of which executes for less.
    #[must_use]
    pub(crate) fn at_least(self, shortest: Duration) -> Self {
        Self { shortest, ..self }
    }

    /// The number and the execution time of a job that something else makes arrive.
    pub fn draw(&mut self) -> (u64, Duration) {
        let number = self.number;
        self.number += 1;
        (number, self.execution())
    }

    fn random(&mut self) -> &mut Random {
        self.random.as_mut().expect("made where something is random")
    }

    fn delay(&mut self) -> Duration {
        match self.arrivals.delay {
            Delay::FirstLate if self.number == 0 => self.jitter,
            Delay::None | Delay::FirstLate => Duration::ZERO,
            Delay::Random => {
                let jitter = self.jitter;
                self.random().up_to(jitter)
            }
        }
    }

    fn spacing(&mut self) -> Option<Duration> {
        match self.arrivals.spacing {
            Spacing::Periodic => Some(self.min_interarrival),
            Spacing::Random { up_to } => {
                let addition = self.random().up_to(up_to);
                self.min_interarrival.checked_add(addition)
            }
        }
    }

    fn execution(&mut self) -> Duration {
        match self.execution {
            Execution::Full => self.longest,
            Execution::Random => {
                let [shortest, longest] = [self.shortest, self.longest].map(Duration::as_ns);
                Duration::from_ns(self.random().uniform(shortest.min(longest), longest))
            }
        }
    }
}

impl Iterator for Jobs {
    type Item = Plan;

    #[inline]
    fn next(&mut self) -> Option<Plan> {
        let arrival = self.next_arrival?;
        let delay = self.delay();
        let release = arrival.checked_add(delay)?.max(self.last_release);
        let execution = self.execution();
        let plan = Plan { number: self.number, arrival, release, execution };
        self.number += 1;
        self.last_release = release;
        self.next_arrival = self.spacing().and_then(|spacing| arrival.checked_add(spacing));
        Some(plan)
    }
}
