//! How long a supply takes, in words.

use super::Names;
use crate::derivation::{OfIdleStart, OfRule, OfSupply};
use vorrang_time::Duration;

/// Supplies that a rule describes.
pub(super) fn of_a_rule(fact: &OfRule, names: &Names<'_>) -> String {
    match fact {
        OfRule::BoundedDelay { of, delay, budget, period, work, time } => format!(
            "{}: nothing for {delay}, then {work} of work at {budget} in {period}: {time}",
            names.of(*of)
        ),
        OfRule::FixedSlot { of, budget, period, work } => format!(
            "{}: the slot of {budget} in every {period} is missed {} times for {} each while {work} of work is done",
            names.of(*of),
            work.div_ceil(*budget),
            *period - *budget
        ),
        OfRule::PeriodicResource { of, budget, period, delay, work, waits, gap } => format!(
            "{}: {budget} in every {period}: at first nothing for {delay}, then {work} of work with {waits} waits of {gap} for the next budget",
            names.of(*of)
        ),
        OfRule::Slices { work, visits, others, window } => format!(
            "{work} of work takes {window} beside {others} of equals, each of which comes first at most {visits} times for a slice"
        ),
        OfRule::Table { of, windows, budget, period, work, time } => format!(
            "{}: {windows} windows of {budget} together in every {period}: {work} of work takes {time} from the worst of their ends",
            names.of(*of)
        ),
        OfRule::Turns { work, visits, own, others, round, at_first, all } => {
            let in_round = if round.is_zero() {
                String::new()
            } else {
                format!(" and {round} of the machine")
            };
            let first = if round.is_zero() && at_first.is_zero() {
                String::new()
            } else {
                format!(", and {at_first} at first")
            };
            format!(
                "{work} of work takes {visits} visits of up to {own}, each after up to {others} of others{in_round}{first}: {all}"
            )
        }
    }
}

/// What is left of other supplies.
pub(super) fn text(fact: &OfSupply, names: &Names<'_>) -> String {
    match fact {
        OfSupply::ColdCache { of, work, window, loss } => format!(
            "{}: {work} of work takes {window}; a cold cache loses {loss} at first, and",
            names.of(*of)
        ),
        OfSupply::ShortRuns { of, work, window, loss, share } => format!(
            "{}: {work} of work takes {window}; runs are short, so a cold cache loses {share} over the time, {loss} at first, and",
            names.of(*of)
        ),
        OfSupply::NeverUsedUp { of, used, budget, period } => format!(
            "{} never uses its budget up: at most {used} of {budget} in any {period}, so it is as if it had none",
            names.of(*of)
        ),
        OfSupply::FixedPriorityServer { of, budget, period, wait, whole, rest } => format!(
            "{}: {budget} in every {period}: at first nothing for {wait}, then {whole} whole period{}, then the last {rest}",
            names.of(*of),
            if *whole == 1 { "" } else { "s" }
        ),
        OfSupply::Residual { work, window } => {
            format!("{work} of work takes {window}, with interference:")
        }
        OfSupply::Placed { of, work, window } => format!(
            "{}: its windows from that beginning on have {work} within {window}",
            names.of(*of)
        ),
        OfSupply::Earlier(earlier) => format!(
            "from {earlier} before, with {earlier} of its own that delayed members of equal urgency"
        ),
        OfSupply::WholePeriods { budget, period, waits, rest } => {
            format!("{budget} in every {period}: {waits} for all but the last {rest}")
        }
        OfSupply::ByDeadlines { work, time } => {
            format!("{work} of work takes {time}, with what the other members have due by then")
        }
        OfSupply::Pays { of, for_interrupts, work, used } => {
            let paid = if *for_interrupts { "interrupts" } else { "its overrun" };
            format!("{paid} charged to {}: {work} of work takes {used} of its time", names.of(*of))
        }
        OfSupply::UnderWay(block) => {
            format!("in progress when the window begins, and overdrawn before: 2 x {block}")
        }
        OfSupply::Wanted { of, budget, window } => {
            format!("{}: {budget} is wanted in {window}, beside:", names.of(*of))
        }
        OfSupply::LateRuntime(overrun) => format!("a runtime before that ended late: {overrun}"),
        OfSupply::Throttled { budget, period, carried, work, waits } => {
            throttled((*budget, *period), *carried, *work, *waits)
        }
    }
}

/// Real-time threads that wait for the next period.
fn throttled(
    (budget, period): (Duration, Duration),
    carried: Duration,
    work: Duration,
    waits: u64,
) -> String {
    let kept = period - budget;
    let times = if waits == 1 { "once more" } else { "times more" };
    let again = match waits {
        0 => String::new(),
        1 => format!(", and {kept} {times}"),
        _ => format!(", and {kept} {waits} {times}"),
    };
    let carried = match (carried.is_zero(), waits) {
        (true, _) => String::new(),
        (false, 0) => format!(", and {carried} that was counted before"),
        (false, _) => format!(", and twice {carried} that was counted before"),
    };
    format!(
        "throttled after {budget} in every {period}: {work} of work waits for {kept} at first{again}{carried}"
    )
}

/// Servers that keep their budget, from an idle guest on.
pub(super) fn from_an_idle_guest(fact: &OfIdleStart, names: &Names<'_>) -> String {
    match fact {
        OfIdleStart::HasBudget { of, time } => {
            format!("{} has budget throughout: {time}", names.of(*of))
        }
        OfIdleStart::EndsPeriod { of, budget, time, wait } => format!(
            "{} has some of {budget} left when a period ends, and exhausts the next: {time}, of this {wait} while something else has the core",
            names.of(*of)
        ),
        OfIdleStart::UsesUp { of, budget, since, used, window } => format!(
            "{} begins to use {budget} up {since} before the window, {used} of it for other work, and is done \
             {window} later: {}",
            names.of(*of),
            *window - *since
        ),
        OfIdleStart::UsedBefore { of, budget, since, used, time } => format!(
            "{} begins to use {budget} {since} before the window, {used} of it before: {time}",
            names.of(*of)
        ),
    }
}
