//! Each supply three ways: a table made by hand, brute force over all phases, and the two
//! properties that the composition relies on.

use super::*;
use crate::demand::{Load, Loads};
use crate::ground::Effort;
use crate::ground::Source;
use proptest::prelude::*;
use vorrang_model::system::Window;

fn ns(count: u64) -> Duration {
    Duration::from_ns(count)
}

/// The least window length in which every window of the pattern provides `work`, by brute force.
/// `provides[t]` says whether tick t of the (repeated) pattern is provided.
fn by_brute_force(patterns: &[Vec<bool>], work: u64) -> u64 {
    patterns
        .iter()
        .flat_map(|pattern| (0..pattern.len()).map(move |start| (pattern, start)))
        .map(|(pattern, start)| {
            let mut left = work;
            let mut length = 0;
            for tick in start.. {
                if left == 0 {
                    break;
                }
                length += 1;
                left -= u64::from(pattern[tick % pattern.len()]);
            }
            length
        })
        .max()
        .expect("at least one window")
}

/// All patterns of `periods` periods in which each period provides `budget` contiguous ticks that
/// end by `deadline`.
fn all_placements(budget: usize, period: usize, deadline: usize, periods: u32) -> Vec<Vec<bool>> {
    let choices = deadline - budget + 1;
    (0..choices.pow(periods))
        .map(|mut code| {
            let mut pattern = Vec::new();
            for _ in 0..periods {
                let start = code % choices;
                code /= choices;
                pattern.extend((0..period).map(|tick| (start..start + budget).contains(&tick)));
            }
            pattern
        })
        .collect()
}

#[test]
fn periodic_resource_by_hand() {
    // Examples of the corrected equation for virtual interrupts: T = 10, C = 4.
    let supply = PeriodicResource::new(Source::Unnamed, ns(4), ns(10), ns(10));
    for (work, time) in [(0, 0), (1, 13), (3, 15), (4, 16), (5, 23), (6, 24), (8, 26), (9, 33)] {
        assert_eq!(supply.time_for(ns(work)), Ok(ns(time)), "work {work}");
    }
}

#[test]
fn periodic_resource_with_deadline_equals_brute_force() {
    for (budget, period, deadline) in [(1, 3, 3), (2, 4, 3), (2, 5, 4), (3, 5, 3), (3, 4, 4)] {
        let patterns = all_placements(budget, period, deadline, 4);
        let length = |count: usize| ns(u64::try_from(count).unwrap());
        let supply = PeriodicResource::new(
            Source::Unnamed,
            length(budget),
            length(period),
            length(deadline),
        );
        for work in 1..=2 * u64::try_from(budget).unwrap() {
            let expected = by_brute_force(&patterns, work);
            assert_eq!(
                supply.time_for(ns(work)),
                Ok(ns(expected)),
                "({budget},{period},{deadline}) {work}"
            );
        }
    }
}

#[test]
fn fixed_slot_equals_brute_force() {
    for (budget, period) in [(1_usize, 4_usize), (3, 5), (5, 5)] {
        let pattern: Vec<bool> = (0..period).map(|tick| tick < budget).collect();
        let length = |count: usize| ns(u64::try_from(count).unwrap());
        let supply = Table::slot(Source::Unnamed, length(budget), length(period));
        for work in 0..20 {
            let expected = by_brute_force(core::slice::from_ref(&pattern), work);
            assert_eq!(supply.time_for(ns(work)), Ok(ns(expected)));
        }
    }
}

/// All tables of a period of so many ticks, as windows that do not touch, with what each tick is.
fn all_tables(period: u32) -> Vec<(Vec<Window>, Vec<bool>)> {
    let of = |code: u32| {
        let ticks: Vec<bool> = (0..period).map(|tick| code >> tick & 1 == 1).collect();
        let mut windows: Vec<Window> = Vec::new();
        for (at, _) in (0..).zip(&ticks).filter(|(_, is_provided)| **is_provided) {
            match windows.last_mut() {
                Some(last) if last.offset + last.length == ns(at) => last.length += ns(1),
                _ => windows.push(Window { offset: ns(at), length: ns(1) }),
            }
        }
        (windows, ticks)
    };
    (1..1 << period).map(of).collect()
}

#[test]
fn tables_equal_brute_force() {
    for period in 1..=8 {
        for (windows, ticks) in all_tables(period) {
            let table = Table::new(Source::Unnamed, &windows, ns(period.into()));
            for work in 0..20 {
                let expected = by_brute_force(core::slice::from_ref(&ticks), work);
                assert_eq!(table.time_for(ns(work)), Ok(ns(expected)), "{windows:?} {work}");
                let line = table.linear().time_for(ns(work)).unwrap();
                assert!(line >= ns(expected), "{windows:?} {work}");
            }
            // The same windows in pieces that touch.
            let pieces: Vec<Window> = (0..)
                .zip(&ticks)
                .filter(|(_, is_provided)| **is_provided)
                .map(|(at, _)| Window { offset: ns(at), length: ns(1) })
                .collect();
            let cut = Table::new(Source::Unnamed, &pieces, ns(period.into()));
            for work in 0..20 {
                assert_eq!(cut.time_for(ns(work)), table.time_for(ns(work)), "{windows:?}");
            }
        }
    }
}

#[test]
fn a_table_of_one_window_is_a_slot() {
    for period in 1..9 {
        for budget in 1..=period {
            for offset in 0..=period - budget {
                let window = Window { offset: ns(offset), length: ns(budget) };
                let table = Table::new(Source::Unnamed, &[window], ns(period));
                let line =
                    BoundedDelay::new(Source::Unnamed, ns(budget), ns(period), ns(period - budget));
                assert_eq!(table.linear(), line);
                for work in 0..30_u64 {
                    let gaps = work.div_ceil(budget) * (period - budget);
                    assert_eq!(table.time_for(ns(work)), Ok(ns(work + gaps)));
                }
            }
        }
    }
}

/// What is provided at least in windows of a length: the supply bound function from its inverse.
fn provided(supply: &dyn Supply, window: u64) -> u64 {
    let fits = |&work: &u64| supply.time_for(ns(work)).is_ok_and(|time| time <= ns(window));
    (0..=window).take_while(fits).last().unwrap_or(0)
}

#[test]
fn supply_bound_functions_are_those_of_the_literature() {
    for (budget, period, deadline) in
        [(1, 3, 3), (2, 5, 5), (2, 5, 3), (3, 5, 3), (4, 9, 7), (5, 5, 5)]
    {
        let (gap, blackout) = (period - budget, period + deadline - 2 * budget);
        let resource = PeriodicResource::new(Source::Unnamed, ns(budget), ns(period), ns(deadline));
        let slot = Table::slot(Source::Unnamed, ns(budget), ns(period));
        for window in 0..60_u64 {
            // Easwaran, Anand, Lee 2007; with the deadline at the period Shin, Lee 2003.
            let whole = window.saturating_sub(deadline - budget) / period;
            let begun = window.saturating_sub(blackout + whole * period);
            let found = if window < deadline - budget { 0 } else { whole * budget + begun };
            assert_eq!(provided(&resource, window), found, "{budget} {period} {deadline} {window}");
            let begun = (window % period).saturating_sub(gap);
            assert_eq!(provided(&slot, window), window / period * budget + begun);
            let line = window.saturating_sub(blackout) * budget / period;
            assert_eq!(provided(&resource.linear(), window), line);
            assert!(line <= found);
        }
    }
}

#[test]
fn supplies_lie_between_their_lines() {
    // `w` takes `Δ' + w / α` at least: the rest of the time is enough for `w` at the rate α.
    let is_below = |supply: &dyn Linear, work: u64, (budget, period): (u64, u64)| {
        let rest = supply.time_for(ns(work)).unwrap() - supply.least_delay();
        rest.as_ns() * budget >= work * period
    };
    for budget in 1..8 {
        for period in budget..12 {
            let slot = Table::slot(Source::Unnamed, ns(budget), ns(period));
            for work in 0..40 {
                let line = slot.linear().time_for(ns(work)).unwrap();
                assert!(line >= slot.time_for(ns(work)).unwrap());
                assert!(work == 0 || is_below(&slot, work, (budget, period)));
                for deadline in budget..=period {
                    let resource = PeriodicResource::new(
                        Source::Unnamed,
                        ns(budget),
                        ns(period),
                        ns(deadline),
                    );
                    let line = resource.linear().time_for(ns(work)).unwrap();
                    assert!(line >= resource.time_for(ns(work)).unwrap());
                    assert!(work == 0 || is_below(&resource, work, (budget, period)));
                    let polled = resource.polled(ns(budget - 1));
                    assert!(work == 0 || is_below(&polled, work, (budget, period)));
                }
            }
        }
    }
}

#[test]
fn turns_by_hand() {
    let turns = Turns::new(&Dedicated, ns(3), ns(5));
    for (work, time) in [(0, 0), (1, 6), (3, 8), (4, 14), (6, 16), (7, 22)] {
        assert_eq!(turns.time_for(ns(work)), Ok(ns(time)), "{work}");
    }
}

#[test]
fn fixed_priority_server_by_hand() {
    let effort = Effort::default();
    let above = [Load::new(Source::Unnamed, ns(2), ns(7), ns(5))];
    let level = Residual::new(&Dedicated, Loads::new(&above), &effort);
    // A budget of 3 takes 3 + ceil((x + 5) / 7) 2: x = 7 -> 3 + 4 = 7.
    assert_eq!(level.time_for(ns(3)), Ok(ns(7)));
    let server = FixedPriorityServer::new(Source::Unnamed, level, ns(3), ns(10))
        .unwrap_or_else(|needs| panic!("7 <= 10, but {needs:?}"));
    // Nothing for 7; a rest of 1 takes 1 + ceil((x + 5) / 7) 2: x = 5 -> 1 + 4 = 5.
    for (work, time) in [(0, 0), (1, 7 + 5), (3, 7 + 7), (4, 7 + 10 + 5), (7, 7 + 20 + 5)] {
        assert_eq!(server.time_for(ns(work)), Ok(ns(time)), "work {work}");
    }
    let needs =
        FixedPriorityServer::new(Source::Unnamed, level, ns(3), ns(6)).err().expect("7 > 6");
    assert_eq!(needs, Ok(ns(7)));
}

#[test]
fn an_overload_is_seen_at_once() {
    let effort = Effort::default();
    let above = [Load::new(Source::Unnamed, ns(7), ns(6), ns(0))];
    let residual = Residual::new(&Dedicated, Loads::new(&above), &effort);
    assert_eq!(residual.time_for(ns(1)), Err(NoBound::Overload));
}

proptest! {
    /// What the arguments of `fixed_priority_server.rs` and `task_set.rs` need of every supply.
    #[test]
    fn time_grows_at_least_as_fast_as_work(
        (budget, period) in (1_u64..9).prop_flat_map(|budget| (Just(budget), budget..20)),
        cost in 1_u64..4, distance in 4_u64..30, jitter in 0_u64..10,
        work in 1_u64..40, more in 1_u64..10,
    ) {
        let effort = Effort::default();
        let above = [Load::new(Source::Unnamed, ns(cost), ns(distance), ns(jitter))];
        let slot = Table::slot(Source::Unnamed, ns(budget), ns(period));
        let resource = PeriodicResource::new(Source::Unnamed, ns(budget), ns(period), ns(period));
        let level = Residual::new(&Dedicated, Loads::new(&above), &effort);
        let behind = Residual::new(&resource, Loads::new(&above), &effort);
        let turns = Turns::new(&behind, ns(budget), ns(cost));
        let line = resource.linear();
        let mut supplies: Vec<&dyn Supply> =
            vec![&Dedicated, &slot, &resource, &level, &behind, &turns, &line];
        let server = FixedPriorityServer::new(Source::Unnamed, level, ns(budget), ns(period));
        if let Ok(server) = &server {
            supplies.push(server);
        }
        for supply in supplies {
            if let (Ok(less), Ok(both)) = (supply.time_for(ns(work)), supply.time_for(ns(work + more))) {
                prop_assert!(both >= less + ns(more));
                // A window is made of two: what the windows beside soft servers need (`edf/total.rs`).
                if let Ok(rest) = supply.time_for(ns(more)) {
                    prop_assert!(both <= less + rest);
                }
                let rate = Rate::floor(ns(work + more), both);
                prop_assert!(rate <= supply.rate_ceil(), "more than its rate");
            }
        }
    }
}
