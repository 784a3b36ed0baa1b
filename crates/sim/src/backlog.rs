//! The jobs of one task that are released and not complete.
//!
//! ```text
//!   first (written down)  | later (only counted)
//!   j0 j1 j2 … j63        | j64 … j1000000        released and waiting, in order
//!                           ^ the iterator that they are drawn from once more
//! ```
//!
//! **Model.** The jobs of a task run one after the other in the order of arrival, so those behind
//! the first few are not looked at until their turn comes. What a history fixes about them it fixes
//! again when it is asked again: only how many there are is kept, and an iterator that stands
//! before the first of them.
//!
//! **Assumptions.** 1. Jobs are pushed in the order in which [`Jobs`] names them. 2. At most one
//! job behind the first few is preceded by a section that blocks: there is one in a busy window.
//!
//! **Cost.** Memory for [`WRITTEN_DOWN`] jobs, however many wait; one that was only counted is
//! drawn twice. Jobs that something else activates are all written down.

use crate::job::{Job, Source};
use crate::jobs::Jobs;
use std::collections::VecDeque;
use vorrang_time::Duration;

/// So many jobs that arrive by themselves are written down: more than a task has that keeps up.
const WRITTEN_DOWN: usize = 64;

/// A job that is released and not complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    pub(crate) job: Job,
    /// What is left of the less urgent work that precedes it.
    pub(crate) blocking: Duration,
    /// What is left of its own.
    pub(crate) remaining: Duration,
    /// Whether an interrupt is handled when it is complete.
    pub(crate) handles: bool,
    /// Whether it gives up what is left of its server's runtime when it is complete.
    pub(crate) yields: bool,
}

/// Released and not complete, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlog {
    first: VecDeque<Live>,
    /// There once were more than can be written down.
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

    /// How many are written down.
    pub(crate) fn written_down(&self) -> usize {
        self.first.len()
    }

    /// Those that are written down, in order.
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

    /// Writes down what there is room for.
    fn write_down(&mut self, source: Source) {
        let Some(later) = &mut self.later else { return };
        while self.first.len() < WRITTEN_DOWN {
            let Some(live) = later.draw(source) else { break };
            self.first.push_back(live);
        }
        // Not at once: a task that is just about that late would begin anew with every job.
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
