//! The three defects of `SCHED_SPORADIC`, each beside the kinds that do not have it.
//!
//! Reference: M. Stanovich, T. Baker, A.-I. Wang, M. González Harbour, Defects of the POSIX
//! sporadic server and how to correct them, RTAS 2010.

use crate::driver::{around, consumed, drawn, drive, excess, level_starts};
use vorrang_mechanisms::server::{PosixSporadic, RefillQueue, SchedDeadline, Server, Sporadic};
use vorrang_time::Duration;

const FULL: u64 = 4;
const PERIOD: u64 = 20;

fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

/// Defect 1: four units are consumed one by one, and from then on there is always work. Each of
/// the four pieces is enforced by a tick of 3, so each returns 3; all that POSIX clamps is the sum
/// of what is there at one instant.
#[test]
fn budget_grows_with_the_granularity_of_its_enforcement() {
    let history = format!("{}{}", "#....".repeat(4), "#".repeat(200));
    let by_period = |server: &mut dyn Server| -> Vec<u64> {
        let ticks = drive(server, &around(&history));
        (0..10).map(|period| consumed(&ticks, 20 * period, 20 * period + 20)).collect()
    };
    let mut posix = PosixSporadic::new(ns(FULL), ns(PERIOD)).with_granularity(ns(3));
    assert_eq!(by_period(&mut posix)[..3], [4, 12, 12]);

    // All that is clamped is what is there at one instant: four units, and two of an overrun.
    let mut posix = PosixSporadic::new(ns(FULL), ns(PERIOD)).with_granularity(ns(3));
    let asleep = format!("{}{}{}", &history[..60], ".".repeat(40), "#".repeat(20));
    let ticks = drive(&mut posix, &around(&asleep));
    assert_eq!(consumed(&ticks, 100, 120), 6);

    // Linux lets the runtime be overdrawn as well, but it is paid.
    let mut linux = SchedDeadline::new(ns(FULL), ns(PERIOD), ns(PERIOD)).with_granularity(ns(3));
    let periods = by_period(&mut linux);
    let mut sum = 0;
    for (number, consumed) in (1..).zip(periods) {
        sum += consumed;
        assert!(sum <= FULL * number + 2, "{sum} in {number} periods");
    }
    // Enforced exactly, the other sporadic servers give no more than their budget.
    assert_eq!(by_period(&mut Sporadic::new(ns(FULL), ns(PERIOD))), [4; 10]);
    assert_eq!(by_period(&mut RefillQueue::new(ns(FULL), ns(PERIOD))), [4; 10]);
    assert_eq!(by_period(&mut PosixSporadic::new(ns(FULL), ns(PERIOD))), [4; 10]);
}

/// Defect 2: Q=2, T=5. The unit consumed at 0 is back at 5, while the server is ready since 2 and
/// waits for more urgent work. Both units are consumed under the activation time 2 and are back at
/// 7, where one is consumed that may not be before 10: five units in nine ticks, where a periodic
/// task has four.
#[test]
fn what_returns_during_an_activation_returns_again_too_early() {
    let history = around("#.xxx####");
    let run = |server: &mut dyn Server| {
        let ticks = drive(server, &history);
        let excess = excess(&ticks, |at| level_starts(&ticks, at), |x| x.div_ceil(5) * 2);
        (drawn(&ticks), excess)
    };
    let expect = |drawn: &str, excess| (drawn.to_owned(), excess);
    assert_eq!(run(&mut PosixSporadic::new(ns(2), ns(5))), expect("#....####", Some((0, 9))));
    assert_eq!(run(&mut Sporadic::new(ns(2), ns(5))), expect("#....###.", None));
    assert_eq!(run(&mut RefillQueue::new(ns(2), ns(5))), expect("#....###.", None));
}

/// Defect 3: a guest that always has work takes all time that is left by more urgent members.
#[test]
fn the_background_has_no_limit() {
    let history = around(&"###xx#####".repeat(20));
    let runs = |server: &mut dyn Server| {
        let ticks = drive(server, &history);
        ticks.iter().filter(|tick| tick.ran || tick.in_background).count() as u64
    };
    assert_eq!(runs(&mut PosixSporadic::new(ns(FULL), ns(PERIOD))), 160);
    assert_eq!(runs(&mut Sporadic::new(ns(FULL), ns(PERIOD))), 40);
    assert_eq!(runs(&mut RefillQueue::new(ns(FULL), ns(PERIOD))), 40);
}
