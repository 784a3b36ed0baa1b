//! Peers that round expiries to milliseconds.

use crate::Side;
use crate::exact::count;
use hierarchical_hash_wheel_timer::wheels::Skip;
use hierarchical_hash_wheel_timer::wheels::cancellable::{
    CancellableTimerEntry, QuadWheelWithOverflow,
};
use std::future::Future;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;
use tokio_util::time::DelayQueue;
use tokio_util::time::delay_queue::Key;

const TICK_NS: u64 = 1_000_000;

/// In the wheel; the hash map behind it knows the timer by its number.
#[derive(Debug)]
struct Entry {
    timer: u32,
}

impl CancellableTimerEntry for Entry {
    type Id = u32;

    fn id(&self) -> &u32 {
        &self.timer
    }
}

pub(crate) struct HashWheel {
    wheel: QuadWheelWithOverflow<Entry>,
}

/// At least one tick from now, as the wheel wants it.
fn ticks(ns: u64) -> Duration {
    Duration::from_millis((ns / TICK_NS).max(1))
}

impl HashWheel {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        let mut this = Self { wheel: QuadWheelWithOverflow::new() };
        for (timer, at) in (0..count(expiries)).zip(expiries) {
            this.insert(Rc::new(Entry { timer }), *at);
        }
        this
    }

    fn insert(&mut self, entry: Rc<Entry>, delay: u64) {
        self.wheel.insert_ref_with_delay(entry, ticks(delay)).expect("in the future");
    }
}

impl Side for HashWheel {
    fn pop_and_rearm(&mut self, delays: &[u64]) -> u64 {
        let mut delays = delays.iter();
        while delays.len() > 0 {
            if let Skip::Millis(ticks) = self.wheel.can_skip() {
                self.wheel.skip(ticks);
            }
            for entry in self.wheel.tick() {
                // Those of the last tick beyond the pass come again a tick later.
                self.insert(entry, delays.next().copied().unwrap_or(TICK_NS));
            }
        }
        0
    }

    fn cancel_and_insert(&mut self, moves: &[(u32, u64)]) -> u64 {
        for &(timer, delay) in moves {
            self.wheel.cancel(&timer).expect("it is pending");
            self.insert(Rc::new(Entry { timer }), delay);
        }
        0
    }

    fn is_exact(&self) -> bool {
        false
    }
}

pub(crate) struct Tokio {
    runtime: Runtime,
    queue: DelayQueue<u32>,
    keys: Vec<Key>,
    start: Instant,
    /// How far the clock moves at once: far enough for some timers to expire, so that moving it
    /// costs little.
    step: Duration,
}

impl Tokio {
    pub(crate) fn new(expiries: &[u64]) -> Self {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.expect("a runtime without threads or files");
        let (mut queue, mut keys) = (DelayQueue::with_capacity(expiries.len()), Vec::new());
        let start = runtime.block_on(async {
            let start = Instant::now();
            for (timer, at) in (0..count(expiries)).zip(expiries) {
                keys.push(queue.insert_at(timer, start + Duration::from_nanos(*at)));
            }
            start
        });
        let step = Duration::from_millis((2_000 / u64::from(count(expiries))).max(1));
        Self { runtime, queue, keys, start, step }
    }
}

impl Side for Tokio {
    fn pop_and_rearm(&mut self, delays: &[u64]) -> u64 {
        let Self { runtime, queue, keys, step, .. } = self;
        let pass = async {
            let mut context = Context::from_waker(Waker::noop());
            let mut delays = delays.iter();
            while delays.len() > 0 {
                tokio::time::advance(*step).await;
                while let Poll::Ready(Some(expired)) = queue.poll_expired(&mut context) {
                    let Some(delay) = delays.next() else {
                        let timer = *expired.get_ref();
                        keys[timer as usize] = queue.insert(timer, *step);
                        break;
                    };
                    let at = expired.deadline() + Duration::from_nanos(*delay);
                    let timer = expired.into_inner();
                    keys[timer as usize] = queue.insert_at(timer, at);
                }
            }
        };
        run(runtime, pass);
        0
    }

    fn cancel_and_insert(&mut self, moves: &[(u32, u64)]) -> u64 {
        let Self { runtime, queue, keys, start, .. } = self;
        let pass = async {
            for &(timer, at) in moves {
                let key = &mut keys[timer as usize];
                queue.remove(key);
                *key = queue.insert_at(timer, *start + Duration::from_nanos(at));
            }
        };
        run(runtime, pass);
        0
    }

    fn is_exact(&self) -> bool {
        false
    }
}

/// Without the yields that tokio asks of tasks.
fn run(runtime: &Runtime, pass: impl Future<Output = ()>) {
    runtime.block_on(tokio::task::unconstrained(pass));
}
