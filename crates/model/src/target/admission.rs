//! How much of a processor Linux reserves at most.
//!
//! **Model.** The kernel adds up runtime / period of everything under `SCHED_DEADLINE` in a root domain, each rounded
//! down to units of 2⁻²⁰ of a processor, and refuses (`EBUSY`) what makes the sum more than `sched_rt_runtime_us /
//! sched_rt_period_us` of its processors. `vorrang apply` makes a root domain of each processor.
//!
//! **Does not cover** processors of different capacity in one domain, which the kernel weighs.

use vorrang_time::Duration;

/// The part that is admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// In millionths of a processor.
    pub share_ppm: u32,
    /// Whether the server of `SCHED_OTHER` is in the sum.
    pub counts_fair_server: bool,
}

/// The part of a processor that a reservation takes, in units of 2⁻²⁰; `None`: it has no period.
pub fn bandwidth(budget: Duration, period: Duration) -> Option<u64> {
    let parts = (u128::from(budget.as_ns()) << 20).checked_div(u128::from(period.as_ns()))?;
    u64::try_from(parts).ok()
}

impl Admission {
    /// The same of what is admitted.
    pub fn limit(self) -> u64 {
        (u64::from(self.share_ppm) << 20) / 1_000_000
    }

    /// The sum of some reservations in these units, if it is more than is admitted.
    pub fn exceeded_by(
        self,
        reservations: impl IntoIterator<Item = (Duration, Duration)>,
    ) -> Option<u64> {
        let parts =
            reservations.into_iter().filter_map(|(budget, period)| bandwidth(budget, period));
        let sum = parts.fold(0, u64::saturating_add);
        (sum > self.limit()).then_some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_admitted() {
        let admission = Admission { share_ppm: 950_000, counts_fair_server: true };
        assert_eq!(admission.limit(), 996_147, "as kernels show it (.dl_bw->bw)");
        let us = Duration::from_us;
        let sum = |budgets: &[u64]| {
            admission.exceeded_by(budgets.iter().map(|budget| (us(*budget), us(10_000))))
        };
        assert_eq!(sum(&[9_000, 500]), None);
        assert_eq!(sum(&[9_000, 501]), Some(943_718 + 52_533));
        assert_eq!(bandwidth(us(1), Duration::ZERO), None);
    }
}
