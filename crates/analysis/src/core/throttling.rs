//! Whether the real-time threads of a core may be throttled, and what is counted when a period begins.
//!
//! **Model.** `A(x)` is the most that everything on the core takes in a window of length `x` that begins when nothing is
//! ready. If `y = A(y) + (P − R)` has a solution of at most P, no more than R of any window of length P is taken, so
//! nothing is ever throttled.
//!
//! Else servers with deadlines, which are not throttled and count, may run while others wait: with `L(x)` for what
//! they take in any window, `K = late + L(P − R + K)` is what is carried into a period at most, if that is less than R.
//!
//! **Assumptions.** 1. Those of the loads. 2. Servers with deadlines are ready for no longer than `busy` without a pause.
//!
//! Theory: docs/theory/throttling.md.

use crate::demand::Loads;
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, least_fixed_point};
use vorrang_model::system::RtLimit;
use vorrang_time::Duration;

/// Whether no history is ever throttled, where everything on the core takes `all`, and `once` at the
/// beginning of a window.
pub(crate) fn is_never_reached(
    limit: RtLimit,
    (once, all): (Duration, Loads<'_>),
    effort: &Effort,
) -> bool {
    let Some(before) = limit.kept().checked_add(once) else { return false };
    let within = |window: Duration| {
        if window > limit.period { Err(NoBound::TooLong) } else { Ok(window) }
    };
    effort.restart(all.len());
    let reached = least_fixed_point(effort, all.len(), before, |window| {
        before.checked_add(all.in_window(within(window)?)?).ok_or(NoBound::TooLong)
    });
    reached.is_ok_and(|window| window <= limit.period)
}

/// What is counted at most when a period begins, where servers with deadlines that count take `counted` in windows that
/// begin when none of them is ready, `once` besides, and are ready for `busy` at most.
///
/// # Errors
/// They may use a budget while others wait, so that nothing bounds for how long.
pub(crate) fn carried(
    limit: RtLimit,
    (once, counted): (Duration, Loads<'_>),
    busy: Duration,
    effort: &Effort,
) -> Result<Duration, NoBound> {
    if counted.is_empty() {
        return within(limit, limit.late);
    }
    let before = limit.late.checked_add(once).ok_or(NoBound::TooLong)?;
    effort.restart(counted.len());
    let kept = busy.checked_add(limit.kept()).ok_or(NoBound::TooLong)?;
    least_fixed_point(effort, counted.len(), before, |carried| {
        let window = kept.checked_add(within(limit, carried)?);
        // What is ready for nearly as long as is looked at has more behind that.
        let window = window.filter(|window| *window <= LONGEST_WINDOW).ok_or(NoBound::TooLong)?;
        within(limit, before.checked_add(counted.in_window(window)?).ok_or(NoBound::TooLong)?)
    })
}

/// The longest time for which something of `loads` is ready without a pause, with `once` before it.
pub(crate) fn busy(
    (once, loads): (Duration, Loads<'_>),
    effort: &Effort,
) -> Result<Duration, NoBound> {
    effort.restart(loads.len());
    let start = once.checked_add(loads.in_window(Duration::RESOLUTION)?).ok_or(NoBound::TooLong)?;
    least_fixed_point(effort, loads.len(), start, |window| {
        once.checked_add(loads.in_window(window)?).ok_or(NoBound::TooLong)
    })
}

/// Less than a budget.
fn within(limit: RtLimit, carried: Duration) -> Result<Duration, NoBound> {
    if carried < limit.budget { Ok(carried) } else { Err(NoBound::Overload) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::Load;
    use crate::ground::Source;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    fn load(cost: u64, period: u64) -> Load<'static> {
        Load::new(Source::Unnamed, MS(cost), MS(period), Duration::ZERO)
    }

    #[test]
    fn a_second_with_950_ms_of_work_is_not_throttled() {
        let reached = |loads: &[Load<'_>]| {
            let all = (Duration::ZERO, Loads::new(loads));
            !is_never_reached(RtLimit::OF_LINUX, all, &Effort::default())
        };
        assert!(!reached(&[load(950, 10_000)]) && reached(&[load(951, 10_000)]));
        // Two jobs of a window overlap with it.
        assert!(!reached(&[load(500, 1000)]) && !reached(&[load(950, 1000)]));
        assert!(!reached(&[load(9, 10)]) && reached(&[load(96, 100)]));
    }

    #[test]
    fn what_reservations_take_meanwhile_is_carried() {
        let carried_by = |loads: &[Load<'_>]| {
            let effort = Effort::default();
            let busy = busy((Duration::ZERO, Loads::new(loads)), &effort).ok()?;
            carried(RtLimit::OF_LINUX, (Duration::ZERO, Loads::new(loads)), busy, &effort).ok()
        };
        assert_eq!(carried_by(&[]), Some(Duration::ZERO));
        // By hand: 50 ms + 1 ms busy + K with K = ceil((51 + K) / 10).
        assert_eq!(carried_by(&[load(1, 10)]), Some(MS(6)));
        assert_eq!(carried_by(&[load(96, 100)]), None);
    }

    #[test]
    fn what_is_ready_for_as_long_as_is_looked_at_has_no_bound() {
        let loads = [load(1, 10)];
        let counted = || (Duration::ZERO, Loads::new(&loads));
        for busy in [LONGEST_WINDOW, Duration::from_ns(u64::MAX)] {
            let carried = carried(RtLimit::OF_LINUX, counted(), busy, &Effort::default());
            assert!(matches!(carried, Err(NoBound::TooLong)), "{carried:?}");
        }
    }
}
