//! Levels and tasks of a core of Linux whose real-time threads may be throttled: whether that happens depends on all that the core
//! takes besides their work.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::check::Effort;
use vorrang_campaign::random::Random;
use vorrang_model::{Format, read};
use vorrang_sim::search;

const SYSTEMS: u64 = 900;

/// Levels with up to two tasks each, reservations, and tasks beside them.
fn draw(random: &mut Random) -> String {
    let mut text = "version = 1\n[costs]\n".to_owned();
    for cost in ["scheduler-call", "context-switch"] {
        if random.chance(1, 3) {
            let _ = writeln!(text, "{cost} = \"1ns\"");
        }
    }
    let model = random.one_of(&["flood", "exponential"]);
    let useful = random.one_of(&["10%", "33.3333%", "50%"]);
    let sustained = random.between(2, 6);
    let period = random.between(5, 30);
    let budget = random.between(period.div_ceil(3), period - 1);
    let _ = write!(
        text,
        "[cache.c]\nmodel = \"{model}\"\nuseful = \"{useful}\"\nsustained = \"{sustained}ns\"\n\
         [core.0]\nscheduler = \"linux\"\ninterrupt-time = \"apart\"\nfair-server = \"none\"\n\
         rt-throttling = {{ budget = \"{budget}ns\", period = \"{period}ns\", late = \"0s\" }}\n"
    );
    for member in 0..random.between(1, 3) {
        let priority = random.between(1, 3);
        let kind = random.one_of(&["task", "none", "none", "sched-deadline"]);
        let mut on = "core.0".to_owned();
        if kind != "task" {
            on = format!("vcpu.s{member}");
            let _ = writeln!(text, "[{on}]\non = \"core.0\"\nserver = \"{kind}\"");
            if kind == "none" {
                let _ = writeln!(text, "priority = {priority}");
            } else {
                let every = random.between(4, 20);
                let own = random.between(1, every / 2);
                let _ = writeln!(text, "budget = \"{own}ns\"\nperiod = \"{every}ns\"");
            }
            if random.chance(2, 3) {
                text += "cache = \"cache.c\"\n";
            }
            text += "scheduler = \"fixed-priority\"\n";
        }
        for place in 0..if kind == "task" { 1 } else { random.between(1, 2) } {
            let (work, every) = (random.one_of(&[1, 1, 1, 2, 3]), random.between(3, 20));
            let own = if kind == "task" { priority } else { random.between(1, 3) };
            let _ = writeln!(
                text,
                "[task.t{member}-{place}]\non = \"{on}\"\nwcet = \"{work}ns\"\nperiod = \"{every}ns\"\ndeadline = \"none\"\npriority = {own}"
            );
        }
    }
    text
}

#[test]
fn no_bound_is_exceeded_where_the_limit_may_be_reached() {
    let (mut bounded, mut of_levels) = (0, 0);
    for index in 0..SYSTEMS {
        let text = draw(&mut Random::new(44, index));
        let Ok(system) = read(&text, Format::Toml) else { continue };
        let (known, seen) = (bounds(&system), search(&system, &Effort::quick().search));
        for (id, worst) in system.task_ids().zip(&seen.tasks) {
            let Some(bound) = known.task(id).bound() else { continue };
            bounded += 1;
            of_levels += u64::from(text.contains("server = \"none\""));
            if let Some(worst) = worst {
                assert!(
                    worst.response <= bound,
                    "{index}: {} of {bound} in\n{text}",
                    worst.response
                );
            }
        }
    }
    assert!(bounded > 240 && of_levels > 90, "{bounded} {of_levels}");
}
