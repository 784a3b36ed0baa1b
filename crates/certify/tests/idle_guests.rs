//! Certified bounds from an idle guest on, beside histories of the simulator.
//!
//! **Model.** The guests of `idle`. No response is longer than its certified bound. Errors that are planted are noticed: what
//! is certified of a deferrable server is asked of one that loses its budget, and of a guest with one task more.

use crate::compared::seen;
use crate::idle::{drawn, system};
use vorrang_certificate::{Certificate, Order};
use vorrang_certify::{Search as Windows, of_task};
use vorrang_model::System;

const SYSTEMS: u64 = 200;

fn systems() -> u64 {
    let stated = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    stated.unwrap_or(SYSTEMS)
}

/// What is certified so, of each task.
fn from_idle(system: &System) -> Vec<Option<Certificate>> {
    let mut windows = Windows::new(4_000_000);
    let all = system.task_ids().map(|id| of_task(system, id, &mut windows).ok());
    all.map(|found| found.filter(|of| matches!(of.order, Order::FromIdle { .. }))).collect()
}

/// The same text with one task more, more urgent than all others, at its end.
fn with_another(text: &str) -> String {
    format!(
        "{text}[task.more]\non = \"server.guest\"\nwcet = \"4ns\"\nperiod = \"60ns\"\npriority = 9\n\
         deadline = \"none\"\n"
    )
}

#[test]
fn no_history_exceeds_a_certified_bound_from_idle_on() {
    let (mut compared, mut reached, mut planted) = (0_u32, 0_u32, [0_u32; 2]);
    for seed in 0..systems() {
        let text = drawn(seed);
        let found = from_idle(&system(&text));
        if found.iter().all(Option::is_none) {
            continue;
        }
        for (of, response) in found.iter().zip(seen(&system(&text), seed)) {
            let (Some(of), Some(response)) = (of, response) else { continue };
            compared += 1;
            reached += u32::from(response == of.bound);
            assert!(response <= of.bound, "{seed}: {response} > {}: {text}", of.bound);
        }
        let polling = text.replace("\"deferrable\"", "\"polling\"");
        for (which, wrong) in [polling, with_another(&text)].iter().enumerate() {
            for (of, response) in found.iter().zip(seen(&system(wrong), seed)) {
                let (Some(of), Some(response)) = (of, response) else { continue };
                planted[which] += u32::from(response > of.bound);
            }
        }
    }
    println!("{compared}, {reached}, {planted:?}");
    assert!(compared > 100 && reached > 20, "{compared}, {reached}");
    assert!(planted.iter().all(|&count| count > 20), "{planted:?}");
}
