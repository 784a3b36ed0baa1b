//! The derivation of the worst job of a busy window under fixed priority.

use super::Response;
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfResponse};
use crate::supply::Supply;
use vorrang_time::Duration;

/// The worst job of a busy window under fixed priority.
pub(crate) fn busy_window(to: &mut Derivation, own: &Load<'_>, worst: &Response) {
    let (of, count) = (own.source, worst.job + 1);
    to.push(OfResponse::BusyWindow { of, count, window: worst.window, bound: worst.bound });
    to.indented(|to| to.push(OfResponse::OwnWork { count, cost: own.cost }));
}

/// The windows of the fixed-point iteration from `work` alone.
pub(crate) fn iteration(
    to: &mut Derivation,
    supply: &dyn Supply,
    work: Duration,
    loads: Loads<'_>,
) {
    let mut windows: Vec<Duration> = Vec::new();
    let mut next = supply.time_for(work);
    while let Ok(window) = next {
        if windows.last() == Some(&window) {
            break;
        }
        windows.push(window);
        next = loads.in_window(window).and_then(|load| supply.time_for(work + load));
    }
    to.push(OfResponse::Iteration(windows));
}
