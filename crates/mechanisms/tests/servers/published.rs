//! The sporadic server as published exceeds a periodic task, and a plain correction provides too
//! little; the queue of refills does neither.
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

use crate::activations::Activations;
use crate::driver::{Around, around, consumed, drawn, drive, excess, level_starts};
use vorrang_mechanisms::server::{Server, Sporadic};
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

    let ticks = drive(&mut Activations::as_published(ns(budget), ns(period)), &history);
    assert_eq!(drawn(&ticks)[20..47], *"###.................#######");
    let begins = |at| level_starts(&ticks, at);
    assert_eq!(excess(&ticks, begins, bound), Some((20, 46)));

    let ticks = drive(&mut Sporadic::new(ns(budget), ns(period)), &history);
    assert_eq!(drawn(&ticks)[20..47], *"###.................#####..");
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
        let mut as_published = Activations::as_published(ns(budget), ns(period));
        published += u32::from(exceeds(&mut as_published, &history, (budget, period)));
        let mut sporadic = Sporadic::new(ns(budget), ns(period));
        assert!(!exceeds(&mut sporadic, &history, (budget, period)), "{history:?}");
    }
    assert!(published > 0, "some history exceeds the bound by the rule as published");
}

/// Whether the server consumes more than a periodic task, in some window that starts when its
/// level becomes active.
fn exceeds(server: &mut impl Server, history: &[Around], (budget, period): (u64, u64)) -> bool {
    let ticks = drive(server, history);
    let bound = |x: u64| x.div_ceil(period) * budget;
    excess(&ticks, |at| level_starts(&ticks, at), bound).is_some()
}

/// One tick of more urgent work every four, and a guest that has work throughout from some
/// instant on: Davis and Burns bound the time it takes to receive any amount.
#[test]
fn joining_the_later_piece_provides_too_little() {
    let (budget, period, before, during) = (2, 3, 10, 30);
    let longest = |work: u64| {
        let whole = work.div_ceil(budget) - 1;
        // What is left takes that and one tick for every four begun.
        let last = [2, 3][usize::try_from(work - whole * budget - 1).unwrap()];
        (period - budget) + whole * period + last
    };
    let provides_too_little = |server: &mut dyn Server, history: &[Around]| {
        let ticks = drive(server, history);
        (1..during as u64 / 2).any(|work| {
            let until = before + usize::try_from(longest(work)).unwrap();
            consumed(&ticks, before, until) < work
        })
    };
    let mut too_little = 0;
    for (history, phase) in
        (0..1_u64 << before).flat_map(|bits| (0..4).map(move |phase| (bits, phase)))
    {
        let work = |tick: usize| tick >= before || history >> tick & 1 == 1;
        let history: Vec<Around> = (0..before + during)
            .map(|tick| Around { work: work(tick), preempted: tick % 4 == phase })
            .collect();
        let mut sporadic = Sporadic::new(ns(budget), ns(period));
        assert!(!provides_too_little(&mut sporadic, &history), "{history:?}");
        let mut joining = Activations::joining_later(ns(budget), ns(period));
        too_little += u32::from(provides_too_little(&mut joining, &history));
    }
    assert!(too_little > 0, "some history receives less by the rule that joins the later piece");
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
