//! The requests at the interrupt level of a supply: of a core, or of a guest.
//!
//! ```text
//!   first | second | third …      the first has the supply whenever the supply has time
//!     ^ begun: the others wait behind it, or were interrupted by it
//! ```
//!
//! **Model.** One queue, three orders ([`InterruptOrder`]): they differ only in which requests a new one may
//! overtake. First come: none. By priority: less urgent ones that have not begun. Nested: all less urgent
//! ones.
//!
//! **Cost.** Logarithmic in the number of requests, plus one move for each request that is overtaken.

use crate::job::Job;
use std::collections::VecDeque;
use vorrang_model::system::InterruptOrder;
use vorrang_time::Duration;

/// The interrupt level of one supply.
#[derive(Clone, Debug)]
pub(crate) struct Routines {
    order: InterruptOrder,
    queue: VecDeque<Request>,
    /// By interrupt: how many of its routines have not begun.
    waiting: Vec<usize>,
}

/// The requests with their remaining times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) work: Work,
    pub(crate) remaining: Duration,
    rank: u64,
    begun: bool,
}

/// What runs at interrupt level.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// A service routine.
    Routine {
        /// Place of the interrupt on its core.
        interrupt: usize,
        /// The request that it serves.
        job: Job,
        /// Whether a virtual processor had the core when it was requested.
        left_guest: bool,
    },
    /// The timer interrupt by which a budget returns or ends.
    Budget {
        /// Whether a virtual processor had the core when it was requested.
        left_guest: bool,
    },
    /// A step of the timer interrupt.
    Timers {
        /// Whether a virtual processor had the core when it was requested.
        left_guest: bool,
    },
}

/// The rank of the timer interrupt, above all priorities.
const TIMERS: u64 = u64::MAX;

impl Routines {
    /// Nothing is requested.
    pub(crate) fn new(order: InterruptOrder) -> Self {
        Self { order, queue: VecDeque::new(), waiting: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.queue.clear();
        self.waiting.clear();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The request that executes when the supply provides time.
    #[inline]
    pub(crate) fn first(&self) -> Option<&Request> {
        self.queue.front()
    }

    /// The first one has the supply now, and so has begun.
    #[inline]
    pub(crate) fn begin(&mut self) {
        if let Some(first) = self.queue.front_mut().filter(|first| !first.begun) {
            first.begun = true;
            if let Work::Routine { interrupt, .. } = first.work {
                self.waiting[interrupt] -= 1;
            }
        }
    }

    /// A service routine is requested.
    pub(crate) fn request(&mut self, work: Work, priority: u32, remaining: Duration) {
        self.request_ranked(work, u64::from(priority), remaining);
    }

    /// A timer interrupt is requested: the most urgent of all.
    pub(crate) fn request_timers(&mut self, work: Work, remaining: Duration) {
        self.request_ranked(work, TIMERS, remaining);
    }

    fn request_ranked(&mut self, work: Work, rank: u64, remaining: Duration) {
        let overtakes = |other: &Request| match self.order {
            InterruptOrder::FirstCome => false,
            InterruptOrder::Priority => other.rank < rank && !other.begun,
            InterruptOrder::Nested => other.rank < rank,
        };
        // The requests that it overtakes are contiguous at the back.
        let place = self.queue.partition_point(|other| !overtakes(other));
        if let Work::Routine { interrupt, .. } = work {
            self.waiting.resize(self.waiting.len().max(interrupt + 1), 0);
            self.waiting[interrupt] += 1;
        }
        self.queue.insert(place, Request { work, remaining, rank, begun: false });
    }

    /// The first one is over and continues with another step.
    pub(crate) fn go_on(&mut self, work: Work, remaining: Duration) {
        self.queue.push_front(Request { work, remaining, rank: TIMERS, begun: true });
    }

    /// Whether a routine of this interrupt is requested and has not begun.
    pub(crate) fn has_waiting(&self, of: usize) -> bool {
        self.waiting.get(of).is_some_and(|waiting| *waiting > 0)
    }

    /// The first one progresses by this much; it is removed if no work remains.
    #[inline]
    pub(crate) fn progress(&mut self, amount: Duration) -> Option<Work> {
        let first = self.queue.front_mut().expect("the one that runs");
        first.remaining -= amount;
        if first.remaining.is_zero() { self.queue.pop_front().map(|done| done.work) } else { None }
    }
}

impl Request {
    /// Whether it is a routine of that interrupt.
    pub(crate) fn is_of(&self, of: usize) -> bool {
        matches!(self.work, Work::Routine { interrupt, .. } if interrupt == of)
    }
}
