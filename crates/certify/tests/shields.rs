//! Certified bounds on a core whose timers wait behind a shield, beside histories of the simulator.
//!
//! **Model.** No response of the systems of `shielded/` is longer than its certified bound, and some come near.

use crate::compared::{certified, seen};
use crate::shielded::{drawn, of_task as described, system};
use vorrang_certificate::{Certificate, Member};
use vorrang_certify::Uncertified;
use vorrang_model::System;
use vorrang_model::system::{Activation, Task};

const SYSTEMS: u64 = 60;

/// Whether a bound counts timers that have waited for the longest deferral.
fn is_overdue(of: &Certificate) -> bool {
    of.urgent.iter().any(|member| match member {
        Member::Timers(of) => {
            of.deferral.is_some_and(|most| of.timers.iter().any(|timer| timer.latency > most))
        }
        _ => false,
    })
}

#[test]
fn no_history_exceeds_a_certified_bound_behind_a_shield() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    // Woken on the core, in a server, not by a timer; and beside timers that have waited for too long.
    let (mut compared, mut nearest) = ([0_u32; 4], [0; 4]);
    for seed in 0..systems.unwrap_or(SYSTEMS) {
        let system = system(&drawn(seed, 1 + seed % 3));
        let found = certified(&system);
        for (place, (found, worst)) in found.iter().zip(seen(&system, seed)).enumerate() {
            let (Ok(found), Some(response)) = (found, worst) else { continue };
            let on_core = |task: &Task| system.supply(task.on).is_core();
            let kind = match system.tasks.get(place) {
                _ if is_overdue(found) => 3,
                Some(task) if matches!(task.activation, Activation::Timer(_)) => {
                    usize::from(!on_core(task))
                }
                _ => 2,
            };
            compared[kind] += 1;
            assert!(response <= found.bound, "{seed}, {place}: {response} > {}", found.bound);
            nearest[kind] = nearest[kind].max(response * 100 / found.bound);
        }
    }
    println!("{compared:?}, {nearest:?}");
    assert!(compared.iter().all(|&count| count > 20), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 35), "{nearest:?} of {compared:?}");
}

/// With a callback that takes one less the bounds are too low: histories exceed them.
#[test]
fn a_callback_that_takes_one_less_is_noticed() {
    let is_exceeded = |seed: u64| {
        let found = certified(&system(&drawn(seed, 2))).into_iter();
        found.zip(seen(&system(&drawn(seed, 3)), seed)).any(|(found, worst)| {
            matches!((found, worst), (Ok(found), Some(worst)) if worst > found.bound)
        })
    };
    assert!((0..SYSTEMS).any(is_exceeded));
}

/// What has waited comes together: the bound of a core that handles what expires at once is exceeded, that of the
/// shield is not.
#[test]
fn timers_that_have_waited_are_noticed() {
    let text = "version = 1\n[costs]\ntimer-expiry = \"2ns\"\n[core.0]\nscheduler = \"fixed-priority\"\n\
                timers = \"timershield\"\n[interrupt.field]\non = \"core.0\"\nisr = \"1ns\"\n\
                min-interarrival = \"61ns\"\nwakes = \"task.a\"\n[task.a]\non = \"core.0\"\nwcet = \"1ns\"\n\
                priority = 9\ndeadline = \"none\"\n"
        .to_owned()
        + &described("b", "core.0", (50, 100, 100), 8, false)
        + &described("c", "core.0", (1, 1000, 10), 1, false);
    let shielded = system(&text);
    let bound = |of: &System| certified(of).swap_remove(0).map(|found| found.bound);
    let worst = seen(&shielded, 1)[0].expect("it has jobs");
    let open = bound(&system(&text.replace("timershield", "hrtimer")));
    assert!(open.is_ok_and(|bound| worst > bound), "{worst}");
    assert!(bound(&shielded).is_ok_and(|bound| worst <= bound), "{worst}");
}

/// Calls, sections and what blocks are not in the theorem, neither are callbacks that take no time.
#[test]
fn what_the_theorem_does_not_know_is_refused() {
    let text = drawn(0, 1);
    assert!(certified(&system(&text)).iter().any(Result::is_ok));
    let what = "timers behind a shield beside calls, sections or other members";
    let why = Err(Uncertified::not_mechanised(what, "timer-shield"));
    let refused = [
        ("[costs]", "[costs]\nscheduler-call = \"1ns\""),
        ("[costs]", "[costs]\ncontext-switch = \"1ns\""),
        ("timer-expiry = \"1ns\"", "timer-expiry = \"0ns\""),
        ("[task.t0]", "[task.t0]\nblocking = \"1ns\""),
    ];
    for (from, to) in refused {
        assert!(text.contains(from), "{from}");
        let found = certified(&system(&text.replace(from, to)));
        assert!(found.iter().all(|found| *found == why), "{to}: {found:?}");
    }
}
