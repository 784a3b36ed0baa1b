//! The worst job of a busy window under fixed priority, in words and numbers.

use super::Response;
use crate::explanation::Lines;
use crate::load::{Load, Loads};
use crate::supply::Supply;
use vorrang_time::Duration;

/// The worst job of a busy window under fixed priority.
pub(crate) fn explain_busy_window(lines: &mut Lines, own: &Load<'_>, worst: &Response) {
    let count = worst.job + 1;
    lines.push(format!(
        "{}: job {count} of the busy window completes {} after its start: response time {}",
        own.name, worst.window, worst.bound
    ));
    lines.indented(|lines| {
        lines.push(format!("own work: {count} x {} = {}", own.cost, own.cost * count));
    });
}

/// The windows of the fixed-point iteration from `work` alone, long ones shortened.
pub(crate) fn explain_iteration(
    lines: &mut Lines,
    supply: &dyn Supply,
    work: Duration,
    loads: Loads<'_>,
) {
    const SHOWN: usize = 12;
    let mut steps: Vec<Duration> = Vec::new();
    let mut next = supply.time_for(work);
    while let Ok(window) = next {
        if steps.last() == Some(&window) {
            break;
        }
        steps.push(window);
        next = loads.in_window(window).and_then(|load| supply.time_for(work + load));
    }
    let mut text: Vec<String> = steps.iter().map(ToString::to_string).collect();
    if text.len() > SHOWN {
        let hidden = text.len() - SHOWN;
        let middle = SHOWN / 2..SHOWN / 2 + hidden;
        text.splice(middle, [format!("({hidden} steps)")]);
    }
    lines.push(format!("iteration: {}", text.join(" -> ")));
}
