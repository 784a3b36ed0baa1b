//! Throttling of the real-time classes of Linux.
//!
//! **Model.** "Throttling" in `docs/model.md`: a count of the time that members of the core have it, less a budget
//! at each expiry of a timer. From the instant on at which it reaches the limit, members without a reservation of
//! `SCHED_DEADLINE` wait, until an expiry leaves less than the budget.
//!
//! ```text
//!   limit ─ ─ ─ ─ ─ ─ ─╱‾‾‾‾‾╲ ─ ─ ─ ─
//!                    ╱        │    ╱          count
//!                  ╱          │  ╱
//!         ───────╱   throttled│╱
//!                             ^ timer: less a budget
//! ```

use vorrang_time::{Duration, Instant};

/// The count of one core.
#[derive(Clone, Debug)]
pub struct Throttling {
    budget: Duration,
    period: Duration,
    /// The count from which on members wait: the budget, and by how much throttling begins late.
    limit: Duration,
    counted: Duration,
    due: Instant,
    is_on: bool,
}

impl Throttling {
    /// With nothing counted, and the first expiry at once.
    ///
    /// # Panics
    /// If the budget is none, or no less than the period.
    pub fn new(budget: Duration, period: Duration) -> Self {
        assert!(!budget.is_zero() && budget < period, "a part of every period");
        let (limit, counted, due) = (budget, Duration::ZERO, Instant::ZERO);
        Self { budget, period, limit, counted, due, is_on: false }
    }

    /// Resets it to the start: the timer expires at `first` and every period from it; throttling begins `late`.
    pub fn reset(&mut self, first: Instant, late: Duration) {
        self.limit = self.budget + late;
        (self.counted, self.due, self.is_on) = (Duration::ZERO, first, false);
        self.check();
    }

    /// Whether members without a reservation wait.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// For how long such a member may run.
    #[inline]
    pub fn left(&self) -> Duration {
        self.limit.saturating_sub(self.counted)
    }

    /// The next expiry of the timer.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Members had the core for so long; returns whether they wait from now on and did not before.
    pub fn count(&mut self, amount: Duration) -> bool {
        self.counted += amount;
        let begins = !self.is_on && self.counted >= self.limit;
        self.is_on |= begins;
        self.check();
        begins
    }

    /// The timer has expired; returns whether members wait no longer.
    pub fn expire(&mut self) -> bool {
        self.counted = self.counted.saturating_sub(self.budget);
        self.due += self.period;
        let ends = self.is_on && self.counted < self.budget;
        self.is_on &= !ends;
        // Where much was counted beside it, it begins at once again.
        self.check();
        ends
    }

    fn check(&self) {
        debug_assert!(self.budget <= self.limit);
        debug_assert!(self.is_on || self.counted < self.limit, "it begins at the limit");
        debug_assert!(!self.is_on || self.counted >= self.budget, "it ends below the budget");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    fn linux(late: Duration) -> Throttling {
        let mut own = Throttling::new(MS(950), MS(1000));
        own.reset(Instant::ZERO + MS(1000), late);
        own
    }

    #[test]
    fn members_wait_from_the_limit_to_the_timer() {
        let mut own = linux(Duration::ZERO);
        assert!(!own.count(MS(949)) && own.left() == MS(1));
        assert!(own.count(MS(1)) && own.is_on());
        assert!(own.expire() && !own.is_on() && own.left() == MS(950));
        assert_eq!(own.due(), Instant::ZERO + MS(2000));
    }

    #[test]
    fn what_was_too_much_counts_in_the_next_period() {
        let mut own = linux(MS(4));
        assert!(!own.count(MS(950)));
        assert!(own.count(MS(4)));
        // Reservations go on, and count.
        assert!(!own.count(MS(20)));
        assert!(own.expire());
        assert_eq!(own.left(), MS(950 + 4 - 24));
    }

    #[test]
    fn a_whole_budget_too_much_costs_a_period() {
        let mut own = linux(Duration::ZERO);
        assert!(own.count(MS(950)) && !own.count(MS(950)));
        assert!(!own.expire() && own.is_on());
        assert!(own.expire() && own.left() == MS(950));
    }
}
