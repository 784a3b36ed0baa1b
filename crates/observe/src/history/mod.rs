//! The history of one thread: its jobs, and the time it received.
//!
//! **Model.** A job begins when the thread is woken and is complete when it next goes to sleep:
//!
//! ```text
//!   woken                      sleeps
//!     │  ██████     ███  █████   │
//!     release   │ preempted      completion
//! ```
//!
//! **Assumptions.** 1. A job begins when the thread is woken and ends when it sleeps (`S`, `I`); while it
//! waits for a lock or a disk (`D`) its job continues. 2. Jobs between which it does not sleep look
//! like one. 3. Time of service routines on its processor is not the thread's, as far as the trace has
//! them.
//!
//! **Cost.** One pass over the events for each thread.

use crate::pieces::{Amount, Pieces, Stretch, without};
use crate::schedule::{Event, Left, Routine, Schedule, What};
use std::collections::VecDeque;

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// When the thread was woken.
    pub release: u64,
    /// When it first had a processor; none if it had none yet.
    pub began: Option<u64>,
    /// When it slept; the end of the trace for one that is not complete.
    pub end: u64,
    /// Whether it is.
    pub is_complete: bool,
    /// The time it received.
    pub executed: Amount,
    /// The number of its preemptions.
    pub preempted: u64,
    /// The processor on which it ran last, or was due to run.
    pub cpu: usize,
}

impl Job {
    /// From its release to its completion, or to the end of the trace.
    pub fn response(&self) -> u64 {
        self.end - self.release
    }
}

/// The history of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Its jobs, those that began in the trace, in order.
    pub jobs: Vec<Job>,
    /// The time it received, without that of service routines.
    pub received: Pieces,
    /// When it was woken from any kind of sleep.
    pub wakes: Vec<u64>,
    /// When it first left its processor to sleep.
    pub first_sleep: Option<u64>,
    /// The number of its preemptions.
    pub preempted: u64,
}

impl History {
    /// That of a thread.
    pub fn of(schedule: &Schedule, thread: u32) -> Self {
        let mut follower = Follower::default();
        for event in schedule.events.iter().filter(|event| event.thread == thread) {
            follower.event(event);
        }
        let mut history = follower.history;
        if let Some(job) = follower.job {
            history.jobs.push(Job { end: schedule.end, is_complete: false, ..job });
        }
        let runs = schedule.all_runs().filter(|run| run.thread == thread);
        let pieces = runs.flat_map(|run| {
            let run_of_thread = (run.begin, run.end);
            without(run_of_thread, &routines_within(schedule, run.cpu, run_of_thread))
        });
        history.received = Pieces::new(pieces.collect());
        let mut last = 0;
        for job in &mut history.jobs {
            // One that was queued has what is received after the job before it.
            job.executed = history.received.within((job.release.max(last), job.end));
            last = job.end;
        }
        history
    }

    /// The shortest time between two releases.
    pub fn shortest_distance(&self) -> Option<u64> {
        let pairs = self.jobs.iter().zip(self.jobs.iter().skip(1));
        pairs.map(|(one, next)| next.release - one.release).min()
    }
}

/// Service routines of a processor in a stretch, in the order of their ends.
pub(crate) fn routines_within(
    schedule: &Schedule,
    cpu: usize,
    (begin, end): Stretch,
) -> Vec<Stretch> {
    let of = |routines: &[Routine]| {
        let first = routines.partition_point(|routine| routine.end <= begin);
        let later = routines[first..].iter().take_while(|routine| routine.end <= end);
        let own = later.filter(|routine| routine.cpu == cpu);
        own.map(|routine| (routine.begin, routine.end)).collect::<Vec<_>>()
    };
    let mut all = of(&schedule.routines);
    all.extend(of(&schedule.vectors));
    all.extend(of(&schedule.unfinished_routines));
    all.sort_unstable();
    all
}

/// The state of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Not known from the trace yet.
    #[default]
    Unknown,
    Asleep,
    /// Asleep within a job.
    Held,
    Active,
}

#[derive(Default)]
struct Follower {
    history: History,
    state: State,
    job: Option<Job>,
    /// When a wake-up began while it had not slept yet.
    waking: Option<u64>,
    /// Releases of jobs that wait for the one before them.
    queued: VecDeque<u64>,
}

impl Follower {
    fn event(&mut self, event: &Event) {
        match event.what {
            What::Waking if self.state == State::Active => self.waking = Some(event.at),
            What::Waking => self.wakes(event.at, event.cpu),
            What::Woken => {
                if self.state != State::Active {
                    // A wake-up may have begun while it was on its way to sleep.
                    let at = self.waking.unwrap_or(event.at);
                    self.wakes(at, event.cpu);
                }
                self.waking = None;
            }
            What::Queued => self.queued.push_back(event.at),
            What::Comes => {
                self.state = State::Active;
                if let Some(job) = &mut self.job {
                    job.cpu = event.cpu;
                    job.began.get_or_insert(event.at);
                }
            }
            What::Goes(left) => self.leaves(left, event.at),
        }
    }

    fn wakes(&mut self, at: u64, cpu: usize) {
        self.history.wakes.push(at);
        if self.state != State::Held {
            let empty = Job {
                release: at,
                began: None,
                end: at,
                is_complete: true,
                executed: Amount::default(),
                preempted: 0,
                cpu,
            };
            self.job = Some(empty);
        }
        self.state = State::Active;
    }

    fn leaves(&mut self, left: Left, at: u64) {
        match left {
            Left::Ready => {
                self.history.preempted += 1;
                if let Some(job) = &mut self.job {
                    job.preempted += 1;
                }
                self.state = State::Active;
                return;
            }
            Left::Held => self.state = State::Held,
            Left::Asleep => {
                self.state = State::Asleep;
                if let Some(job) = self.job.take() {
                    self.history.jobs.push(Job { end: at, ..job });
                    if let Some(release) = self.queued.pop_front() {
                        self.wakes(release, job.cpu);
                    }
                }
            }
        }
        self.history.first_sleep.get_or_insert(at);
    }
}

#[cfg(test)]
mod tests;
