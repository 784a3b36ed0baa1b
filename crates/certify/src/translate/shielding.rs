//! The latencies of timers behind a shield, by fixed-point iteration.
//!
//! **Model.** All latencies grow together from zero, each to the least window of which routines, all timers and what is
//! more urgent leave something; or to the longest deferral and a window in which all may come after it.
//!
//! **Assumptions.** None: what it finds is checked.

use crate::windows::Search;
use vorrang_certificate::{
    Shield, Shielded, all_deferred, needs, others_above, timers_need, woken_above,
};

/// Whether there are latencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Latencies,
    Nothing,
}

/// Windows of this many evaluations are looked for.
const LONGEST: usize = 20_000;

/// Fills in the windows of a shield.
pub(super) fn latencies(of: &mut Shield, search: &mut Search) -> Found {
    let by_order = in_order(of, search);
    let at_last = of.deferral.and_then(|most| deferred(of, most, search));
    let longest = |timers: &[Shielded]| timers.iter().map(|timer| timer.latency).max();
    match (by_order, at_last) {
        (Some(timers), Some((_, last))) if longest(&timers) <= Some(last) => of.timers = timers,
        (_, Some((window, last))) => {
            of.at_last = window;
            of.timers.iter_mut().for_each(|timer| timer.latency = last);
        }
        (Some(timers), None) => of.timers = timers,
        (None, None) => return Found::Nothing,
    }
    match least(search, |x| needs(&of.first, x)?.checked_add(timers_need(0, 0, &of.timers, x)?), 0)
    {
        Some(decided_in) => {
            of.decided_in = decided_in;
            Found::Latencies
        }
        None => Found::Nothing,
    }
}

/// The latencies of all, by what is more urgent.
fn in_order(of: &Shield, search: &mut Search) -> Option<Vec<Shielded>> {
    let mut timers = of.timers.clone();
    loop {
        let before = timers.clone();
        for place in 0..timers.len() {
            let Shielded { urgency, latency, .. } = timers[place];
            let taken = |x: u64| {
                let others = others_above(urgency, &of.others, x)?;
                let woken = woken_above(urgency, &timers, x)?;
                let first = needs(&of.first, x)?;
                first
                    .checked_add(timers_need(0, 0, &timers, x)?)?
                    .checked_add(woken)?
                    .checked_add(others)
            };
            let latency = least(search, taken, latency)?;
            timers[place].latency = latency;
        }
        if timers == before {
            return Some(timers);
        }
    }
}

/// A window in which all may come that have waited for so long, and when that ends.
fn deferred(of: &Shield, most: u64, search: &mut Search) -> Option<(u64, u64)> {
    let taken = |x: u64| needs(&of.first, x)?.checked_add(all_deferred(most, &of.timers, x)?);
    let window = least(search, taken, 0)?;
    Some((window, most.checked_add(window)?))
}

/// The least window from `from` on of which something is left.
fn least(search: &mut Search, taken: impl Fn(u64) -> Option<u128>, from: u64) -> Option<u64> {
    let mut window = from;
    for _ in 0..LONGEST {
        search.step(1)?;
        let all = taken(window)?;
        if all < window.into() {
            return Some(window);
        }
        window = u64::try_from(all).ok()?.checked_add(1)?;
    }
    None
}
