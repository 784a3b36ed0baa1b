//! Certified bounds on a core whose contexts find cold caches, beside histories of the simulator.
//!
//! **Model.** The cores of `called/mod.rs` with the caches of `cached/mod.rs`. No response is
//! longer than its certified bound, and some come near.

use crate::cached::{Curve, cached, curve};
use crate::called::{drawn, system, task};
use crate::compared::{certified, seen};
use vorrang_certificate::{Certificate, Member, Supply};
use vorrang_certify::Uncertified;

const SYSTEMS: u64 = 60;

/// 0: its certificate rests on what tasks of the core lose; 1: on what the context of its server does.
fn rests_on(of: &Certificate) -> Option<usize> {
    let are_cold = |of: &[Member]| of.iter().any(|one| matches!(one, Member::Cold { .. }));
    match &of.on {
        Supply::Cold(_) => Some(1),
        Supply::Server(on) if are_cold(&on.urgent) => Some(0),
        _ => are_cold(&of.urgent).then_some(0),
    }
}

#[test]
fn no_history_exceeds_a_certified_bound_where_caches_are_cold() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    let (mut compared, mut nearest) = ([0_u32; 2], [0; 2]);
    for seed in 0..systems.unwrap_or(SYSTEMS) {
        let system = system(&cached(&drawn(seed), seed, &curve(seed)));
        for (place, (found, worst)) in
            certified(&system).iter().zip(seen(&system, seed)).enumerate()
        {
            let (Ok(found), Some(response)) = (found, worst) else { continue };
            assert!(response <= found.bound, "{seed}, {place}: {response} > {}", found.bound);
            let Some(kind) = rests_on(found) else { continue };
            compared[kind] += 1;
            nearest[kind] = nearest[kind].max(response * 100 / found.bound);
        }
    }
    println!("{compared:?}, {nearest:?}");
    assert!(compared.iter().all(|&count| count > 40), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 70), "{nearest:?} of {compared:?}");
}

/// With caches that lose one less the bounds are too low: histories exceed them.
#[test]
fn a_loss_that_is_one_less_is_noticed() {
    let mut exceeded = [false; 2];
    for seed in 0..2 * SYSTEMS {
        let right = Curve { model: "flood", ..curve(seed) };
        let less = Curve { sustained: right.sustained - 2, ..right };
        let less =
            if less.sustained == 0 { Curve { useless: 0, sustained: 2, ..less } } else { less };
        let found = certified(&system(&cached(&drawn(seed), seed, &less)));
        let worst = seen(&system(&cached(&drawn(seed), seed, &right)), seed);
        for (found, worst) in found.iter().zip(worst) {
            if let (Ok(found), Some(worst)) = (found, worst)
                && worst > found.bound
            {
                exceeded[usize::from(matches!(found.on, Supply::Cold(_)))] = true;
            }
        }
        if exceeded == [true; 2] {
            return;
        }
    }
    panic!("{exceeded:?}");
}

/// What the theorem leaves out is refused: a section of less urgent work, slices of time, and a server in such a guest.
#[test]
fn what_is_not_covered_is_refused() {
    let cached = "cache = \"cache.c\"\n";
    let text = "version = 1\n[cache.c]\nmodel = \"flood\"\nuseful = \"50%\"\nsustained = \"2ns\"\n[core.0]\n\
                scheduler = \"fixed-priority\"\n[vcpu.v]\nvm = \"v\"\non = \"core.0\"\nserver = \"deferrable\"\n\
                budget = \"9ns\"\nperiod = \"90ns\"\npriority = 8\nscheduler = \"fixed-priority\"\n\
                cache = \"cache.c\"\n"
        .to_owned()
        + &task("a", "vcpu.v", (1, 90, 0), 2)
        + &task("b", "core.0", (1, 90, 0), 9)
        + cached;
    let is_refused = |text: &str| {
        let found = certified(&system(text));
        let why = Err(Uncertified::not_mechanised("cold caches", "cold-caches"));
        found.iter().all(|found| *found == why)
    };
    assert!(certified(&system(&text)).iter().all(Result::is_ok));
    assert!(is_refused(&text.replace("priority = 9\n", "priority = 9\nblocking = \"1ns\"\n")));
    assert!(is_refused(&text.replace("[vcpu.v]", "time-slice = \"1ms\"\n[vcpu.v]")));
    assert!(is_refused(&text.replace("priority = 9\n", "priority = 8\n")));
    let inner = "[server.s]\non = \"vcpu.v\"\nserver = \"deferrable\"\nbudget = \"2ns\"\nperiod = \"90ns\"\n\
                 priority = 9\n";
    let inner = inner.to_owned() + &task("c", "server.s", (1, 180, 0), 1);
    assert!(is_refused(&(text.clone() + &inner)));
    // A guest whose context loses nothing has servers.
    let warm = text.replacen(&format!("{cached}[task.a]"), "[task.a]", 1);
    assert!(certified(&system(&(warm + &inner))).iter().all(Result::is_ok));
}
