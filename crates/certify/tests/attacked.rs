//! Certified bounds of drawn cores with one reservation of Linux, beside histories of the simulator.
//!
//! **Model.** A core under Linux with calls, a section, late runtimes and charged interrupts; one task in a reservation
//! with little to spare, interrupts with and without a task, tasks below. No response is longer than its certified bound.

use vorrang_certify::{Search as Windows, of_interrupt, of_task};
use vorrang_model::{Format, System, read};
use vorrang_random::Random;
use vorrang_sim::{Search, Worst, search};
use vorrang_time::Duration;

const SYSTEMS: u64 = 60;

fn drawn(seed: u64) -> System {
    let mut random = Random::new(4949, seed);
    let mut one = |low: u64, high: u64| random.between(low, high);
    let cost = one(20, 400);
    let period = one(8, 40) * 100;
    // From too little to plenty.
    let budget = (cost + one(0, 150)).min(period);
    let every = one(budget.div_ceil(100).max(5), period.div_ceil(100)) * 100;
    let (call, section, overrun) = (one(0, 9), one(0, 14), one(0, 90));
    let (entry, field) = (one(1, 9), one(5, 30) * 100);
    let (jitter, below, order) = (one(0, 300), one(10, 80), ["first-come", "priority", "nested"]);
    let order = order[usize::try_from(one(0, 2)).expect("one of three")];
    let text = format!(
        r#"
        version = 1
        [costs]
        scheduler-call = "{call}us"
        [core.0]
        scheduler = "linux"
        fair-server = "none"
        interrupts = "{order}"
        sections = "{section}us"
        overrun = "{overrun}us"
        [vcpu.rt]
        on = "core.0"
        server = "sched-deadline"
        budget = "{budget}us"
        period = "{every}us"
        [task.inside]
        on = "vcpu.rt"
        wcet = "{cost}us"
        period = "{period}us"
        jitter = "{jitter}us"
        [interrupt.timer]
        on = "core.0"
        isr = "{entry}us"
        min-interarrival = "{field}us"
        [interrupt.field]
        on = "core.0"
        isr = "3us"
        min-interarrival = "{field}us"
        wakes = "task.field"
        [task.field]
        on = "core.0"
        wcet = "{below}us"
        priority = 9
        [task.rest]
        on = "core.0"
        wcet = "{below}us"
        period = "5ms"
        priority = 1
        "#
    );
    let text = if order == "first-come" {
        text
    } else {
        text.replace("isr =", "priority = 3\n        isr =")
    };
    read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

#[test]
fn no_history_exceeds_a_certified_bound_beside_a_reservation() {
    let mut compared = [0_u32; 5];
    for seed in 0..SYSTEMS {
        let system = drawn(seed);
        let limits = Search { seed, runs: 12, climbs: 12, work: 20_000, ..Search::default() };
        let seen = search(&system, &limits);
        let mut windows = Windows::new(1_000_000);
        let tasks = system.task_ids().map(|id| of_task(&system, id, &mut windows));
        let mut found: Vec<_> = tasks.collect();
        found.extend(system.interrupt_ids().map(|id| of_interrupt(&system, id, &mut windows)));
        let worst: Vec<&Option<Worst>> = seen.tasks.iter().chain(&seen.interrupts).collect();
        for (place, (found, worst)) in found.iter().zip(worst).enumerate() {
            let (Ok(found), Some(worst)) = (found, worst) else { continue };
            compared[place] += 1;
            let bound = Duration::from_ns(found.bound);
            assert!(worst.response <= bound, "{seed}, {place}: {:?} > {bound:?}", worst.response);
        }
    }
    // Some runtimes may be used up, and the tasks of such systems are not certified.
    let reserved = u64::from(compared[0]);
    assert!((SYSTEMS / 4..SYSTEMS).contains(&reserved), "{compared:?}");
    assert!(compared.iter().all(|&count| count > 10), "{compared:?}");
}
