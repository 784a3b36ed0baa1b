//! How the worst job of a task comes about under EDF, in the terms of its equation.
//!
//! **Model.** That of `response.rs`, at the deadline of the worst job.
//!
//! **Assumptions.** As there.
//!
//! Theory: docs/theory/edf-response.md, docs/theory/guest-by-deadlines.md.

use super::demand::Contender;
use super::guest_work::{Guests, guest};
use super::response::{Response, due, next_shift};
use super::total::Total;
use crate::derivation::{Derivation, OfInterference, OfResponse};
use crate::supply::Supply;
use vorrang_time::Duration;

/// What the members but one have due within a window in which that one wants its budget, and what comes before all of them.
pub(crate) fn derive_load(
    to: &mut Derivation,
    (members, supply): (&[Contender<'_>], &dyn Supply),
    index: usize,
    at: Duration,
) {
    to.indented(|to| {
        for (_, member) in members.iter().enumerate().filter(|(other, _)| *other != index) {
            if let Ok(due) = member.by_deadline(at) {
                to.push(OfInterference::Due { of: member.of, released: None, window: at, due, at });
            }
        }
    });
    supply.derive_load(at, to);
}

/// How the worst job of `members[index]` comes about; returns all the work that precedes its completion.
pub(crate) fn derive(
    to: &mut Derivation,
    (members, guests): (&[Contender<'_>], Guests<'_>),
    index: usize,
    worst: &Response,
) -> Duration {
    let own = &members[index];
    let next = next_shift(members, index, worst.latest_release);
    let due_at_last = due(own, next - Duration::RESOLUTION);
    let at = due(own, worst.latest_release);
    let count = own.jobs_by(worst.latest_release);
    let blocking = Total::new(members).blocking_up_to(due_at_last);
    let mut demand = own.cost * count + blocking;
    let Response { bound, latest_release: released, window } = *worst;
    to.push(OfResponse::EdfJob { of: own.of, released, window, bound });
    to.indented(|to| {
        to.push(OfResponse::OwnWork { count, cost: own.cost });
        if !blocking.is_zero() {
            to.push(OfInterference::BlockingByLater(blocking));
        }
        for (other, member) in members.iter().enumerate().filter(|(other, _)| *other != index) {
            let Ok(due) = member.by_deadline(due_at_last) else { continue };
            let released = member.by_release(window).ok();
            let most = released.map_or(due, |released| released.min(due));
            to.push(OfInterference::Due { of: member.of, released, window, due, at });
            let guest = guest(guests, other).map(|guest| guest.takes(member, window, due_at_last));
            let used = guest.and_then(Result::ok).filter(|used| *used < most);
            if let Some(work) = used {
                to.push(OfInterference::DueWork { of: member.of, work, window, at });
            }
            demand += used.unwrap_or(most);
        }
    });
    to.cite("EDF on a supply, Spuri 1996, section 4; docs/theory/edf-response.md");
    demand
}
