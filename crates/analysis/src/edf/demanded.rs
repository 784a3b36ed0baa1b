//! All that has to be provided for the worst job to be complete, by the length of the window.
//!
//! **Model.** The right side of the equation of `response.rs`, at the deadline of the worst job.
//!
//! **Assumptions.** As there.
//!
//! Theory: docs/theory/edf-response.md.

use super::demand::Contender;
use super::guest_work::{Guests, guest};
use super::response::{Response, due, next_shift};
use super::total::Total;
use vorrang_time::Duration;

/// In a window that begins as that of the worst job of `members[index]` does.
pub(crate) fn demand_in(
    (members, guests): (&[Contender<'_>], Guests<'_>),
    index: usize,
    worst: &Response,
    window: Duration,
) -> Duration {
    let own = &members[index];
    let last = next_shift(members, index, worst.latest_release) - Duration::RESOLUTION;
    let due = due(own, last);
    let jobs = own.jobs_by(worst.latest_release);
    let mut demand = own.cost * jobs + Total::new(members).blocking_up_to(due);
    for (other, member) in members.iter().enumerate().filter(|(other, _)| *other != index) {
        let Ok(by_deadline) = member.by_deadline(due) else { continue };
        let most = member.by_release(window).map_or(by_deadline, |of| of.min(by_deadline));
        let work = guest(guests, other).and_then(|guest| guest.takes(member, window, due).ok());
        demand += work.map_or(most, |work| work.min(most));
    }
    demand
}
