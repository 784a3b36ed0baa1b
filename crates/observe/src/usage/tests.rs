//! Windows by hand.

use super::*;
use crate::pieces::Pieces;

fn history(pieces: &[Stretch], wakes: &[u64], first_sleep: Option<u64>) -> History {
    History {
        received: Pieces::new(pieces.to_vec()),
        wakes: wakes.to_vec(),
        first_sleep,
        ..History::default()
    }
}

#[test]
fn the_largest_use_of_a_period_may_begin_anywhere() {
    let history = history(&[(8, 10), (10, 12), (20, 22)], &[], None);
    let window = largest(&history, 10).expect("a window");
    assert_eq!((window.window, window.used.time), ((8, 18), 4));
    assert_eq!(largest(&History::default(), 10), None);
}

/// Budget 2, period 10: what is used from the wake-up on is within budget and share.
#[test]
fn a_reservation_that_is_kept_is_within_what_it_may() {
    let pieces: Vec<Stretch> = (0..50).map(|k| (100 + 10 * k, 102 + 10 * k)).collect();
    let (window, allowed) =
        fullest(&history(&pieces, &[100], Some(50)), 2, 10, Before::TwoMore).expect("one");
    assert!(window.used.time <= allowed, "{window:?} {allowed}");
}

#[test]
fn three_in_ten_are_more_than_two() {
    let pieces: Vec<Stretch> = (0..50).map(|k| (100 + 10 * k, 103 + 10 * k)).collect();
    let (window, allowed) =
        fullest(&history(&pieces, &[100], Some(50)), 2, 10, Before::TwoMore).expect("one");
    assert_eq!((window.window, window.used.time, allowed), ((100, 593), 150, 100));
    // A thread that has not slept may be due something, but not for long.
    let (window, allowed) =
        fullest(&history(&pieces, &[], None), 2, 10, Before::TwoMore).expect("one");
    assert_eq!((window.used.time, allowed), (150, 104));
}

#[test]
fn the_wake_up_from_which_most_is_used_is_found() {
    // Little from the first wake-up on, all of it from the second.
    let history = history(&[(0, 1), (500, 505)], &[0, 500], Some(0));
    let (window, allowed) = fullest(&history, 2, 10, Before::TwoMore).expect("one");
    assert_eq!((window.window, window.used.time, allowed), ((500, 505), 5, 3));
}

/// A reservation that may be behind by anything is looked at from its first wake-up on only.
#[test]
fn what_is_not_known_before_the_first_sleep_is_not_held_against_it() {
    let backlog = history(&[(0, 9), (20, 22)], &[20], Some(9));
    assert_eq!(fullest(&backlog, 2, 10, Before::Anything).expect("one").0.window, (20, 22));
    let (window, allowed) = fullest(&backlog, 2, 10, Before::TwoMore).expect("one");
    assert_eq!((window.used.time, allowed), (9, 7));
    assert_eq!(fullest(&history(&[], &[], None), 2, 10, Before::TwoMore), None);
}
