//! What guests did in the lab, as found of the claims on interrupts that have a reservation: pings, and frames of a film.

use crate::exact::{Exact, range, span};
use crate::recorded::{self, FILM_FRAMES, GUEST_PINGS};

/// The run of the lab with a guest that is pinged.
pub(crate) const PINGS: &str = "guest-7.2";
/// The run with a load of a film's periods.
pub(crate) const FILM: &str = "film-7.2";

/// What is done about a storm.
pub(crate) const NOTHING: &str = "nothing";
pub(crate) const CREDITS: &str = "a pseudo-VCPU";
pub(crate) const HELD: &str = "a pseudo-VCPU, and a server for what raises it";

/// Pings of a Linux guest on a stock kernel, with a pseudo-VCPU or without.
pub(crate) fn pings(pseudo_vcpu: &str) -> String {
    let rows = recorded::rows(GUEST_PINGS, PINGS);
    let own = || rows.iter().filter(|row| row[1] == pseudo_vcpu);
    let column = |place| range(own().filter_map(|row| recorded::number(row, place)));
    let [within, longest, simulated, bound] = [2, 4, 5, 6].map(column);
    format!(
        "{} % of the pings within 300 us, with budgets of 20 to 70 %; the longest {} ms (interrupt simulated {}, bound {})",
        span(within, 0),
        span(longest, 3),
        span(simulated, 2),
        span(bound, 2)
    )
}

/// Frames of a film in a storm on a stock kernel, by what is done about that.
pub(crate) fn filmed(about: &str) -> String {
    format!(
        "with {about}, {} frames a second with budgets of {} % (a load of the film's periods in a guest without an operating system)",
        span(frames(about), 2),
        span(film(about, 0), 0)
    )
}

/// Frames a second by budget in percent, with this done about the storm.
pub(crate) fn curve(about: &str) -> Vec<(f64, f64)> {
    let rows = recorded::rows(FILM_FRAMES, FILM);
    let own = rows.iter().filter(|row| row[1] == about);
    let points = own.filter_map(|row| Some((recorded::number(row, 0)?, recorded::number(row, 2)?)));
    crate::picture::points(points)
}

/// The least and the most of them a second, with any budget.
pub(crate) fn frames(about: &str) -> (Exact, Exact) {
    film(about, 2)
}

fn film(about: &str, place: usize) -> (Exact, Exact) {
    let rows = recorded::rows(FILM_FRAMES, FILM);
    let own = rows.iter().filter(|row| row[1] == about);
    range(own.filter_map(|row| recorded::number(row, place)))
}
