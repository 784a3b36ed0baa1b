//! Timers of guests that pseudo-VCPUs pay for, beside everything else that is drawn.

use std::num::NonZeroU64;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;

#[test]
fn paid_timers_keep_to_their_bounds() {
    let effort = Effort {
        paid_timers_one_in: NonZeroU64::new(1),
        shielded_one_in: NonZeroU64::new(4),
        designed_one_in: u64::MAX,
        ..Effort::quick()
    };
    let tally = run(7, 1..250, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let of = |feature| tally.coverage.of(feature);
    assert!(of(("pseudo-vcpu", "of a timer")) >= 100, "{}", of(("pseudo-vcpu", "of a timer")));
    assert!(of(("shield", "beside a pseudo-VCPU")) >= 10);
}
