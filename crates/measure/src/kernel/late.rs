//! The overrun of runtimes of `SCHED_DEADLINE`, from the kernel's charges.
//!
//! **Model.** A thread always has more work than its runtime Q. It is charged until the kernel throttles it,
//! by x too late; at its deadline Q is added as often as needed for a positive runtime, and its deadline is
//! postponed by as many periods (`replenish_dl_entity` of Linux):
//!
//! ```text
//!   left   Q ┐               x < Q: one period, with Q − x; else more of them
//!          0 ┴──╲───────┬──
//!         −x     ╲      ┘
//! ```
//!
//! **Assumptions.** 1. The charge determines the remaining runtime. A kernel that scales it by the frequency
//! or the capacity of
//! the processor is noticed by periods that do not follow from it, and there is no number. 2. A turn that ended
//! before its runtime did goes on in the next one: something else had the processor.

/// A stretch of time in which the thread had the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// When it began.
    pub begin_ns: u64,
    /// The time charged to the thread from there to the next beginning.
    pub charged_ns: u64,
}

/// Charged time is looked at a little after a turn begins: by so much a runtime may seem to end early.
const LOOKED_LATE_NS: u64 = 50_000;

/// So many turns in a hundred may begin at another time: the kernel begins anew when it is late itself.
const OTHERS: usize = 10;

/// By how much each runtime ended late; the first turn begins with all of it. `None` where the charge does
/// not determine the remaining runtime.
pub fn late(turns: &[Turn], runtime_ns: u64, period_ns: u64) -> Option<Vec<u64>> {
    let mut late = Vec::new();
    let (mut left, mut periods, mut others) = (runtime_ns, 1, 0);
    for (number, turn) in turns.iter().enumerate() {
        if turn.charged_ns + LOOKED_LATE_NS < left {
            left -= turn.charged_ns;
            continue;
        }
        let by = turn.charged_ns.saturating_sub(left);
        late.push(by);
        if let Some(next) = turns.get(number + 1) {
            let passed = next.begin_ns - turn.begin_ns;
            others += usize::from((passed + period_ns / 2) / period_ns != periods);
        }
        periods = by / runtime_ns + 1;
        left = periods * runtime_ns - by;
    }
    (others * 100 <= turns.len() * OTHERS).then_some(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000;
    const MS: u64 = 1_000_000;

    fn turns(of: &[(u64, u64)]) -> Vec<Turn> {
        let turn =
            |&(begin_us, charged_us)| Turn { begin_ns: begin_us * US, charged_ns: charged_us * US };
        of.iter().map(turn).collect()
    }

    fn found(of: &[(u64, u64)]) -> Option<Vec<u64>> {
        late(&turns(of), 2 * MS, 10 * MS).map(|all| all.into_iter().map(|ns| ns / US).collect())
    }

    /// The beginnings of turns, and the charges, on Linux 6.18 with the tick.
    #[test]
    fn what_is_too_much_is_taken_from_the_next_runtimes() {
        let seen = [
            (0, 5_715),
            (9_940, 3_770),
            (29_938, 3_778),
            (49_936, 3_788),
            (69_947, 3_771),
            (89_938, 3_769),
        ];
        assert_eq!(found(&seen), Some(vec![3_715, 3_485, 3_263, 3_051, 2_822, 2_591]));
    }

    #[test]
    fn runtimes_that_end_in_time_are_not_late() {
        let seen = [(0, 1_999), (10_000, 2_005), (20_000, 1_996)];
        assert_eq!(found(&seen), Some(vec![0, 5, 1]));
        assert_eq!(found(&[]), Some(Vec::new()));
    }

    #[test]
    fn a_turn_that_something_else_cuts_in_two_is_one() {
        let seen = [(0, 500), (3_000, 1_502), (10_000, 2_000)];
        assert_eq!(found(&seen), Some(vec![2, 2]));
    }

    #[test]
    fn runtimes_of_a_slow_processor_last_longer_and_are_no_number() {
        let seen: Vec<(u64, u64)> = (0..9).map(|number| (number * 10_000, 4_500)).collect();
        assert_eq!(found(&seen), None);
    }
}
