//! Tasks whose distances are stated for some arrivals only: no history exceeds a bound of them.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use vorrang_analysis::bounds;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;
use vorrang_campaign::random::Random;
use vorrang_model::{Format, read};
use vorrang_sim::search;

const SYSTEMS: u64 = 300;

/// The first distances, and some of later arrivals.
fn distances(random: &mut Random) -> String {
    let (mut stated, mut least, mut steps) = (Vec::new(), 0, random.between(1, 4));
    for _ in 0..steps {
        least += random.between(1, 6);
        stated.push(format!("\"{least}us\""));
    }
    for place in 1..=random.between(1, 3) {
        steps += random.between(2, 6);
        least += random.between(2, 40) * place;
        stated.push(format!("\"{steps}: {least}us\""));
    }
    stated.join(", ")
}

fn draw(random: &mut Random) -> String {
    let scheduler = random.one_of(&["fixed-priority", "edf"]);
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    for task in 0..random.between(1, 3) {
        let (distances, wcet) = (distances(random), random.between(1, 3));
        let _ = writeln!(
            text,
            "[task.t{task}]\non = \"core.0\"\nwcet = \"{wcet}us\"\nmin-distances = [{distances}]\ndeadline = \"{}us\"",
            random.between(20, 200)
        );
        if scheduler == "fixed-priority" {
            let _ = writeln!(text, "priority = {}", random.between(1, 3));
        }
        if random.chance(1, 5) {
            let _ = writeln!(text, "jitter = \"{}us\"", random.between(1, 10));
        }
    }
    text
}

#[test]
fn no_bound_is_exceeded_by_what_comes_as_dense_as_stated() {
    let (mut bounded, mut reached) = (0, 0);
    for index in 0..SYSTEMS {
        let text = draw(&mut Random::new(48, index));
        let system = read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?} in\n{text}"));
        let (known, seen) = (bounds(&system), search(&system, &Effort::quick().search));
        for (id, worst) in system.task_ids().zip(&seen.tasks) {
            let (Some(bound), Some(worst)) = (known.task(id).bound(), worst) else { continue };
            assert!(worst.response <= bound, "{index}: {} of {bound} in\n{text}", worst.response);
            bounded += 1;
            reached += u64::from(worst.response == bound);
        }
    }
    assert!(bounded > 150 && reached * 3 > bounded, "{reached} of {bounded}");
}

/// Beside everything else that is drawn.
#[test]
fn systems_with_later_distances_keep_to_their_bounds() {
    let distances_one_in = NonZeroU64::new(1);
    let effort = Effort { distances_one_in, designed_one_in: u64::MAX, ..Effort::quick() };
    let tally = run(48, 1..200, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    let of = |feature| tally.coverage.of(("burst", feature));
    for beside in [
        "of tasks, by later arrivals",
        "of interrupts, by later arrivals",
        "beside cold caches",
        "beside network cards",
        "in a server",
    ] {
        assert!(of(beside) >= 10, "{beside}: {}", of(beside));
    }
    assert!(tally.bounded_tasks * 8 > tally.tasks, "{} of {}", tally.bounded_tasks, tally.tasks);
}
