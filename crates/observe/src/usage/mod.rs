//! The use of a budget in windows.
//!
//! **Model.** A `SCHED_DEADLINE` thread (or a hard constant-bandwidth server) of budget Q and period T
//! receives at most `Q + w·Q/T` of any window of length w that begins when it is woken: by the rule at the
//! wake-up it has used at most its share Q/T of the time since it began anew, or a period has passed. Before
//! it first sleeps in the trace no such window is known, and it may receive overdue budget: under
//! `SCHED_DEADLINE` at most two budgets more, because a server that is later than its deadline begins anew;
//! under other servers without a limit. *Largest use* is the most of any window of one period, wherever that
//! begins; it may be more than Q, because the end of one period and the beginning of the next are in one
//! window.
//!
//! **Assumptions.** 1. The pieces are all time that the thread received.
//!
//! **Cost.** O(n log n) in the pieces.
//!
//! **Does not cover** reservations that reclaim, which may use all of the time.
//!
//! **Reference.** Abeni, Buttazzo 1998, for the rule at the wake-up.

use crate::history::History;
use crate::pieces::{Amount, Stretch};
use std::cmp::Reverse;

/// A window and what was used in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its beginning and its end.
    pub window: Stretch,
    /// What was used.
    pub used: Amount,
}

impl Window {
    fn of(history: &History, window: Stretch) -> Self {
        Self { window, used: history.received.within(window) }
    }
}

/// The window of this length with the largest use, the first of several.
pub fn largest(history: &History, length: u64) -> Option<Window> {
    // Some window with the largest use begins with a piece, or ends with one.
    let candidates = history.received.all().iter().flat_map(|&(begin, end)| {
        [(begin, begin.saturating_add(length)), (end.saturating_sub(length), end)]
    });
    let windows = candidates.map(|window| Window::of(history, window));
    windows.min_by_key(|window| Reverse(window.used.time))
}

/// The most that a reservation may supply in a window of some length that begins when its thread is woken.
pub fn allowed(budget: u64, period: u64, length: u64) -> u64 {
    let share = u128::from(length) * u128::from(budget) / u128::from(period.max(1));
    u64::try_from(share).unwrap_or(u64::MAX).saturating_add(budget)
}

/// The most that a reservation may supply before its thread first sleeps in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Two budgets more: one that is late begins anew (`SCHED_DEADLINE`).
    TwoMore,
    /// All overdue budget.
    Anything,
}

/// The window in which it received most compared with what it may, and what it may there; `None` if it received
/// nothing.
pub fn fullest(
    history: &History,
    budget: u64,
    period: u64,
    before: Before,
) -> Option<(Window, u64)> {
    let known_from = history.first_sleep.unwrap_or(u64::MAX);
    let first = history.received.all().first()?;
    let catches_up = match before {
        Before::TwoMore => known_from,
        Before::Anything => 0,
    };
    let before_sleep = history.received.all().iter().take_while(|piece| piece.1 <= catches_up);
    let early = before_sleep.map(|piece| (first.0, piece.1));
    let early = early.map(|window| (window, 2 * budget));
    let woken = history.wakes.iter().copied().filter(|&at| at >= known_from);
    let late = windows_from(history, woken.collect(), budget, period).map(|window| (window, 0));
    let weighed = early.chain(late).map(|(window, more)| {
        let used = Window::of(history, window);
        (used, allowed(budget, period, window.1 - window.0).saturating_add(more))
    });
    weighed.max_by_key(|(window, allowed)| i128::from(window.used.time) - i128::from(*allowed))
}

/// For each end of a piece, the window from a wake-up to there in which most is used beyond the share.
fn windows_from(
    history: &History,
    wakes: Vec<u64>,
    budget: u64,
    period: u64,
) -> impl Iterator<Item = Stretch> {
    let (budget, period) = (i128::from(budget), i128::from(period));
    let mut wakes = wakes.into_iter().peekable();
    let mut used = 0_i128;
    let mut best: Option<(i128, u64)> = None;
    history.received.all().iter().filter_map(move |&(begin, end)| {
        while let Some(at) = wakes.next_if(|&at| at <= begin) {
            // Used since the wake-up, in units of 1/T: the later the wake-up, the less time passed.
            let credit = i128::from(at) * budget - used * period;
            if best.is_none_or(|(known, _)| credit > known) {
                best = Some((credit, at));
            }
        }
        used += i128::from(end - begin);
        best.map(|(_, from)| (from, end))
    })
}

#[cfg(test)]
mod tests;
