//! What is requested at the interrupt level of a supply: of a core, or of a guest.
//!
//! ```text
//!   first | second | third …      the first has the supply whenever the supply has time
//!     ^ begun: the others wait behind it, or were interrupted by it
//! ```
//!
//! **Model.** One queue, three orders ([`InterruptOrder`]): they differ only in what a request
//! may overtake when it comes. First come: nothing. By priority: what is less urgent and has not
//! begun. Nested: whatever is less urgent.
//!
//! **Cost.** A request moves past those it overtakes; nothing else depends on how many there are,
//! except looking for one that waits.

use crate::observer::Job;
use std::collections::VecDeque;
use vorrang_model::system::InterruptOrder;
use vorrang_time::Duration;

/// The interrupt level of one supply.
#[derive(Clone, Debug)]
pub(crate) struct Routines {
    order: InterruptOrder,
    queue: VecDeque<Request>,
}

/// What is requested, and how much of it is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) work: Work,
    pub(crate) remaining: Duration,
    priority: u32,
    begun: bool,
}

/// What runs at interrupt level.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// A service routine.
    Routine {
        /// Place of the interrupt on its core.
        interrupt: usize,
        /// What it serves.
        job: Job,
        /// Whether a virtual processor had the core when it was requested.
        left_guest: bool,
    },
}

impl Routines {
    /// Nothing is requested.
    pub(crate) fn new(order: InterruptOrder) -> Self {
        Self { order, queue: VecDeque::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.queue.clear();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// What has the supply when the supply has time.
    #[inline]
    pub(crate) fn first(&self) -> Option<&Request> {
        self.queue.front()
    }

    /// The first one has the supply now, and so has begun.
    #[inline]
    pub(crate) fn begin(&mut self) {
        if let Some(first) = self.queue.front_mut() {
            first.begun = true;
        }
    }

    /// Something is requested.
    pub(crate) fn request(&mut self, work: Work, priority: u32, remaining: Duration) {
        let overtakes = |other: &Request| match self.order {
            InterruptOrder::FirstCome => false,
            InterruptOrder::Priority => other.priority < priority && !other.begun,
            InterruptOrder::Nested => other.priority < priority,
        };
        let behind = self.queue.iter().rposition(|other| !overtakes(other));
        let place = behind.map_or(0, |place| place + 1);
        self.queue.insert(place, Request { work, remaining, priority, begun: false });
    }

    /// Whether a routine of this interrupt is requested and has not begun.
    pub(crate) fn has_waiting(&self, of: usize) -> bool {
        self.queue.iter().rev().any(|request| {
            let Work::Routine { interrupt, .. } = request.work;
            interrupt == of && !request.begun
        })
    }

    /// The first one progressed by so much; it is taken out if nothing is left of it.
    #[inline]
    pub(crate) fn progress(&mut self, amount: Duration) -> Option<Work> {
        let first = self.queue.front_mut().expect("the one that runs");
        first.remaining -= amount;
        if first.remaining.is_zero() { self.queue.pop_front().map(|done| done.work) } else { None }
    }
}
