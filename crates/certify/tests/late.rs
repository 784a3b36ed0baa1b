//! Bounds in and below reservations of Linux that leave out a part of what makes runtimes late.
//!
//! **Model.** The drawn cores of `attacked.rs`. A description that says less than what runs has bounds that are too low, and
//! histories exceed them.

use crate::attacked::{SYSTEMS, with_several, with_tight};
use crate::compared::{certified, seen};
use vorrang_model::System;
use vorrang_model::system::InterruptTime;
use vorrang_time::Duration;

/// A part of what a core states, and how it is forgotten.
type Forget = fn(&mut System);

/// Whether a history of some drawn system is longer than a bound that is certified without this part.
fn is_noticed(drawn: fn(u64) -> System, forget: Forget) -> bool {
    (0..SYSTEMS).any(|seed| {
        let system = drawn(seed);
        let mut said = system.clone();
        forget(&mut said);
        let mut both = certified(&said).into_iter().zip(seen(&system, seed));
        said != system && both.any(|both| matches!(both, (Ok(of), Some(worst)) if worst > of.bound))
    })
}

#[test]
fn what_makes_runtimes_late_is_noticed_where_it_is_left_out() {
    let no_overruns: Forget = |said| said.supplies[0].overrun = Duration::ZERO;
    let not_charged: Forget = |said| said.supplies[0].interrupt_time = InterruptTime::Apart;
    let no_sections: Forget = |said| said.supplies[0].sections = Duration::ZERO;
    assert!(is_noticed(with_several, no_overruns), "overruns, for what is below");
    assert!(is_noticed(with_tight, not_charged), "charged interrupts");
    assert!(is_noticed(with_tight, no_sections), "sections");
}
