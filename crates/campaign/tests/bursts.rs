//! Arrivals in bursts, beside everything else that is drawn.

use std::num::NonZeroU64;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;

#[test]
fn bursts_keep_to_their_bounds() {
    let every = NonZeroU64::new(1);
    let effort = Effort { bursts_one_in: every, designed_one_in: u64::MAX, ..Effort::quick() };
    let tally = run(5, 1..200, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let of = |feature| tally.coverage.of(feature);
    for beside in ["of tasks", "of interrupts", "with jitter", "under edf", "in a server"] {
        assert!(of(("burst", beside)) >= 10, "{beside}: {}", of(("burst", beside)));
    }
    assert!(tally.bounded_tasks * 8 > tally.tasks, "{} of {}", tally.bounded_tasks, tally.tasks);
}
