//! The jobs of one task or interrupt in a history: arrival, release and execution time of each.
//!
//! The simulator takes its jobs from here, and so can an independent replay of a history.

use crate::choice::{Arrivals, Delay, Execution, Spacing};
use crate::job::{Job, Source};
use crate::random::Random;
use std::collections::VecDeque;
use vorrang_model::system::{Distances, Task};
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
    /// Whether it ends with `sched_yield` (rule T7 of `docs/model.md`).
    pub yields: bool,
}

/// A job, written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedJob {
    /// When it arrives.
    pub arrival: Instant,
    /// When it is released: not before, and not before its predecessor.
    pub release: Instant,
    /// How long it executes.
    pub execution: Duration,
    /// Whether it ends with `sched_yield`.
    pub yields: bool,
}

impl ScriptedJob {
    /// The one job of a task that polls.
    pub(crate) const fn endless(start: Instant) -> Self {
        Self { arrival: start, release: start, execution: Task::ENDLESS, yields: false }
    }
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
    /// How close several may come, with the last arrivals, the latest first; none: only two are limited.
    distances: Option<(Distances, VecDeque<Instant>)>,
    jitter: Duration,
    shortest: Duration,
    longest: Duration,
    /// Times with cumulative weights; empty: not stated.
    distribution: Vec<(u64, Duration)>,
    execution: Execution,
    /// Only where something is random.
    random: Option<Random>,
    number: u64,
    next_arrival: Option<Instant>,
    last_release: Instant,
    /// The rest of a script; it replaces all of the above except the number.
    script: Option<std::vec::IntoIter<ScriptedJob>>,
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
            || execution != Execution::Full;
        Self {
            arrivals,
            min_interarrival,
            distances: None,
            jitter,
            shortest: Duration::RESOLUTION,
            longest,
            distribution: Vec::new(),
            execution,
            random: is_random.then(|| Random::new(stream.0, stream.1)),
            number: 0,
            next_arrival: arrivals.first,
            last_release: Instant::ZERO,
            script: None,
        }
    }

    /// These jobs and no others.
    pub(crate) fn scripted(jobs: &[ScriptedJob]) -> Self {
        let limits = (Duration::ZERO, Duration::ZERO, Duration::RESOLUTION);
        let plain = Self::new(Arrivals::NEVER, limits, Execution::Full, (0, 0));
        Self { script: Some(Vec::from(jobs).into_iter()), ..plain }
    }

    /// The same jobs with their longest execution times.
    #[must_use]
    pub(crate) fn at_least(self, shortest: Duration) -> Self {
        Self { shortest, ..self }
    }

    /// The same jobs, several of them no closer than that.
    #[must_use]
    pub(crate) fn spaced(self, distances: Option<&Distances>) -> Self {
        Self { distances: distances.map(|own| (own.clone(), VecDeque::new())), ..self }
    }

    /// The same jobs with execution times drawn by weight.
    #[must_use]
    pub(crate) fn distributed(self, times: &[(Duration, u32)]) -> Self {
        let mut sum = 0;
        let distribution = times.iter().map(|&(time, weight)| {
            sum += u64::from(weight);
            (sum, time)
        });
        Self { distribution: distribution.collect(), ..self }
    }

    /// The number and the execution time of an activated job.
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

    /// The next arrival after one.
    fn after(&mut self, arrival: Instant) -> Option<Instant> {
        let earliest = self.earliest_after(arrival)?;
        match self.arrivals.spacing {
            Spacing::Periodic => Some(earliest),
            Spacing::Random { up_to } => earliest.checked_add(self.random().up_to(up_to)),
        }
    }

    /// The earliest arrival after one, and after those before it.
    fn earliest_after(&mut self, arrival: Instant) -> Option<Instant> {
        let Some((distances, last)) = &mut self.distances else {
            return arrival.checked_add(self.min_interarrival);
        };
        last.push_front(arrival);
        last.truncate(distances.farthest());
        let mut earliest = arrival;
        for apart in distances.stated() {
            let Some(before) = last.get(apart.steps - 1) else { break };
            earliest = earliest.max(before.checked_add(apart.least)?);
        }
        Some(earliest)
    }

    fn execution(&mut self) -> Duration {
        match (self.execution, self.distribution.last()) {
            (Execution::Drawn | Execution::Random, Some(&(whole, _))) => {
                let drawn = self.random().uniform(1, whole);
                let place = self.distribution.partition_point(|&(sum, _)| sum < drawn);
                self.distribution[place].1
            }
            (Execution::Full | Execution::Drawn, _) => self.longest,
            (Execution::Random, None) => {
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
        if let Some(script) = &mut self.script {
            let ScriptedJob { arrival, release, execution, yields } = script.next()?;
            let number = self.number;
            self.number += 1;
            return Some(Plan { number, arrival, release, execution, yields });
        }
        let arrival = self.next_arrival?;
        let delay = self.delay();
        let release = arrival.checked_add(delay)?.max(self.last_release);
        let execution = self.execution();
        let plan = Plan { number: self.number, arrival, release, execution, yields: false };
        self.number += 1;
        self.last_release = release;
        self.next_arrival = self.after(arrival);
        Some(plan)
    }
}
