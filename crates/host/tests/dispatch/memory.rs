//! A machine in memory: threads with jobs, a clock that goes from event to event, and nothing that
//! takes time by itself.

use std::collections::VecDeque;
use vorrang_host::levels::Levels;
use vorrang_host::machine::{Attention, Machine, Raised, Woken};
use vorrang_time::{Duration, Instant};

/// A job of a thread: from when on it can be done, and how long it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) release: Instant,
    pub(crate) execution: Duration,
}

/// A thread that does its jobs one after the other.
#[derive(Clone, Debug, Default)]
struct Thread {
    /// What its guest does first: routines of interrupts that were raised.
    routines: VecDeque<Job>,
    jobs: VecDeque<Job>,
    received: Duration,
}

/// A stretch of processor time: whose, from when to when.
pub(crate) type Ran = (usize, Instant, Instant);

/// What is done to a loan of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Begins(usize),
    BeginsFirst(usize),
    /// To another level.
    Moves(usize),
    Ends(usize),
}

/// The machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    now: u64,
    threads: Vec<Thread>,
    /// Interrupts of guests that are still to be raised, in order: when, which, of which thread, and its routine.
    interrupts: VecDeque<(u64, usize, usize, Duration)>,
    /// The one whose routine of the core has ended.
    raised: Option<Raised>,
    /// Those that were not told, of each interrupt.
    unheard: [u64; 8],
    /// All are told, as if every decision depended on them.
    pub(crate) hears_all: bool,
    /// A thread that is ready, and that no loan moves: one that ends, and is parked meanwhile.
    pub(crate) stuck: Option<usize>,
    /// From an interrupt to the wake-up of its thread.
    pub(crate) wakes_late: Duration,
    /// With its level.
    lent: Option<(usize, usize)>,
    /// The one that is lent to before it.
    first: Option<(usize, usize)>,
    /// Tasks on the core itself, behind the threads.
    tasks: std::ops::Range<usize>,
    levels: Option<Levels>,
    /// Loans that began and ended.
    pub(crate) changes: Vec<(Instant, Change)>,
    /// Threads whose time was sampled.
    pub(crate) samples: Vec<(Instant, usize)>,
    /// What ran; what follows at once by the same thread is one.
    pub(crate) ran: Vec<Ran>,
    /// Every so manyth loan ends only at the next decision after that.
    pub(crate) ends_late: Option<usize>,
    ended: usize,
    /// While this thread is lent to, every decision comes so late.
    pub(crate) late_beside: Option<(usize, Duration)>,
}

impl Memory {
    pub(crate) fn of(jobs: &[Vec<Job>]) -> Self {
        let thread = |jobs: &Vec<Job>| Thread { jobs: jobs.clone().into(), ..Thread::default() };
        Self { threads: jobs.iter().map(thread).collect(), ..Self::default() }
    }

    /// The same with interrupts: of which thread, and their arrivals with the routines of the guest.
    pub(crate) fn with_interrupts(mut self, interrupts: &[(usize, Vec<Job>)]) -> Self {
        let mut all = Vec::new();
        for (which, (thread, arrivals)) in interrupts.iter().enumerate() {
            let one = |job: &Job| (job.release.as_ns(), which, *thread, job.execution);
            all.extend(arrivals.iter().map(one));
        }
        all.sort_unstable();
        self.interrupts = all.into();
        self
    }

    /// The routine of the core for the next interrupt, if that has arrived: afterwards the guest has it.
    fn arrive(&mut self) -> bool {
        let Some(&(at, which, thread, execution)) = self.interrupts.front() else { return false };
        if at > self.now {
            return false;
        }
        self.interrupts.pop_front();
        self.now += 1;
        let raised = Instant::from_ns(at);
        let release = raised + self.wakes_late;
        self.threads[thread].routines.push_back(Job { release, execution });
        self.raised = Some(Raised { interrupt: which, at: raised, unheard: 0 });
        true
    }

    /// Up to an instant, or the next interrupt.
    fn go_on_to_interrupt(&mut self, until: u64, attention: Attention) -> Woken {
        let until = until.min(self.interrupts.front().map_or(u64::MAX, |one| one.0));
        let late = self
            .late_beside
            .filter(|(thread, _)| self.lent.is_some_and(|(lent, _)| lent == *thread));
        let until = until + late.map_or(0, |(_, late)| late.as_ns());
        self.go_on(until, attention)
    }

    fn at(&self) -> Instant {
        Instant::from_ns(self.now)
    }

    fn has_work(&self, thread: usize) -> bool {
        let Thread { routines, jobs, .. } = &self.threads[thread];
        [routines, jobs].into_iter().any(|jobs| is_released(jobs, self.at()))
    }

    /// The same with tasks on the core itself, the most urgent first, and these priorities.
    pub(crate) fn with_tasks(mut self, tasks: &[Vec<Job>], levels: Levels) -> Self {
        let task = |jobs: &Vec<Job>| Thread { jobs: jobs.clone().into(), ..Thread::default() };
        self.tasks = self.threads.len()..self.threads.len() + tasks.len();
        self.threads.extend(tasks.iter().map(task));
        self.levels = Some(levels);
        self
    }

    /// The tasks that are more urgent than a level.
    fn above(&self, level: usize) -> std::ops::Range<usize> {
        let count = self.levels.as_ref().map_or(0, |levels| levels.tasks_above(level));
        self.tasks.start..self.tasks.start + count
    }

    /// Lets what is most urgent run up to `until`, or until the thread that is lent to has nothing to do, which is watched, or until no
    /// task precedes it.
    fn go_on(&mut self, until: u64, Attention { watch, preceded, .. }: Attention) -> Woken {
        let loan = self.first.or(self.lent);
        let before = loan.map_or(self.tasks.clone(), |(_, level)| self.above(level));
        let behind = before.end..self.tasks.end;
        loop {
            let first = before.clone().find(|&task| self.has_work(task));
            let lent = loan.map(|(thread, _)| thread).filter(|&thread| self.has_work(thread));
            if first.is_none() && lent.is_none() && watch {
                return Woken::ThreadLeft;
            }
            let is_preceded = |level| self.above(level).any(|task| self.has_work(task));
            if self.now == until || preceded.is_some_and(|level| !is_preceded(level)) {
                return Woken::InTime;
            }
            let last = behind.clone().find(|&task| self.has_work(task));
            let all = self.tasks.clone().chain(loan.map(|(thread, _)| thread));
            let next = all.filter_map(|one| self.next_of(one)).min().unwrap_or(u64::MAX);
            match first.or(lent).or(last) {
                Some(place) => self.execute(place, until.min(next)),
                None => self.now = until.min(next),
            }
        }
    }

    /// The next release of a thread that is still to come.
    fn next_of(&self, thread: usize) -> Option<u64> {
        let Thread { routines, jobs, .. } = &self.threads[thread];
        let next = |jobs: &VecDeque<Job>| {
            // They are in order.
            let later = jobs.partition_point(|job| job.release <= self.at());
            jobs.get(later).map(|job| job.release.as_ns())
        };
        [routines, jobs].into_iter().filter_map(next).min()
    }

    /// The first job of a thread, as far as it comes.
    fn execute(&mut self, place: usize, until: u64) {
        let begin = self.at();
        let thread = &mut self.threads[place];
        let routines = is_released(&thread.routines, begin);
        let jobs = if routines { &mut thread.routines } else { &mut thread.jobs };
        let job = jobs.front_mut().expect("there is work");
        let amount = job.execution.min(Duration::from_ns(until - self.now));
        job.execution -= amount;
        thread.received += amount;
        if job.execution.is_zero() {
            jobs.pop_front();
        }
        let end = begin + amount;
        self.now = end.as_ns();
        match self.ran.last_mut() {
            Some((thread, _, last)) if *thread == place && *last == begin => *last = end,
            _ => self.ran.push((place, begin, end)),
        }
    }
}

/// Whether the first of these can be done.
fn is_released(jobs: &VecDeque<Job>, at: Instant) -> bool {
    jobs.front().is_some_and(|job| job.release <= at)
}

impl Machine for Memory {
    fn now(&mut self) -> Instant {
        self.at()
    }

    fn decided(&mut self) -> Instant {
        self.at()
    }

    fn raised(&mut self) -> Option<Raised> {
        let Raised { interrupt, at, .. } = self.raised.take()?;
        let unheard = std::mem::take(&mut self.unheard[interrupt]);
        Some(Raised { interrupt, at, unheard })
    }

    fn received(&mut self, thread: usize) -> Duration {
        self.samples.push((self.at(), thread));
        self.threads[thread].received
    }

    fn wants(&mut self, thread: usize) -> bool {
        self.has_work(thread) || self.stuck == Some(thread)
    }

    fn precedes(&mut self, level: usize) -> bool {
        self.above(level).any(|task| self.has_work(task))
    }

    fn tasks_rest(&mut self) -> bool {
        !self.tasks.clone().any(|task| self.has_work(task))
    }

    fn lend(&mut self, thread: usize, level: usize) {
        let is_same = self.lent.is_some_and(|(lent, before)| lent == thread && before != level);
        assert!(self.lent.is_none() || is_same || self.ends_late.is_some(), "one loan at a time");
        let change = if is_same { Change::Moves(thread) } else { Change::Begins(thread) };
        self.changes.push((self.at(), change));
        self.lent = Some((thread, level));
    }

    fn lend_first(&mut self, thread: usize, level: usize) {
        let is_behind = |(lent, behind): (usize, usize)| lent != thread && behind <= level;
        assert!(self.first.is_none() && self.lent.is_some_and(is_behind), "before another one");
        self.changes.push((self.at(), Change::BeginsFirst(thread)));
        self.first = Some((thread, level));
    }

    fn take_back(&mut self, thread: usize) {
        self.ended += 1;
        self.changes.push((self.at(), Change::Ends(thread)));
        if self.ends_late.is_some_and(|every| self.ended.is_multiple_of(every)) {
            return;
        }
        if self.first.is_some_and(|(first, _)| first == thread) {
            self.first = None;
            return;
        }
        let is_lent = self.lent.is_some_and(|(lent, _)| lent == thread);
        assert!(is_lent || self.ends_late.is_some(), "only what is lent");
        self.lent = None;
    }

    fn sleep(&mut self, until: Instant, at_most: Duration, attention: Attention) -> Woken {
        assert!(
            self.first.is_none() || attention.watch,
            "the thread behind it would run while it sleeps"
        );
        let mut until = until.as_ns().min(self.now.saturating_add(at_most.as_ns()));
        loop {
            if self.arrive() {
                let which = self.raised.expect("it has arrived").interrupt;
                if self.hears_all || attention.heard.contains(which) {
                    return Woken::InTime;
                }
                self.raised = None;
                self.unheard[which] += 1;
                // The routine of the core is no time of the lent thread.
                until = until.max(self.now);
                continue;
            }
            if until == self.now {
                return Woken::InTime;
            }
            assert!(until > self.now, "it sleeps");
            let woken = self.go_on_to_interrupt(until, attention);
            let is_next = self.interrupts.front().is_some_and(|one| one.0 <= self.now);
            if woken == Woken::ThreadLeft || self.now >= until || !is_next {
                return woken;
            }
        }
    }
}
