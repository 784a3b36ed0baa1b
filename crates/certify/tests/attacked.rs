//! Certified bounds of drawn cores with reservations of Linux, beside histories of the simulator.
//!
//! **Model.** A core under Linux with calls, a section, late runtimes and charged interrupts; one task in a reservation
//! with little to spare, interrupts with and without a task, tasks below. Or
//! two or three reservations, whose tasks may want more than their runtimes. Or levels, one in the other, with tasks and a
//! server in them. No response is longer than its certified bound.

use vorrang_certify::{Search as Windows, of_interrupt, of_task};
use vorrang_model::system::TaskId;
use vorrang_model::{Format, System, read};
use vorrang_random::Random;
use vorrang_sim::{Search, Worst, search};
use vorrang_time::Duration;

pub(crate) const SYSTEMS: u64 = 60;

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

/// Reservations that may be used up and late, with tasks below.
pub(crate) fn with_several(seed: u64) -> System {
    let mut random = Random::new(4950, seed);
    let mut one = |low: u64, high: u64| random.between(low, high);
    let (call, section, overrun) = (one(0, 5), one(0, 8), one(0, 60));
    let time = ["apart", "charged"][usize::try_from(one(0, 1)).expect("one of two")];
    let (entry, field, below) = (one(1, 5), one(10, 30) * 100, one(10, 80));
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}us\"\n[core.0]\nscheduler = \"linux\"\n\
         fair-server = \"none\"\nsections = \"{section}us\"\noverrun = \"{overrun}us\"\n\
         interrupt-time = \"{time}\"\n[interrupt.field]\non = \"core.0\"\nisr = \"{entry}us\"\n\
         min-interarrival = \"{field}us\"\nwakes = \"task.field\"\n[task.field]\non = \"core.0\"\n\
         wcet = \"{below}us\"\npriority = 9\n[task.rest]\non = \"core.0\"\nwcet = \"{below}us\"\n\
         period = \"10ms\"\npriority = 1\n"
    );
    for place in 0..one(2, 3) {
        let (budget, every) = (one(80, 300), one(10, 30) * 100);
        let period = one(8, 60) * 100;
        let cost = (budget * period / every * one(50, 150) / 100).max(1);
        let jitter = one(0, 200);
        text += &reserved(place, "us", [budget, every, cost, period, jitter]);
    }
    read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

/// The tasks of a drawn system that are certified, by their places, with the longest response that a search finds and the certified
/// bound; no response may be above it.
fn attacked(seed: u64, system: &System) -> Vec<(usize, Duration, Duration)> {
    let limits = Search { seed, runs: 12, climbs: 12, work: 20_000, ..Search::default() };
    let longest = search(system, &limits);
    let mut windows = Windows::new(1_000_000);
    let of_task = |(id, worst): (TaskId, &Option<Worst>)| {
        let bound = Duration::from_ns(of_task(system, id, &mut windows).ok()?.bound);
        let response = worst.as_ref()?.response;
        assert!(response <= bound, "{seed}, {}: {response:?} > {bound:?}", id.0);
        Some((id.0, response, bound))
    };
    system.task_ids().zip(&longest.tasks).filter_map(of_task).collect()
}

#[test]
fn no_history_exceeds_a_certified_bound_below_several_reservations() {
    let (mut compared, mut nearest) = (0_u32, 0);
    for seed in 0..SYSTEMS {
        for (_, seen, bound) in attacked(seed, &with_several(seed)) {
            compared += 1;
            nearest = nearest.max(seen.as_ns() * 100 / bound.as_ns());
        }
    }
    assert!(compared > 60 && nearest > 60, "{compared}, {nearest}");
}

/// Reservations whose tasks often need nearly all of their runtimes, with several jobs a runtime or several runtimes a job.
pub(crate) fn with_tight(seed: u64) -> System {
    let mut random = Random::new(4952, seed);
    let time = ["apart", "charged"][usize::from(random.chance(1, 2))];
    let mut one = |low: u64, high: u64| random.between(low, high);
    // Often without what makes servers late.
    let [call, section, overrun, isr] = [1, 3, 4, 2].map(|most| rarely(&mut one, most));
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\n[core.0]\nscheduler = \"linux\"\n\
         fair-server = \"none\"\nsections = \"{section}ns\"\noverrun = \"{overrun}ns\"\n\
         interrupt-time = \"{time}\"\n"
    );
    if isr > 0 {
        let field = one(60, 300);
        let interrupt = format!(
            "[interrupt.field]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{field}ns\"\n"
        );
        text.push_str(&interrupt);
    }
    let (count, shares) = (one(1, 3), one(40, 95));
    for place in 0..count {
        let every = one(30, 120);
        let budget = (every * shares / (100 * count)).max(2);
        let period = every * one(15, 320) / 100;
        // Beyond the bandwidth there is no bound.
        let cost = (budget * period * one(30, 100) / (100 * every)).max(1);
        let jitter = rarely(&mut one, 60);
        text += &reserved(place, "ns", [budget, every, cost, period, jitter]);
    }
    read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

/// A reservation with one task in it, in this unit: its budget and period; wcet, period and jitter of the task.
fn reserved(place: u64, unit: &str, [budget, every, wcet, period, jitter]: [u64; 5]) -> String {
    format!(
        "[server.s{place}]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"{budget}{unit}\"\n\
         period = \"{every}{unit}\"\n[task.t{place}]\non = \"server.s{place}\"\nwcet = \"{wcet}{unit}\"\n\
         period = \"{period}{unit}\"\njitter = \"{jitter}{unit}\"\ndeadline = \"none\"\n"
    )
}

fn rarely(one: &mut impl FnMut(u64, u64) -> u64, most: u64) -> u64 {
    one(0, 1) * one(0, most)
}

#[test]
fn no_history_exceeds_a_certified_bound_beside_other_reservations() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    let (mut compared, mut nearest) = (0_u32, [0_u32; 11]);
    for seed in 0..systems.unwrap_or(2 * SYSTEMS) {
        for (_, seen, bound) in attacked(seed, &with_tight(seed)) {
            compared += 1;
            nearest[usize::try_from(seen.as_ns() * 10 / bound.as_ns()).expect("at most ten")] += 1;
        }
    }
    // Some histories take nearly as long.
    assert!(compared > 100 && nearest[9] + nearest[10] > 2, "{compared}, {nearest:?}");
}

/// Two levels of a core, the second with a server or a third level in it.
fn with_levels(seed: u64) -> System {
    let mut random = Random::new(4951, seed);
    let scheduler = ["fixed-priority", "edf"][usize::from(random.chance(1, 4))];
    let inner = ["deferrable", "sporadic", "polling", "none"];
    let inner = inner[usize::try_from(random.below(4)).expect("one of four")];
    let mut one = |low: u64, high: u64| random.between(low, high);
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.i]\non = \"core.0\"\nisr = \"1ns\"\n\
         min-interarrival = \"{}ns\"\nwakes = \"task.i\"\n[task.i]\non = \"server.a\"\nwcet = \"1ns\"\n\
         priority = 3\ndeadline = \"90ns\"\n[server.a]\non = \"core.0\"\nserver = \"none\"\npriority = 6\n\
         blocking = \"{}ns\"\nscheduler = \"{scheduler}\"\n[server.b]\non = \"core.0\"\nserver = \"none\"\n\
         priority = 4\nscheduler = \"fixed-priority\"\n[server.c]\non = \"server.b\"\nserver = \"{inner}\"\n\
         priority = 5\nscheduler = \"fixed-priority\"\n",
        one(9, 20),
        one(0, 1) * one(0, 3)
    );
    if inner != "none" {
        let reserved = format!("budget = \"{}ns\"\nperiod = \"{}ns\"\n", one(2, 4), one(12, 20));
        text.push_str(&reserved);
    }
    for (name, on) in [
        ("first", "core.0"),
        ("last", "core.0"),
        ("a1", "server.a"),
        ("a2", "server.a"),
        ("b1", "server.b"),
        ("c1", "server.c"),
    ] {
        let priority = match name {
            "first" => 7,
            "last" => 1,
            _ => one(2, 4),
        };
        let (wcet, period, jitter) = (one(1, 3), one(20, 60), one(0, 15));
        let task = format!(
            "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
             priority = {priority}\ndeadline = \"200ns\"\n"
        );
        text.push_str(&task);
    }
    let of_deadlines = scheduler == "edf";
    let text = if of_deadlines { without_priorities_in_a(&text) } else { text };
    read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

/// Members of a supply under EDF have none.
fn without_priorities_in_a(text: &str) -> String {
    let tables = text.split("\n[").map(|table| {
        let mut lines: Vec<&str> = table.lines().collect();
        if lines.contains(&"on = \"server.a\"") {
            lines.retain(|line| !line.starts_with("priority"));
        }
        lines.join("\n")
    });
    tables.collect::<Vec<_>>().join("\n[")
}

#[test]
fn no_history_exceeds_a_certified_bound_in_a_level() {
    let (mut compared, mut reached) = ([0_u32; 7], [0_u32; 7]);
    for seed in 0..SYSTEMS {
        for (place, seen, bound) in attacked(seed, &with_levels(seed)) {
            compared[place] += 1;
            reached[place] += u32::from(seen == bound);
        }
    }
    assert!(compared.iter().all(|&count| count > 30), "{compared:?}");
    // What an interrupt wakes counts the routine twice.
    assert!(reached[1..].iter().all(|&count| count > 2), "{reached:?} of {compared:?}");
}

/// Slots of a core with interrupts, in them tasks by priority, and a server with one.
fn with_slots(seed: u64) -> System {
    let mut random = Random::new(4953, seed);
    let inner = ["deferrable", "sporadic", "polling", "periodic"];
    let inner = inner[usize::try_from(random.below(4)).expect("one of four")];
    let mut one = |low: u64, high: u64| random.between(low, high);
    let (period, budget) = (one(12, 20), one(4, 8));
    let (first, second) = (one(0, 12 - budget), one(1, 3));
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"slots\"\n[interrupt.i]\non = \"core.0\"\nisr = \"1ns\"\n\
         min-interarrival = \"{}ns\"\nwakes = \"task.woken\"\n[server.a]\non = \"core.0\"\n\
         server = \"slot\"\noffset = \"{first}ns\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         scheduler = \"fixed-priority\"\n[server.b]\non = \"server.a\"\nserver = \"{inner}\"\n\
         budget = \"{second}ns\"\nperiod = \"{}ns\"\npriority = 5\nscheduler = \"fixed-priority\"\n",
        one(6, 30),
        one(40, 60)
    );
    for (name, on, priority) in
        [("first", "server.a", 6), ("last", "server.a", 1), ("inner", "server.b", 1)]
    {
        let (wcet, every, jitter) = (one(1, 3), one(60, 120), one(0, 15));
        let task = format!(
            "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{every}ns\"\n\
             jitter = \"{jitter}ns\"\npriority = {priority}\ndeadline = \"none\"\n"
        );
        text.push_str(&task);
    }
    text += "[task.woken]\non = \"server.a\"\nwcet = \"1ns\"\npriority = 7\ndeadline = \"none\"\n";
    read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

#[test]
fn no_history_exceeds_a_certified_bound_in_a_slot() {
    let (mut compared, mut nearest) = ([0_u32; 4], [0; 4]);
    for seed in 0..SYSTEMS {
        for (place, seen, bound) in attacked(seed, &with_slots(seed)) {
            compared[place] += 1;
            nearest[place] = nearest[place].max(seen.as_ns() * 100 / bound.as_ns());
        }
    }
    assert!(compared.iter().all(|&count| count > 10), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 85), "{nearest:?} of {compared:?}");
}
