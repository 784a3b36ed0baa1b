//! Virtual processors whose budgets are too short for a cold cache to become warm: no history exceeds a bound.

use crate::common::Longest;
use std::fmt::Write as _;
use vorrang_analysis::derivation::{Fact, OfSupply};
use vorrang_analysis::{Derivation, bounds, derived_bounds_of};
use vorrang_campaign::random::Random;
use vorrang_model::system::{RequirementKind, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

const SYSTEMS: u32 = 300;
const HISTORIES: u32 = 30;

/// Two virtual processors with caches, one or two tasks in each, and sometimes a task beside them; in ns.
fn draw(random: &mut Random) -> String {
    let scheduler = random.one_of(&["slots", "fixed-priority", "edf"]);
    let period = random.between(2_000, 40_000);
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{}ns\"\ncontext-switch = \"{}ns\"\n[core.0]\nscheduler = \"{scheduler}\"\n",
        random.below(2) * random.below(50),
        random.below(2) * random.below(50)
    );
    let mut offset = 0;
    for place in 0..2 {
        let budget = random.between(period / 8 + 1, period / 2 - 1);
        let model = random.one_of(&["flood", "exponential", "exponential"]);
        let sustained = random.log_uniform(budget / 8 + 1, 4 * budget);
        let _ = writeln!(
            text,
            "[cache.c{place}]\nmodel = \"{model}\"\nuseful = \"{}%\"\nsustained = \"{sustained}ns\"\n\
             [vcpu.v{place}]\non = \"core.0\"\ncache = \"cache.c{place}\"\nscheduler = \"fixed-priority\"\n\
             budget = \"{budget}ns\"\nperiod = \"{period}ns\"",
            random.below(80)
        );
        match scheduler {
            "slots" => {
                let _ = writeln!(text, "server = \"slot\"\noffset = \"{offset}ns\"");
                offset += budget;
            }
            "edf" => {
                let kind = random.one_of(&["periodic", "polling", "deferrable", "cbs-hard"]);
                let _ = writeln!(text, "server = \"{kind}\"");
            }
            _ => {
                let kind = random.one_of(&["periodic", "polling", "deferrable", "sporadic"]);
                let _ = writeln!(text, "server = \"{kind}\"\npriority = {}", 2 + place);
            }
        }
        for task in 0..random.between(1, 2) {
            let wcet = random.between(1, 6 * budget);
            let _ = writeln!(
                text,
                "[task.t{place}{task}]\non = \"vcpu.v{place}\"\nwcet = \"{wcet}ns\"\nperiod = \"{}ns\"\ndeadline = \"1s\"\npriority = {task}",
                period * random.between(20, 60)
            );
        }
    }
    if scheduler == "fixed-priority" && random.chance(1, 2) {
        let every = random.between(period / 4, 4 * period);
        let _ = writeln!(
            text,
            "[task.above]\non = \"core.0\"\nwcet = \"{}ns\"\nperiod = \"{every}ns\"\npriority = 9",
            every / 20 + 1
        );
    }
    text
}

fn is_by_line(derivation: &Derivation) -> bool {
    let mut steps = derivation.steps().iter();
    steps.any(|step| matches!(step.fact, Fact::Supply(OfSupply::ShortRuns { .. })))
}

fn history(system: &System, random: &mut Random, end: u64) -> History {
    let mut history = History::quiet(system);
    for phase in &mut history.phases {
        *phase = Duration::from_ns(random.below(40_000));
    }
    for own in &mut history.tasks {
        *own = Arrivals::from(Instant::from_ns(random.below(end / 8)));
    }
    history
}

#[test]
fn no_bound_of_short_runs_is_exceeded() {
    let mut random = Random::new(21, 0);
    let (mut by_line, mut bounded, mut closest) = (0, 0, 0);
    for _ in 0..SYSTEMS {
        let text = draw(&mut random);
        let Ok(system) = read(text.as_str(), Format::Toml) else { continue };
        let known = bounds(&system);
        let mut longest = Longest::new(&system);
        let end = 4_000_000;
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for _ in 0..HISTORIES {
            let history = history(&system, &mut random, end);
            simulator.run(&history, Instant::from_ns(end), &mut longest);
        }
        for (id, seen) in longest.0.iter().enumerate() {
            let Some(bound) = known.task(TaskId(id)).bound() else { continue };
            let name = &system.tasks[id].name;
            assert!(*seen <= bound, "{name}: {seen} > {bound} in\n{text}");
            let wanted = [RequirementKind::Deadline(TaskId(id))].into_iter();
            let derived = derived_bounds_of(&system, wanted, &|| false);
            if is_by_line(&derived.task(TaskId(id)).derivation) {
                by_line += 1;
                closest = closest.max(seen.as_ns() * 1_000 / bound.as_ns());
            }
            bounded += 1;
        }
    }
    println!("{bounded} bounds, {by_line} by a line, the closest at {closest} thousandths");
    assert!(by_line > 50 && closest > 900, "{bounded} {by_line} {closest}");
}
