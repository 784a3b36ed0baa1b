//! Our queues, and peers of the standard library that keep the order of expiry.

use crate::Side;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use vorrang_time::Instant;
use vorrang_timer::{HrTimer, TimerQueue, TimerShield, Urgency};

/// A queue from which timers come in the order of expiry.
pub(crate) trait Exact {
    fn arm(&mut self, timer: u32, at: u64);
    fn cancel(&mut self, timer: u32);
    fn pop(&mut self) -> (u64, u32);
    fn first(&mut self) -> u64;
}

impl<Q: Exact> Side for Q {
    fn pop_and_rearm(&mut self, delays: &[u64]) -> u64 {
        delays.iter().fold(0, |sum: u64, delay| {
            let (at, timer) = self.pop();
            self.arm(timer, at + delay);
            sum.wrapping_add(at)
        })
    }

    fn cancel_and_insert(&mut self, moves: &[(u32, u64)]) -> u64 {
        for &(timer, at) in moves {
            self.cancel(timer);
            self.arm(timer, at);
        }
        self.first()
    }
}

/// Arms all timers.
pub(crate) fn armed<Q: Exact>(mut queue: Q, expiries: &[u64]) -> Q {
    (0..).zip(expiries).for_each(|(timer, at)| queue.arm(timer, *at));
    queue
}

/// How many there are.
pub(crate) fn count<T>(of: &[T]) -> u32 {
    u32::try_from(of.len()).expect("few")
}

/// Takes out the first of all.
fn pop<Q: TimerQueue>(queue: &mut Q) -> (u64, u32) {
    let at = queue.next_event(Urgency::LEAST).expect("some are pending");
    (at.as_ns(), queue.expire(at, Urgency::LEAST).expect("one expires then"))
}

fn first<Q: TimerQueue>(queue: &Q) -> u64 {
    queue.next_event(Urgency::LEAST).expect("some are pending").as_ns()
}

pub(crate) struct Hr(HrTimer);

impl Hr {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        armed(Self(HrTimer::with_capacity(count(expiries))), expiries)
    }
}

impl Exact for Hr {
    fn arm(&mut self, timer: u32, at: u64) {
        self.0.arm(timer, Instant::from_ns(at), Urgency::MOST);
    }

    fn cancel(&mut self, timer: u32) {
        self.0.cancel(timer);
    }

    fn pop(&mut self) -> (u64, u32) {
        pop(&mut self.0)
    }

    fn first(&mut self) -> u64 {
        first(&self.0)
    }
}

/// Levels of urgency, as many as Linux has.
const LEVELS: u32 = 140;

/// Every timer keeps its urgency.
pub(crate) struct Shield(TimerShield);

impl Shield {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        armed(Self(TimerShield::with_levels(count(expiries), LEVELS)), expiries)
    }
}

/// Scatters numbers.
fn scatter(number: u32) -> u32 {
    number.wrapping_mul(0x9e37_79b9) >> 8
}

impl Exact for Shield {
    fn arm(&mut self, timer: u32, at: u64) {
        let urgency = Urgency::of_priority(scatter(timer) % LEVELS);
        self.0.arm(timer, Instant::from_ns(at), urgency);
    }

    fn cancel(&mut self, timer: u32) {
        self.0.cancel(timer);
    }

    fn pop(&mut self) -> (u64, u32) {
        pop(&mut self.0)
    }

    fn first(&mut self) -> u64 {
        first(&self.0)
    }
}

/// Every time a timer is armed, it has another urgency.
pub(crate) struct Rekeyed {
    queue: TimerShield,
    armed: u32,
}

impl Rekeyed {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        let queue = TimerShield::with_levels(count(expiries), LEVELS);
        armed(Self { queue, armed: 0 }, expiries)
    }
}

impl Exact for Rekeyed {
    fn arm(&mut self, timer: u32, at: u64) {
        self.armed = self.armed.wrapping_add(1);
        let urgency = Urgency::of_priority(scatter(self.armed) % LEVELS);
        self.queue.arm(timer, Instant::from_ns(at), urgency);
    }

    fn cancel(&mut self, timer: u32) {
        self.queue.cancel(timer);
    }

    fn pop(&mut self) -> (u64, u32) {
        pop(&mut self.queue)
    }

    fn first(&mut self) -> u64 {
        first(&self.queue)
    }
}

pub(crate) struct Btree {
    entries: BTreeSet<(u64, u32)>,
    expiries: Vec<u64>,
}

impl Btree {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        armed(Self { entries: BTreeSet::new(), expiries: expiries.to_vec() }, expiries)
    }
}

impl Exact for Btree {
    fn arm(&mut self, timer: u32, at: u64) {
        self.expiries[timer as usize] = at;
        self.entries.insert((at, timer));
    }

    fn cancel(&mut self, timer: u32) {
        self.entries.remove(&(self.expiries[timer as usize], timer));
    }

    fn pop(&mut self) -> (u64, u32) {
        self.entries.pop_first().expect("some are pending")
    }

    fn first(&mut self) -> u64 {
        self.entries.first().expect("some are pending").0
    }
}

/// An entry is stale unless its generation is the timer's.
pub(crate) struct Heap {
    entries: BinaryHeap<Reverse<(u64, u32, u32)>>,
    generations: Vec<u32>,
    stale: usize,
}

impl Heap {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        let entries = BinaryHeap::with_capacity(2 * expiries.len() + 1);
        armed(Self { entries, generations: vec![0; expiries.len()], stale: 0 }, expiries)
    }

    /// Drops what is stale at the top.
    fn settle(&mut self) {
        while let Some(Reverse((_, timer, generation))) = self.entries.peek() {
            if self.generations[*timer as usize] == *generation {
                return;
            }
            self.entries.pop();
            self.stale -= 1;
        }
    }
}

impl Exact for Heap {
    fn arm(&mut self, timer: u32, at: u64) {
        self.entries.push(Reverse((at, timer, self.generations[timer as usize])));
    }

    fn cancel(&mut self, timer: u32) {
        self.generations[timer as usize] += 1;
        self.stale += 1;
        if self.stale > self.entries.len() / 2 {
            let generations = &self.generations;
            self.entries.retain(|Reverse((_, timer, generation))| {
                generations[*timer as usize] == *generation
            });
            self.stale = 0;
        }
    }

    fn pop(&mut self) -> (u64, u32) {
        self.settle();
        let Reverse((at, timer, _)) = self.entries.pop().expect("some are pending");
        self.generations[timer as usize] += 1;
        (at, timer)
    }

    fn first(&mut self) -> u64 {
        self.settle();
        self.entries.peek().expect("some are pending").0.0
    }
}
