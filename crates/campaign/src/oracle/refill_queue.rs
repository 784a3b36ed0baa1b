//! The corrected sporadic server: a short queue of refills.

use std::collections::VecDeque;

/// Refills that the queue holds.
const MOST_REFILLS: usize = 8;

/// The state of one such server.
#[derive(Clone, Debug)]
pub(super) struct RefillQueue {
    period: u64,
    refills: VecDeque<Refill>,
    /// The time of the first has come.
    usable: bool,
}

#[derive(Clone, Copy, Debug)]
struct Refill {
    at: u64,
    amount: u64,
}

impl RefillQueue {
    pub(super) fn new(full: u64, period: u64) -> Self {
        Self { period, refills: VecDeque::from([Refill { at: 0, amount: full }]), usable: true }
    }

    pub(super) fn has_budget(&self) -> bool {
        self.usable
    }

    fn first(&self) -> Refill {
        *self.refills.front().expect("the amounts sum to a full budget")
    }

    /// One tick.
    pub(super) fn pay(&mut self) {
        let was_full = self.refills.len() == MOST_REFILLS;
        let Refill { at, amount } = self.first();
        self.refills.pop_front();
        if amount > 1 {
            self.refills.push_front(Refill { at: at + 1, amount: amount - 1 });
        }
        let back = at + self.period;
        match self.refills.back_mut() {
            Some(last) if last.at + last.amount >= back => last.amount += 1,
            Some(last) if was_full => {
                *last = Refill { at: back - last.amount, amount: last.amount + 1 };
            }
            _ => self.refills.push_back(Refill { at: back, amount: 1 }),
        }
    }

    /// Step 2. Whether its budget is gone now.
    pub(super) fn exhaust(&mut self, now: u64) -> bool {
        let was_usable = self.usable;
        self.usable = was_usable && self.first().at <= now;
        was_usable && !self.usable
    }

    /// Step 3. Whether the time of the first has come.
    pub(super) fn replenish(&mut self, now: u64) -> bool {
        let was_usable = self.usable;
        self.usable = self.first().at <= now;
        self.usable && !was_usable
    }

    /// Its guest gets work: the first refill begins now, with those that it reaches to.
    pub(super) fn wake(&mut self, now: u64) {
        if !self.usable {
            return;
        }
        let mut first = Refill { at: now, ..self.first() };
        self.refills.pop_front();
        while let Some(next) = self.refills.front().copied() {
            if next.at > first.at + first.amount {
                break;
            }
            first.amount += next.amount;
            self.refills.pop_front();
        }
        self.refills.push_front(first);
    }
}
