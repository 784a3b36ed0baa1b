//! The sporadic server as published exceeds a periodic task; the corrected one does not.
//!
//! ```text
//!  Q=4, T=20. One unit was consumed in an activation opened at 3 and returns at 23.
//!
//!  20  the level becomes active: three units are left and consumed      returns 3 at 40
//!  23  the one returns and opens an activation, but more urgent work runs until 40 …
//!  40  … when the three return. As published they join the activation opened at 23: all four
//!      are consumed and return at once (43 is past), instead of one at 43 and three at 60
//!  44  … so another four are consumed
//!
//!  [20, 48): 3 + 4 + 4 = 11 units in 28 ticks; a periodic task has ceil(28/20)·4 = 8
//! ```

use crate::driver::{Around, around, drawn, drive, excess, level_starts};
use vorrang_mechanisms::server::Sporadic;
use vorrang_time::Duration;

fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

#[test]
fn sporadic_server_as_published_exceeds_a_periodic_task() {
    let history =
        around("...#................ ###xxxxxxxxxxxxxxxxx #################### ##########");
    let (budget, period) = (4, 20);
    let bound = |x: u64| x.div_ceil(period) * budget;

    let ticks = drive(&mut Sporadic::as_published(ns(budget), ns(period)), &history);
    assert_eq!(drawn(&ticks)[20..47], *"###.................#######");
    let begins = |at| level_starts(&ticks, at);
    assert_eq!(excess(&ticks, begins, bound), Some((20, 46)));

    let ticks = drive(&mut Sporadic::new(ns(budget), ns(period)), &history);
    assert_eq!(drawn(&ticks)[20..47], *"###.................####...");
    let begins = |at| level_starts(&ticks, at);
    assert_eq!(excess(&ticks, begins, bound), None);
}

/// The failure needs neither luck nor large numbers: all histories of a few ticks.
#[test]
fn the_smallest_histories_tell_the_two_rules_apart() {
    let (budget, period, length) = (2, 5, 13);
    let mut published = 0;
    for history in 0..3_u64.pow(length) {
        let history = ticks_of(history, length);
        let fails = |mut server: Sporadic| {
            let ticks = drive(&mut server, &history);
            let bound = |x: u64| x.div_ceil(period) * budget;
            excess(&ticks, |at| level_starts(&ticks, at), bound).is_some()
        };
        published += u32::from(fails(Sporadic::as_published(ns(budget), ns(period))));
        assert!(!fails(Sporadic::new(ns(budget), ns(period))), "{history:?}");
    }
    assert!(published > 0, "some history exceeds the bound by the rule as published");
}

/// The digits of a number to base 3: nothing, work, work that is preempted.
fn ticks_of(mut number: u64, length: u32) -> Vec<Around> {
    (0..length)
        .map(|_| {
            let digit = number % 3;
            number /= 3;
            Around { work: digit > 0, preempted: digit == 2 }
        })
        .collect()
}
