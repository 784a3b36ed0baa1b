//! The verdicts on chains for people.

use super::ruling::ChainRuling;
use crate::input::Input;
use crate::outcome::{Verdict, toned};
use crate::prose::wrapped;
use crate::replay::Replay;
use crate::screen::Screen;
use crate::table::{self, Column};
use crate::unit::Unit;
use std::cmp::Reverse;
use vorrang_analysis::{Step, Until};
use vorrang_model::System;
use vorrang_sim::Observations;

/// The verdicts in one sentence; nothing where there is no chain.
pub fn sentence(screen: Screen, rulings: &[ChainRuling]) -> String {
    let Some(worst) = rulings.iter().map(|ruling| ruling.verdict).max() else {
        return String::new();
    };
    let of = |verdict: Verdict| rulings.iter().filter(|own| own.verdict == verdict).count();
    let text = match (of(worst), rulings.len()) {
        (_, 1) => format!("The requirement of the chain is {}.", worst.word()),
        (own, all) if own == all => {
            format!("All {all} requirements of chains are {}.", worst.word())
        }
        (1, all) => format!("1 of the {all} requirements of chains is {}.", worst.word()),
        (own, all) => format!("{own} of the {all} requirements of chains are {}.", worst.word()),
    };
    screen.toned(&text, toned(worst).1) + "\n"
}

/// A row for each, what refutes it or why it is undecided, and what its bound consists of.
pub fn text(
    screen: Screen,
    input: &Input,
    observations: &Observations,
    rulings: &[ChainRuling],
) -> String {
    if rulings.is_empty() {
        return String::new();
    }
    let observed = rulings.iter().map(|ruling| ruling.observed.as_ref().map(|seen| seen.time));
    let columns = [
        Column::words("chain", rulings.iter().map(|ruling| ruling.name.clone())),
        Column::words("requires", rulings.iter().map(|ruling| ruling.asked.word().to_owned())),
        Column::times("limit", rulings.iter().map(|ruling| Some(ruling.limit))),
        Column::times("bound", rulings.iter().map(|ruling| ruling.bound)),
        Column::times("observed", observed),
        Column::toned("verdict", rulings.iter().map(|ruling| toned(ruling.verdict))),
    ];
    let mut out = format!("\n{}", table::draw(screen, &columns));
    let mut explained: Vec<&str> = Vec::new();
    for ruling in rulings {
        out += &unproven(screen, input, observations, ruling);
        if !explained.contains(&ruling.name.as_str()) {
            out += &terms(screen, &input.system, ruling);
            explained.push(&ruling.name);
        }
    }
    out
}

/// What is to be said of one that is not proven.
pub fn statement(ruling: &ChainRuling) -> Option<String> {
    let (name, asked) = (&ruling.name, ruling.asked.word());
    if let Some(why) = &ruling.reason {
        return Some(format!("{name}: {asked} is undecided: {}", why.text));
    }
    let seen = ruling.observed.as_ref().filter(|_| ruling.verdict == Verdict::Refuted)?;
    let unit = Unit::of(ruling.limit);
    let (from, time) = (unit.at(seen.from), unit.text(seen.time));
    Some(format!("{name}: {asked} is refuted: from the reading at {from} it takes {time}"))
}

/// The commands that show a history that refutes it, one for each core.
pub fn replays(input: &Input, observations: &Observations, ruling: &ChainRuling) -> Vec<String> {
    let refuted = ruling.observed.as_ref().filter(|_| ruling.verdict == Verdict::Refuted);
    let Some(seen) = refuted else { return Vec::new() };
    let of = |&core| Replay::of(input, observations, core, &seen.pattern).to_string();
    ruling.cores.iter().map(of).collect()
}

fn unproven(
    screen: Screen,
    input: &Input,
    observations: &Observations,
    ruling: &ChainRuling,
) -> String {
    let Some(said) = statement(ruling) else { return String::new() };
    let said = match &ruling.reason {
        Some(why) => format!("{said}. [{}]", why.of.code()),
        None => format!("{said}. To see it:"),
    };
    let mut out = format!("\n{}", wrapped(screen, &said, "", "  "));
    for replay in replays(input, observations, ruling) {
        out += "  ";
        out += &replay;
        out.push('\n');
    }
    if let Some(help) = &ruling.help {
        out += &wrapped(screen, &format!("help: {}", help.text), "  ", "    ");
    }
    out
}

/// Which part to shorten.
fn terms(screen: Screen, system: &System, ruling: &ChainRuling) -> String {
    let Some(bound) = ruling.bound else { return String::new() };
    let unit = Unit::of(bound);
    let said: Vec<String> = ruling.steps.iter().map(|step| said(system, unit, step)).collect();
    let text = format!("the bound of {} is {}: {}", ruling.name, unit.text(bound), said.join("; "));
    let mut out = format!("\n{}", wrapped(screen, &text, "  ", "    "));
    let parts = ruling.steps.iter().flat_map(|step| {
        let name = &system.task(step.task).name;
        [(step.distance, name, "comes too rarely"), (step.time, name, end(step.until))]
    });
    if let Some((time, name, why)) = parts.max_by_key(|&(time, ..)| (time, Reverse(0))) {
        let largest = format!("largest term: {} because {name} {why}", unit.text(time));
        out += &wrapped(screen, &largest, "  ", "    ");
    }
    out + &wrapped(screen, &format!("by: {}", ruling.by), "  ", "    ")
}

const fn end(until: Until) -> &'static str {
    match until {
        Until::Completed => "takes so long to complete",
        Until::Held => "takes so long, beyond what its reader waits anyway",
        Until::Deadline => "writes at its deadline",
        Until::Wakes => "takes so long until the next one may begin",
        Until::Again => "is late for so many arrivals of its source",
    }
}

fn said(system: &System, unit: Unit, step: &Step) -> String {
    let name = &system.task(step.task).name;
    let (distance, time) = (unit.text(step.distance), unit.text(step.time));
    let until = match step.until {
        Until::Completed => "until it completes",
        Until::Held => "more, as its reader waits for it",
        Until::Deadline => "until its deadline",
        Until::Wakes => "until the next may begin",
        Until::Again => "more, as both come from one source",
    };
    // What one before it wakes arrives with that.
    if step.distance.is_zero() {
        return format!("{name} {time} {until}");
    }
    format!("{name} {distance} until it arrives, {time} {until}")
}
