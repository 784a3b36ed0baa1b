//! The granularity of `SCHED_DEADLINE`.
//!
//! **Model.** EINVAL unless 1024 ns <= budget <= deadline <= period, and the period is within the settings.

use crate::finding::{Said, absent, stops};
use crate::look::Look;
use crate::subject::{Asked, Subject};
use vorrang_model::target::LINUX;
use vorrang_model::target::linux::PERIOD_SETTINGS;
use vorrang_time::Duration;

pub(crate) fn limits(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_deadline {
        return None;
    }
    let [shortest, longest] = PERIOD_SETTINGS
        .map(|path| look.number(path).and_then(|us| u64::try_from(us).ok()).map(Duration::from_us));
    let shortest = shortest.unwrap_or(LINUX.limits.shortest_period);
    let longest = longest.unwrap_or(LINUX.limits.longest_period);
    let least = LINUX.limits.least_budget;
    let rule = format!("a budget of at least {least}, and a period from {shortest} to {longest}");
    if shortest > longest {
        return Some(stops(
            format!(
                "EINVAL: no period is admitted: the shortest is {shortest}, the longest {longest}"
            ),
            format!("Write a smaller number into {}.", PERIOD_SETTINGS[0]),
        ));
    }
    let Some(Asked::Deadline { runtime, deadline, period }) = subject.asked else {
        return Some(absent(format!("SCHED_DEADLINE takes {rule}")));
    };
    let is_taken = runtime >= least
        && runtime <= deadline
        && deadline <= period
        && (shortest..=longest).contains(&period);
    Some(if is_taken {
        absent(format!("the reservation has {rule}"))
    } else {
        stops(
            format!(
                "EINVAL: {runtime} in {deadline} every {period} is not {rule}, with budget <= deadline <= period"
            ),
            format!(
                "Choose other times, or write other limits into {} and {}.",
                PERIOD_SETTINGS[0], PERIOD_SETTINGS[1]
            ),
        )
    })
}
