//! Certified bounds on a core where calls and switches cost, beside histories of the simulator.
//!
//! **Model.** A core by priority with interrupts, tasks, some of equal priority, and servers of three kinds, with tasks and
//! an interrupt in them. No response is longer than its certified bound, and some come near.

use crate::called::{drawn, system, task};
use crate::compared::{certified, seen};
use vorrang_certificate::{Certificate, Member, Supply};
use vorrang_certify::Uncertified;

const SYSTEMS: u64 = 60;

fn has_kernel(of: &Certificate) -> bool {
    let is_kernel =
        |members: &[Member]| members.iter().any(|of| matches!(of, Member::Kernel { .. }));
    is_kernel(&of.urgent) || matches!(&of.on, Supply::Server(on) if is_kernel(&on.urgent))
}

#[test]
fn no_history_exceeds_a_certified_bound_where_calls_and_switches_cost() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    // On the core, in servers.
    let (mut compared, mut nearest) = ([0_u32; 2], [0; 2]);
    for seed in 0..systems.unwrap_or(SYSTEMS) {
        let system = system(&drawn(seed));
        for (place, (found, worst)) in
            certified(&system).iter().zip(seen(&system, seed)).enumerate()
        {
            let (Ok(found), Some(response)) = (found, worst) else { continue };
            let kind = usize::from(found.on != Supply::Core);
            compared[kind] += u32::from(has_kernel(found));
            assert!(response <= found.bound, "{seed}, {place}: {response} > {}", found.bound);
            nearest[kind] = nearest[kind].max(response * 100 / found.bound);
        }
    }
    println!("{compared:?}, {nearest:?}");
    assert!(compared.iter().all(|&count| count > 50), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 75), "{nearest:?} of {compared:?}");
}

/// With costs that are one less the bounds are too low: histories exceed them.
#[test]
fn a_cost_that_is_one_less_is_noticed() {
    let mut exceeded = [false; 2];
    for seed in 0..SYSTEMS {
        let text = drawn(seed);
        for (which, cost) in ["scheduler-call", "context-switch"].into_iter().enumerate() {
            let less = (1..5).find_map(|of: u64| {
                let stated = format!("{cost} = \"{of}ns\"");
                text.contains(&stated)
                    .then(|| text.replace(&stated, &format!("{cost} = \"{}ns\"", of - 1)))
            });
            let Some(less) = less.filter(|_| !exceeded[which]) else { continue };
            let found = certified(&system(&less)).into_iter().zip(seen(&system(&text), seed));
            exceeded[which] |= found.into_iter().any(|(found, worst)| {
                matches!((found, worst), (Ok(found), Some(worst)) if worst > found.bound)
            });
        }
        if exceeded == [true; 2] {
            return;
        }
    }
    panic!("{exceeded:?}");
}

/// What the theorem leaves out is refused: a section of less urgent work, an equal of a server, two contexts in one, and
/// a budget that returns in pieces.
#[test]
fn what_is_not_counted_is_refused() {
    let text = "version = 1\n[costs]\ncontext-switch = \"1ns\"\n[core.0]\nscheduler = \"fixed-priority\"\n\
                [server.s]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"9ns\"\nperiod = \"90ns\"\n\
                priority = 8\n"
        .to_owned()
        + &task("a", "server.s", (1, 90, 0), 2)
        + &task("b", "core.0", (1, 90, 0), 9);
    let is_refused = |text: &str| {
        let found = certified(&system(text));
        let why = Err(Uncertified::not_mechanised("calls of the scheduler", "scheduler-costs"));
        found.iter().all(|found| *found == why)
    };
    assert!(certified(&system(&text)).iter().all(Result::is_ok));
    assert!(is_refused(&text.replace("priority = 9\n", "priority = 9\nblocking = \"1ns\"\n")));
    assert!(is_refused(&text.replace("priority = 9\n", "priority = 8\n")));
    assert!(is_refused(&(text.clone() + &task("c", "server.s", (1, 90, 0), 1))));
    assert!(is_refused(&text.replace("deferrable", "sporadic")));
}
