//! A machine in memory: threads with jobs, a clock that goes from event to event, and nothing that
//! takes time by itself.

use std::collections::VecDeque;
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
    lent: Option<usize>,
    /// The one that is lent to before it.
    first: Option<usize>,
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
    fn go_on_to_interrupt(&mut self, until: u64, watch: bool) -> Woken {
        let until = until.min(self.interrupts.front().map_or(u64::MAX, |one| one.0));
        let late = self.late_beside.filter(|(thread, _)| self.lent == Some(*thread));
        let until = until + late.map_or(0, |(_, late)| late.as_ns());
        self.go_on(until, watch)
    }

    fn at(&self) -> Instant {
        Instant::from_ns(self.now)
    }

    fn has_work(&self, thread: usize) -> bool {
        let Thread { routines, jobs, .. } = &self.threads[thread];
        [routines, jobs].into_iter().any(|jobs| is_released(jobs, self.at()))
    }

    /// Lets the thread that is lent to run up to `until`, or until it has nothing to do and that is
    /// watched.
    fn go_on(&mut self, until: u64, watch: bool) -> Woken {
        let Some(place) = self.first.or(self.lent) else {
            self.now = until;
            return Woken::InTime;
        };
        loop {
            if self.has_work(place) {
                if self.now == until {
                    return Woken::InTime;
                }
                self.execute(place, until);
                continue;
            }
            if watch {
                return Woken::ThreadLeft;
            }
            let Thread { routines, jobs, .. } = &self.threads[place];
            let next = [routines, jobs].into_iter().filter_map(|jobs| jobs.front());
            let next = next.map(|job| job.release.as_ns()).min();
            self.now = next.unwrap_or(until).min(until);
            if self.now == until {
                return Woken::InTime;
            }
        }
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

    fn lend(&mut self, thread: usize) {
        assert!(self.lent.is_none() || self.ends_late.is_some(), "one loan at a time");
        self.changes.push((self.at(), Change::Begins(thread)));
        self.lent = Some(thread);
    }

    fn lend_first(&mut self, thread: usize) {
        assert!(
            self.first.is_none() && self.lent.is_some_and(|lent| lent != thread),
            "before another one"
        );
        self.changes.push((self.at(), Change::BeginsFirst(thread)));
        self.first = Some(thread);
    }

    fn take_back(&mut self, thread: usize) {
        self.ended += 1;
        self.changes.push((self.at(), Change::Ends(thread)));
        if self.ends_late.is_some_and(|every| self.ended.is_multiple_of(every)) {
            return;
        }
        if self.first == Some(thread) {
            self.first = None;
            return;
        }
        assert!(self.lent == Some(thread) || self.ends_late.is_some(), "only what is lent");
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
            let woken = self.go_on_to_interrupt(until, attention.watch);
            let is_next = self.interrupts.front().is_some_and(|one| one.0 <= self.now);
            if woken == Woken::ThreadLeft || self.now >= until || !is_next {
                return woken;
            }
        }
    }
}
