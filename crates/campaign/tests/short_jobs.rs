//! Jobs of tasks on the core that are too short for a cold cache to become warm: no history exceeds a bound.

use crate::common::{Longest, drawn_jobs};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, Simulator};
use vorrang_time::Instant;

const SYSTEMS: u64 = 400;
const HISTORIES: u32 = 25;
const END: Instant = Instant::from_ns(3_000);

/// A quantum or a slice of so many nanoseconds.
fn turn(key: &str, random: &mut Random) -> String {
    format!("{key} = \"{}ns\"\n", random.between(4, 30))
}

/// Two to four tasks with caches that are warm long after a job is done, sometimes with jitter, sections, slices and turns; in ns.
fn draw(random: &mut Random) -> String {
    let scheduler = random.one_of(&["fixed-priority", "fixed-priority", "linux", "edf", "vtrr"]);
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{}ns\"\ncontext-switch = \"{}ns\"\n\
         [core.0]\nscheduler = \"{scheduler}\"\n",
        random.below(2),
        random.below(2)
    );
    match scheduler {
        "linux" => text += "fair-server = \"none\"\n",
        "vtrr" => text.push_str(&turn("quantum", random)),
        "fixed-priority" if random.chance(1, 3) => text.push_str(&turn("time-slice", random)),
        _ => {}
    }
    for number in 0..2 {
        let _ = writeln!(
            text,
            "[cache.c{number}]\nmodel = \"{}\"\nuseful = \"{}%\"\nsustained = \"{}ns\"",
            random.one_of(&["flood", "exponential"]),
            random.one_of(&[0, 9, 30, 60, 80]),
            random.between(2, 60)
        );
    }
    let by_priority = matches!(scheduler, "fixed-priority" | "linux");
    let tasks = random.between(2, 4);
    for number in 0..tasks {
        let wcet = random.between(1, 12);
        let period = random.between(40, 260) * tasks;
        let _ = writeln!(
            text,
            "[task.t{number}]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"{period}ns\"\n\
             cache = \"cache.c{}\"",
            random.below(2)
        );
        if by_priority {
            let _ = writeln!(text, "priority = {}", 1 + random.below(tasks));
            if random.chance(1, 4) {
                let _ = writeln!(text, "blocking = \"{}ns\"", random.between(1, 8));
            }
        }
        if scheduler == "vtrr" {
            let _ = writeln!(text, "share = {}", random.between(1, 3));
        }
        if random.chance(1, 4) {
            let _ = writeln!(text, "jitter = \"{}ns\"", random.between(1, 2 * period));
        }
    }
    text
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    let near = random.between(1, 60);
    for (task, script) in system.tasks.iter().zip(&mut history.scripts) {
        let jobs = (random.below(near), 12);
        *script = drawn_jobs(task, jobs, false, random);
    }
    history
}

#[test]
fn no_bound_of_short_jobs_is_exceeded() {
    let (mut bounded, mut reached, mut near) = (0, 0, 0);
    for index in 0..SYSTEMS {
        let mut random = Random::new(44, index);
        let text = draw(&mut random);
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        let known = bounds(&system);
        let mut longest = Longest::new(&system);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..HISTORIES {
            let history = history(&system, &mut random);
            simulator.run(&history, END, &mut longest);
        }
        for (id, seen) in longest.0.iter().enumerate() {
            let Some(bound) = known.task(TaskId(id)).bound() else { continue };
            let name = &system.tasks[id].name;
            assert!(*seen <= bound, "system {index}: {name} took {seen} of {bound}\n{text}");
            bounded += 1;
            reached += u32::from(*seen == bound);
            near += u32::from(seen.as_ns() * 10 >= bound.as_ns() * 9);
        }
    }
    println!("{bounded} bounds, {reached} reached, {near} within a tenth");
    assert!(bounded > 700 && near > 60, "{bounded} {reached} {near}");
}
