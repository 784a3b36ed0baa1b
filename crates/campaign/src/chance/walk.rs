//! The bound on each response, from the execution times of all previous jobs.
//!
//! Written from the argument in `docs/theory/backlog.md`, in exact nanoseconds, without the analysis:
//! `v := max(0, v − n Q) + c` gives `ceil(v / Q) T`, and `V := max(0, V − P Q) + c T` gives
//! `(V + (Q − 1) T) / Q`; both later by the jitter. The smaller one counts.

use super::TASK;
use vorrang_model::System;
use vorrang_sim::History;
use vorrang_time::Duration;

/// Limits on the responses of the jobs of a history, in order.
pub(super) fn limits<'s>(
    system: &'s System,
    history: &History,
) -> impl Iterator<Item = Duration> + 's {
    let task = system.task(TASK);
    let server = system.supply(task.on).server().expect("it is in a server");
    let wide = |time: Duration| u128::from(time.as_ns());
    let (budget, period) = (wide(server.budget), wide(server.period));
    let (distance, jitter) = (wide(task.min_interarrival), wide(task.jitter));
    let whole = distance / period * budget;
    let (mut by_periods, mut by_bandwidth) = (0_u128, 0_u128);
    history.jobs_of_task(system, TASK).map(move |plan| {
        let cost = wide(plan.execution);
        by_periods = by_periods.saturating_sub(whole) + cost;
        by_bandwidth = by_bandwidth.saturating_sub(distance * budget) + cost * period;
        let one = by_periods.div_ceil(budget) * period;
        let other = (by_bandwidth + (budget - 1) * period) / budget;
        Duration::from_ns(u64::try_from(one.min(other) + jitter).unwrap_or(u64::MAX))
    })
}
