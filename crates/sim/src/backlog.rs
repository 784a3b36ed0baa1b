//! The jobs of one task that are released and not complete.
//!
//! ```text
//!   first (written down)  | later (only counted)
//!   j0 j1 j2 … j63        | j64 … j1000000        released and waiting, in order
//!                           ^ the iterator that they are drawn from once more
//! ```
//!
//! **Model.** The jobs of a task run one after the other in the order of arrival, so those behind the first
//! few are irrelevant until they become the first ones. A history is deterministic, so their parameters can
//! be drawn again: only their number is stored, with an iterator positioned before the first of them.
//!
//! **Assumptions.** 1. Jobs are pushed in the order in which [`Jobs`] names them. 2. At most one
//! job behind the first few is preceded by a section that blocks: there is one in a busy window.
//!
//! **Cost.** Memory for [`WRITTEN_DOWN`] jobs, however many wait; a job that was only counted is drawn twice.
//! Activated jobs are all stored.

use crate::job::{Job, Source};
use crate::jobs::Jobs;
use std::collections::VecDeque;
use vorrang_time::Duration;

/// This many jobs that arrive by themselves are stored: more than a task without overload has.
const WRITTEN_DOWN: usize = 64;

/// A job that is released and not complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    pub(crate) job: Job,
    /// The remaining less urgent work that precedes it.
    pub(crate) blocking: Duration,
    /// Its own remaining work.
    pub(crate) remaining: Duration,
    /// Whether an interrupt is handled when it is complete.
    pub(crate) handles: bool,
    /// Whether it yields the remaining runtime of its server at its completion.
    pub(crate) yields: bool,
}

/// Released and not complete, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlog {
    first: VecDeque<Live>,
    /// At some time there were more than can be stored.
    later: Option<Box<Later>>,
}

/// Jobs that are only counted.
#[derive(Clone, Debug)]
struct Later {
    jobs: Jobs,
    count: u64,
    /// One of them, by its number, and the section that precedes it.
    blocked: Option<(u64, Duration)>,
}

impl Backlog {
    /// Nothing is released.
    pub(crate) fn clear(&mut self) {
        self.first.clear();
        self.later = None;
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&Live> {
        self.first.front()
    }

    #[inline]
    pub(crate) fn front_mut(&mut self) -> Option<&mut Live> {
        self.first.front_mut()
    }

    /// How many are stored.
    pub(crate) fn written_down(&self) -> usize {
        self.first.len()
    }

    /// The stored ones, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Live> {
        self.first.iter()
    }

    /// A job that something else activated is released.
    #[inline]
    pub(crate) fn push_activated(&mut self, live: Live) {
        self.first.push_back(live);
    }

    /// A job that arrived by itself is released; `jobs` names those after it.
    #[inline]
    pub(crate) fn push(&mut self, live: Live, jobs: &Jobs) {
        if let Some(later) = &mut self.later {
            later.count += 1;
            if !live.blocking.is_zero() {
                later.blocked = Some((live.job.number, live.blocking));
            }
            return self.write_down(live.job.source);
        }
        self.first.push_back(live);
        if self.first.len() == WRITTEN_DOWN {
            let jobs = jobs.clone();
            self.later = Some(Box::new(Later { jobs, count: 0, blocked: None }));
        }
    }

    /// The first is complete.
    #[inline]
    pub(crate) fn pop_front(&mut self) {
        let done = self.first.pop_front();
        if let (Some(_), Some(done)) = (&self.later, done) {
            self.write_down(done.job.source);
        }
    }

    /// The oldest that is only counted, while there are any.
    pub(crate) fn next_counted(&mut self, source: Source) -> Option<Live> {
        self.later.as_mut()?.draw(source)
    }

    /// Stores as many as there is room for.
    fn write_down(&mut self, source: Source) {
        let Some(later) = &mut self.later else { return };
        while self.first.len() < WRITTEN_DOWN {
            let Some(live) = later.draw(source) else { break };
            self.first.push_back(live);
        }
        // Not immediately: a task with a backlog of about this length would draw anew with every job.
        if self.first.len() < WRITTEN_DOWN / 2 {
            self.later = None;
        }
    }
}

impl Later {
    fn draw(&mut self, source: Source) -> Option<Live> {
        self.count = self.count.checked_sub(1)?;
        let plan = self.jobs.next().expect("it was released");
        let job = plan.job(source);
        let section = self.blocked.take_if(|(number, _)| *number == job.number);
        Some(Live {
            job,
            blocking: section.map_or(Duration::ZERO, |(_, section)| section),
            remaining: plan.execution,
            handles: false,
            yields: plan.yields,
        })
    }
}
