//! Tasks that arrive by the clock, beside everything else that is drawn.

use std::num::NonZeroU64;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;

#[test]
fn tasks_by_the_clock_keep_to_their_bounds() {
    let effort = Effort {
        offsets_one_in: NonZeroU64::new(1),
        chained_one_in: NonZeroU64::new(3),
        forked_one_in: NonZeroU64::new(4),
        designed_one_in: u64::MAX,
        ..Effort::quick()
    };
    let tally = run(7, 1..160, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let of = |feature| tally.coverage.of(feature);
    let beside = [
        "of tasks",
        "with jitter",
        "with logical execution time",
        "of a source of wake-ups",
        "under edf",
        "in turns",
        "in a server",
    ];
    for beside in beside {
        assert!(of(("offset", beside)) >= 10, "{beside}: {}", of(("offset", beside)));
    }
    assert!(tally.bounded_tasks * 8 > tally.tasks, "{} of {}", tally.bounded_tasks, tally.tasks);
}
