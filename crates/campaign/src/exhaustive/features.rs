//! Features that the other rows do not have: release jitter, blocking, late runtimes, charged routines, deadlines in guests and of servers.

use super::parts::{Shape, core, fitting, has_priority, hog, server, shape, task};
use crate::random::Random;
use std::fmt::Write as _;

/// The longest release jitter and section.
const LONGEST: u64 = 3;

/// The sections of a text: the name of each, and its lines.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('[') {
            Some(name) => found.push((name.trim_end_matches(']'), vec![line])),
            None => match found.last_mut() {
                Some((_, lines)) => lines.push(line),
                None => found.push(("", vec![line])),
            },
        }
    }
    found
}

/// The number of ticks of a key of a section.
fn ticks(lines: &[&str], key: &str) -> u64 {
    let value = |line: &&str| {
        line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix("ns\"")?.parse().ok()
    };
    lines.iter().find_map(value).expect("it is drawn with each")
}

/// The text with every section as `change` leaves it.
fn changed(text: &str, mut change: impl FnMut(&str, &[&str]) -> String) -> String {
    let mut whole = String::new();
    for (name, lines) in sections(text) {
        for line in &lines {
            let _ = writeln!(whole, "{line}");
        }
        whole += &change(name, &lines);
    }
    whole
}

/// The same with servers of one of these kinds in the place of periodic ones.
fn of_kinds(random: &mut Random, text: &str, kinds: &[&str]) -> String {
    if kinds.is_empty() {
        return text.to_owned();
    }
    text.replace("\"periodic\"", &format!("\"{}\"", random.one_of(kinds)))
}

/// Tasks are released late, all but best-effort work: the target, and every second of the others.
pub(super) fn late(random: &mut Random, text: &str, kinds: &[&str]) -> String {
    let text = of_kinds(random, text, kinds);
    changed(&text, |name, lines| {
        let is_task = name.starts_with("task.") && !name.contains("hog");
        if !is_task || name != "task.target" && random.chance(1, 2) {
            return String::new();
        }
        let most = LONGEST.min(ticks(lines, "period") - 1);
        format!("jitter = \"{}ns\"\n", random.between(1, most))
    })
}

/// A member waits for less urgent work.
pub(super) fn blocked(random: &mut Random, text: &str, member: &str, kinds: &[&str]) -> String {
    let text = of_kinds(random, text, kinds);
    let blocking = random.between(1, LONGEST);
    changed(&text, |name, _| {
        if name == member { format!("blocking = \"{blocking}ns\"\n") } else { String::new() }
    })
}

/// Servers whose relative deadline is less than their period.
pub(super) fn constrained(random: &mut Random, text: &str) -> String {
    changed(text, |name, lines| {
        if !name.starts_with("server.") {
            return String::new();
        }
        let deadline = random.between(ticks(lines, "budget"), ticks(lines, "period") - 1);
        format!("deadline = \"{deadline}ns\"\n")
    })
}

/// Runtimes of servers end late: mostly by a tick, by more than some budgets at most.
pub(super) fn overrunning(random: &mut Random, text: &str) -> String {
    let overrun = random.one_of(&[1, 1, 1, 2, 3]);
    changed(text, |name, _| {
        if name == "core.0" { format!("overrun = \"{overrun}ns\"\n") } else { String::new() }
    })
}

/// Servers pay for the routine of an interrupt, mostly a rare one; in one of three their deadlines are less than their periods.
pub(super) fn paying(random: &mut Random, text: &str) -> String {
    let text = if random.chance(1, 3) { constrained(random, text) } else { text.to_owned() };
    let text = changed(&text, |name, _| {
        if name == "core.0" { "interrupt-time = \"charged\"\n".to_owned() } else { String::new() }
    });
    let (isr, period) = (random.one_of(&[1, 1, 2]), random.one_of(&[5, 7, 9, 12, 15]));
    text + &format!(
        "[interrupt.i]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{period}ns\"\n"
    )
}

/// Two tasks in a server whose guest is scheduled by their deadlines; beside it another server, or nothing.
pub(super) fn by_deadline_inside(
    random: &mut Random,
    with_hog: bool,
    scheduler: &str,
    kinds: &[&str],
) -> String {
    let kind = random.one_of(kinds);
    let priority = |own| has_priority(scheduler, kind).then_some(own);
    let own = shape(random);
    let outer = server("s-target", "core.0", kind, own, priority(2));
    let mut guest = outer.replace("scheduler = \"fixed-priority\"", "scheduler = \"edf\"");
    let mut inside: Vec<String> = ["target", "second"]
        .into_iter()
        .map(|name| {
            // Two of them share the server.
            let half = fitting(random, own);
            let half = Shape { budget: half.budget, period: half.period * 2 };
            let deadline = random.between(half.budget, half.period + 2);
            task(name, "server.s-target", half, None) + &format!("deadline = \"{deadline}ns\"\n")
        })
        .collect();
    if random.chance(1, 2) {
        inside.reverse();
    }
    guest += &inside.concat();
    if with_hog {
        let other = shape(random);
        guest += &server("s-other", "core.0", kind, other, priority(random.one_of(&[1, 3])));
        guest += &hog("hog", "server.s-other");
    }
    core(scheduler) + &guest
}
