//! What the dispatcher of a processor shows to others: accounts, as numbers in shared memory.
//!
//! **Model.** The dispatcher writes all of it after each decision, without locks; others read it whenever they like.
//!
//! **Assumption.** Numbers that belong together may be read from two decisions that follow each other: nothing is
//! decided by them.

use crate::control::Course;
use crate::processor::{Account, Interrupt, Processor};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use vorrang_time::Duration;

/// The most lent threads, and the most interrupts of guests.
pub const MOST: usize = 64;

/// A server for each thread, and a pseudo-VCPU for each interrupt.
const MEMBERS: usize = 2 * MOST;

/// The numbers; zeros at first.
#[derive(Debug)]
#[repr(C)]
pub struct Board {
    /// The beginning, by the monotonic clock in nanoseconds.
    origin: AtomicU64,
    steps: AtomicU64,
    left: AtomicU64,
    changes: AtomicU64,
    latest: AtomicU64,
    deciding: AtomicU64,
    longest: AtomicU64,
    members: [Numbers; MEMBERS],
    interrupts: [Counts; MOST],
}

#[derive(Debug)]
#[repr(C)]
struct Numbers {
    loans: AtomicU64,
    charged: AtomicU64,
    overrun: AtomicU64,
    dropped: AtomicU64,
}

#[derive(Debug)]
#[repr(C)]
struct Counts {
    raised: AtomicU64,
    held_back: AtomicU64,
    too_soon: AtomicU64,
    asleep: AtomicU64,
}

/// What it says at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The beginning, by the monotonic clock in nanoseconds.
    pub origin: u64,
    /// The loop.
    pub course: Course,
    /// Servers, then pseudo-VCPUs, in the order of declaration.
    pub accounts: Vec<Account>,
    /// Raised, held back, sooner than described, and lent to while asleep, in the order of declaration.
    pub interrupts: Vec<[u64; 4]>,
}

impl Board {
    /// The schedule has begun.
    pub fn begin(&self, origin: u64) {
        self.origin.store(origin, Relaxed);
    }

    /// After a decision.
    pub fn write(&self, processor: &Processor, course: &Course) {
        let Course { steps, left, changes, latest, deciding, longest, gave_way: _ } = course;
        self.steps.store(*steps, Relaxed);
        self.left.store(*left, Relaxed);
        self.changes.store(*changes, Relaxed);
        self.latest.store(latest.as_ns(), Relaxed);
        self.deciding.store(deciding.as_ns(), Relaxed);
        self.longest.store(longest.as_ns(), Relaxed);
        for (numbers, account) in self.members.iter().zip(processor.accounts()) {
            let Account { loans, charged, overrun, dropped } = account;
            numbers.loans.store(loans, Relaxed);
            numbers.charged.store(charged.as_ns(), Relaxed);
            numbers.overrun.store(overrun.as_ns(), Relaxed);
            numbers.dropped.store(dropped.as_ns(), Relaxed);
        }
        for (counts, Interrupt { raised, held_back, too_soon, asleep, .. }) in
            self.interrupts.iter().zip(processor.interrupts())
        {
            counts.raised.store(*raised, Relaxed);
            counts.held_back.store(*held_back, Relaxed);
            counts.too_soon.store(*too_soon, Relaxed);
            counts.asleep.store(*asleep, Relaxed);
        }
    }

    /// Of so many members and interrupts.
    pub(super) fn read(&self, members: usize, interrupts: usize) -> Shown {
        let time = |number: &AtomicU64| Duration::from_ns(number.load(Relaxed));
        let account = |numbers: &Numbers| Account {
            loans: numbers.loans.load(Relaxed),
            charged: time(&numbers.charged),
            overrun: time(&numbers.overrun),
            dropped: time(&numbers.dropped),
        };
        let course = Course {
            steps: self.steps.load(Relaxed),
            left: self.left.load(Relaxed),
            changes: self.changes.load(Relaxed),
            latest: time(&self.latest),
            deciding: time(&self.deciding),
            longest: time(&self.longest),
            gave_way: None,
        };
        let counts = |Counts { raised, held_back, too_soon, asleep }: &Counts| {
            [raised, held_back, too_soon, asleep].map(|count| count.load(Relaxed))
        };
        Shown {
            origin: self.origin.load(Relaxed),
            course,
            accounts: self.members.iter().take(members).map(account).collect(),
            interrupts: self.interrupts.iter().take(interrupts).map(counts).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processor::Order;
    use crate::rule::WakeUps;
    use vorrang_mechanisms::server::{AnyServer, Polling};

    #[test]
    fn what_is_written_is_read() {
        let zeros = || AtomicU64::new(0);
        let numbers =
            || Numbers { loans: zeros(), charged: zeros(), overrun: zeros(), dropped: zeros() };
        let counts =
            || Counts { raised: zeros(), held_back: zeros(), too_soon: zeros(), asleep: zeros() };
        let board = Board {
            origin: zeros(),
            steps: zeros(),
            left: zeros(),
            changes: zeros(),
            latest: zeros(),
            deciding: zeros(),
            longest: zeros(),
            members: std::array::from_fn(|_| numbers()),
            interrupts: std::array::from_fn(|_| counts()),
        };
        let (budget, period) = (Duration::from_ms(2), Duration::from_ms(10));
        let server = AnyServer::Polling(Polling::new(budget, period, Duration::ZERO));
        let empty = Processor::new(Order::FixedPriority, Duration::from_ms(1), Duration::ZERO);
        let processor = empty.with(server, 1, WakeUps::AtReplenishment).with_interrupt(0);
        let course = Course {
            steps: 3,
            left: 1,
            changes: 2,
            latest: Duration::from_us(7),
            deciding: Duration::from_us(40),
            longest: Duration::from_us(20),
            gave_way: None,
        };
        board.begin(5);
        board.write(&processor, &course);
        let shown = board.read(1, 1);
        assert_eq!((shown.origin, shown.course), (5, course));
        assert_eq!(shown.accounts, processor.accounts().collect::<Vec<_>>());
        assert_eq!(shown.interrupts, [[0; 4]]);
    }
}
