//! How late servers beside others are, and how many budgets cover the jobs of the task of one.
//!
//! **Model.** The least lateness that shares of the core show; the least window that is longer than any of what comes
//! before servers; the fewest jobs that as many budgets as their time has cover again; and for each of these the fewest
//! budgets since the server started afresh.
//!
//! **Assumptions.** None: what it finds is checked.

use crate::windows::Search;
use vorrang_certificate::{
    Beside, Certificate, Member, Order, Supply, bursts, excesses, needs, shares,
};

impl Search {
    /// The least bound that this theorem shows of a task, of which all is said but the windows.
    pub(crate) fn beside(&mut self, of: Certificate) -> Option<Certificate> {
        let Order::Beside(mut beside) = of.order.clone() else { return None };
        let first = [&beside.routines[..], &of.urgent].concat();
        beside.late = late(&beside, &first)?;
        if beside.late.checked_add(beside.exceeded)? > beside.every {
            // The theorem supposes that no runtime ends behind the next deadline.
            return None;
        }
        let strictly = beside.goes_on_for.checked_add(1);
        (beside.apart, _) =
            self.fixed_point(&Supply::Core, &first, 1, |_| strictly, beside.every)?;
        let jobs = self.repeating(&of, &mut beside)?;
        let mut bound = 0_u128;
        let mut budgets = 1;
        for place in 0..jobs {
            budgets = self.budgets(&of, &beside, place, budgets)?;
            beside.budgets.push(budgets);
            let done = u128::from(budgets) * u128::from(beside.every)
                + u128::from(beside.late)
                + u128::from(of.jitter);
            bound = bound.max(done.saturating_sub(u128::from(place) * u128::from(of.period)));
        }
        let bound = u64::try_from(bound).ok()?;
        Some(Certificate { order: Order::Beside(beside), bound, ..of })
    }

    /// How many jobs the budgets of their time cover, for which it keeps `again`.
    fn repeating(&mut self, of: &Certificate, beside: &mut Beside) -> Option<u64> {
        let most = MOST.max(2 * beside.every.div_ceil(of.period.max(1)));
        for jobs in 1..=most {
            self.step(beside.routines.len())?;
            let again = jobs.checked_mul(of.period)? / beside.every;
            let taken = needs(&beside.routines, again.checked_mul(beside.every)?)?;
            let all = u128::from(jobs) * u128::from(of.cost) + taken;
            if all <= u128::from(again) * u128::from(beside.runtime) {
                beside.again = again;
                return Some(jobs);
            }
        }
        None
    }

    /// The fewest budgets, from `least` on, that cover the job at a place and those before it.
    fn budgets(
        &mut self,
        of: &Certificate,
        beside: &Beside,
        place: u64,
        least: u64,
    ) -> Option<u64> {
        let own = u128::from(place + 1) * u128::from(of.cost);
        let after = beside.late.checked_add(beside.exceeded)?.checked_add(beside.apart)?;
        let mut budgets = least;
        loop {
            self.step(beside.routines.len())?;
            let time = budgets.checked_mul(beside.every)?.checked_add(after)?;
            let all = own.checked_add(needs(&beside.routines, time)?)?;
            if all <= u128::from(budgets) * u128::from(beside.runtime) {
                return Some(budgets);
            }
            budgets += 1;
        }
    }
}

/// So many jobs are tried at least.
const MOST: u64 = 64;

/// The least lateness of servers: what comes at once, over the share that servers and what comes before them leave.
fn late(of: &Beside, first: &[Member]) -> Option<u64> {
    let own = Member::Runtime { budget: of.runtime, period: of.every, exceeded: of.exceeded };
    let all = [&[own][..], &of.others].concat();
    let share = shares(of.unit, first)?;
    let left = u128::from(of.unit).checked_sub(share)?;
    let once = excesses(&all).checked_add(of.goes_on_for.into())?.checked_mul(of.unit.into())?;
    let at_once = once.checked_add(bursts(of.unit, first, 1)?)?;
    if left == 0 || shares(of.unit, &all)? > left {
        return None;
    }
    u64::try_from(at_once.div_ceil(left)).ok()
}
