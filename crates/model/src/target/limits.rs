//! The budgets and periods that a scheduler takes.

use vorrang_time::Duration;

/// What it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Budgets are no smaller.
    pub least_budget: Duration,
    /// Periods are no shorter.
    pub shortest_period: Duration,
    /// And no longer.
    pub longest_period: Duration,
    /// Both are multiples of this.
    pub unit: Duration,
}

/// Why a reservation is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its budget is too small.
    Budget,
    /// Its period is too short.
    Short,
    /// Its period is too long.
    Long,
    /// Its budget is no multiple of the unit.
    BudgetUnit,
    /// Its period is none.
    PeriodUnit,
}

impl Limits {
    /// Everything that is wrong with a reservation.
    pub fn faults(&self, budget: Duration, period: Duration) -> Vec<Fault> {
        let is_whole = |time: Duration| time.as_ns().is_multiple_of(self.unit.as_ns());
        let all = [
            (budget < self.least_budget, Fault::Budget),
            (!is_whole(budget), Fault::BudgetUnit),
            (period < self.shortest_period, Fault::Short),
            (period > self.longest_period, Fault::Long),
            (!is_whole(period), Fault::PeriodUnit),
        ];
        all.into_iter().filter_map(|(is_so, fault)| is_so.then_some(fault)).collect()
    }

    /// The rule that a reservation breaks, as a clause.
    pub fn rule(&self, fault: Fault) -> String {
        match fault {
            Fault::Budget => format!("takes no budget below {}", self.least_budget),
            Fault::Short => format!("takes no period below {}", self.shortest_period),
            Fault::Long => format!("takes no period above {}", self.longest_period),
            Fault::BudgetUnit | Fault::PeriodUnit => format!("counts in units of {}", self.unit),
        }
    }

    /// Whether a period is among those that it takes.
    pub fn takes_period(&self, period: Duration) -> bool {
        let faults = self.faults(self.least_budget, period);
        faults.iter().all(|fault| matches!(fault, Fault::Budget | Fault::BudgetUnit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_the_last_value_that_is_taken() {
        let us = Duration::from_us;
        let limits = Limits {
            least_budget: us(10),
            shortest_period: us(100),
            longest_period: us(900),
            unit: us(2),
        };
        assert_eq!(limits.faults(us(10), us(100)), []);
        assert_eq!(limits.faults(us(8), us(900)), [Fault::Budget]);
        assert_eq!(limits.faults(us(10), us(98)), [Fault::Short]);
        assert_eq!(limits.faults(us(11), us(902)), [Fault::BudgetUnit, Fault::Long]);
        assert_eq!(limits.faults(us(10), us(101)), [Fault::PeriodUnit]);
        assert!(
            limits.takes_period(us(100))
                && !limits.takes_period(us(98))
                && !limits.takes_period(us(101))
        );
    }
}
