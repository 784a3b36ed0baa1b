//! The first of some loads in fewer terms: those that come equally often are one.
//!
//! **Model.** Where two loads have the same arrivals, `n(x) C + n(x) C' = n(x) (C + C')` in every window, so a busy window
//! of many tasks with few periods is found by as many terms as there are periods. A server that does not use its budgets, or
//! keeps a part of one, stays a term of its own.
//!
//! **Assumptions.** None: the demand is the same.
//!
//! Theory: docs/theory/loads.md.

use super::{Load, Loads};

/// What the first of some loads take together.
#[derive(Debug, Default)]
pub(crate) struct Sum<'a> {
    /// How many they are.
    of: usize,
    /// With the source of the first of each.
    terms: Vec<Load<'a>>,
}

impl<'a> Sum<'a> {
    /// Those up to `until`, some of which it may hold already.
    pub(crate) fn extend(&mut self, loads: &[Load<'a>], until: usize) {
        for load in &loads[self.of..until] {
            self.add(load);
        }
        self.of = until;
    }

    /// The same loads, summed up by fewer terms; the one that is left out is none of those that the sum holds.
    pub(crate) fn within<'b>(&'b self, loads: Loads<'b>) -> Loads<'b> {
        loads.summed(self.of, &self.terms)
    }

    fn add(&mut self, load: &Load<'a>) {
        let is_plain = |of: &Load<'_>| of.kept_until.is_none() && of.used_by.is_none();
        let alike = |term: &&mut Load<'a>| is_plain(term) && term.arrivals == load.arrivals;
        if is_plain(load)
            && let Some(term) = self.terms.iter_mut().find(alike)
            && let Some(cost) = term.cost.checked_add(load.cost)
        {
            term.cost = cost;
        } else {
            self.terms.push(*load);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Source;
    use proptest::prelude::*;
    use vorrang_model::system::TaskId;
    use vorrang_time::Duration;

    fn load(id: usize, cost: u64, period: u64, jitter: u64) -> Load<'static> {
        let ns = Duration::from_ns;
        Load::new(Source::Task(TaskId(id)), ns(cost), ns(period), ns(jitter))
    }

    proptest! {
        #[test]
        fn a_sum_takes_what_its_loads_take(
            drawn in prop::collection::vec((1_u64..100, 1_u64..4, 0_u64..2, any::<bool>()), 1..20),
            windows in prop::collection::vec(0_u64..1_000, 1..20),
            of in 0_usize..20,
        ) {
            let inside = [load(99, 1, 7, 0)];
            let loads: Vec<_> = drawn
                .iter()
                .enumerate()
                .map(|(id, &(cost, period, jitter, is_used))| Load {
                    used_by: is_used.then_some(&inside[..]),
                    ..load(id, cost, 10 * period, jitter)
                })
                .collect();
            let of = of.min(loads.len() - 1);
            let mut sum = Sum::default();
            sum.extend(&loads, of / 2);
            sum.extend(&loads, of);
            for except in of..loads.len() {
                let others = Loads::without(&loads, except).after(&inside);
                for &window in &windows {
                    let window = Duration::from_ns(window);
                    prop_assert_eq!(sum.within(others).in_window(window), others.in_window(window));
                }
                prop_assert_eq!(sum.within(others).iter().count(), others.iter().count());
            }
            let plain = drawn.iter().take(of).filter(|drawn| !drawn.3).count();
            prop_assert!(sum.terms.len() <= 6 + of - plain, "three periods with two jitters");
        }
    }
}
