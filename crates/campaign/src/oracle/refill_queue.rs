//! A sporadic scheduling context of seL4: a short queue of refills.

use std::collections::VecDeque;

/// The state of one such server.
#[derive(Clone, Debug)]
pub(super) struct RefillQueue {
    period: u64,
    refills: VecDeque<Refill>,
    most: usize,
    /// A first refill with less than that waits for the next.
    least: u64,
    /// The time of the first has come.
    usable: bool,
    /// Ticks of the first that it had since it began to run.
    ran: u64,
    /// It had the tick before this instant.
    had: bool,
    /// It has the tick after it.
    has: bool,
}

#[derive(Clone, Copy, Debug)]
struct Refill {
    at: u64,
    amount: u64,
}

impl RefillQueue {
    pub(super) fn new(full: u64, period: u64, most: u32, least: u64) -> Self {
        Self {
            period,
            refills: VecDeque::from([Refill { at: 0, amount: full }]),
            most: most as usize,
            least,
            usable: true,
            ran: 0,
            had: false,
            has: false,
        }
    }

    pub(super) fn has_budget(&self) -> bool {
        self.usable
    }

    fn first(&self) -> Refill {
        *self.refills.front().expect("the amounts sum to a full budget")
    }

    /// The budget is the whole period.
    fn is_slice(&self) -> bool {
        self.first().amount == self.period
    }

    /// One tick.
    pub(super) fn pay(&mut self) {
        self.ran += 1;
        self.has = true;
    }

    /// The consumed time goes to the end; an exhausted first refill is removed before that. Whether the next one had too
    /// little.
    fn charge(&mut self) -> bool {
        let Refill { at, amount } = self.first();
        let ran = std::mem::take(&mut self.ran);
        if ran == amount {
            self.refills.pop_front();
        } else {
            self.refills[0] = Refill { at: at + ran, amount: amount - ran };
        }
        let returns = at + self.period;
        let is_full = self.refills.len() >= self.most;
        let last = self.refills.back().copied().filter(|last| {
            let reaches = last.at + last.amount >= returns;
            reaches || is_full
        });
        if let Some(mut last) = last {
            last.at = last.at.max(returns.saturating_sub(last.amount));
            last.amount += ran;
            *self.refills.back_mut().expect("it is the last") = last;
        } else {
            self.refills.push_back(Refill { at: returns, amount: ran });
        }
        self.wait_with_little()
    }

    /// Too little is there at the end of the next refill's wait only: up to where that begins.
    fn wait_with_little(&mut self) -> bool {
        let mut ended = false;
        while let (Refill { amount, .. }, Some(next)) = (self.first(), self.refills.get(1).copied())
        {
            if amount >= self.least {
                break;
            }
            ended = true;
            self.refills.pop_front();
            self.refills[0] = Refill { at: next.at - amount, amount: next.amount + amount };
        }
        ended
    }

    /// Step 2. Whether it loses its place: its budget is gone now, or its next refill begins.
    pub(super) fn exhaust(&mut self, now: u64) -> bool {
        self.had = std::mem::take(&mut self.has);
        let is_over = self.ran > 0 && self.ran == self.first().amount;
        if is_over && self.is_slice() {
            self.ran = 0;
        } else if is_over {
            self.charge();
        }
        let is_gone = self.is_gone(now);
        is_over || is_gone
    }

    /// After the decision, which was for something else: the kernel is entered. Whether it loses its place
    /// with that.
    pub(super) fn stop(&mut self, now: u64) -> bool {
        if !std::mem::take(&mut self.had) || self.ran == 0 {
            return false;
        }
        if self.is_slice() {
            let is_over = self.first().amount - self.ran < self.least;
            self.ran *= u64::from(!is_over);
            return is_over;
        }
        let ended = self.charge();
        let is_gone = self.is_gone(now);
        ended || is_gone
    }

    fn is_gone(&mut self, now: u64) -> bool {
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
        if self.is_slice() {
            return;
        }
        // It may have run up to this very instant.
        if self.ran > 0 {
            self.charge();
        }
        self.usable &= self.first().at <= now;
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
