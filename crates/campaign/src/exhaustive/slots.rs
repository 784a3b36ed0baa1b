//! Small systems in slots and tables.

use super::parts::{Shape, core, fitting, hog, server, shape, task};
use crate::random::Random;
use std::fmt::Write as _;

/// Priorities in a slot.
pub(super) fn slot(random: &mut Random, with_hog: bool) -> String {
    let own = shape(random);
    let offset = random.below(own.period - own.budget + 1);
    let mut text = core("slots") + &server("slot", "core.0", "slot", own, None);
    let _ = writeln!(text, "offset = \"{offset}ns\"");
    text += &task("target", "server.slot", fitting(random, own), Some(2));
    if random.chance(1, 2) {
        text += &task("other", "server.slot", fitting(random, own), Some(3));
    }
    if with_hog {
        text += &hog("hog", "server.slot");
    }
    text
}

/// Priorities in a table of two or three windows, the last of which may touch the first one.
pub(super) fn table(random: &mut Random, with_hog: bool) -> String {
    let (mut windows, mut budget, mut at) = (Vec::new(), 0, random.below(2));
    for _ in 0..random.between(2, 3) {
        let length = random.between(1, 2);
        windows.push(format!("\"{at}ns\" = \"{length}ns\""));
        budget += length;
        at += length + random.between(1, 2);
    }
    let own = Shape { budget, period: at - random.below(2) };
    let mut text = core("slots") + "[server.table]\non = \"core.0\"\nserver = \"table\"\n";
    let _ = writeln!(text, "period = \"{}ns\"", own.period);
    let _ = writeln!(text, "windows = {{ {} }}", windows.join(", "));
    text += "scheduler = \"fixed-priority\"\n";
    text += &task("target", "server.table", fitting(random, own), Some(2));
    if random.chance(1, 2) {
        text += &task("other", "server.table", fitting(random, own), Some(3));
    }
    if with_hog {
        text += &hog("hog", "server.table");
    }
    text
}

/// A periodic server in a slot.
pub(super) fn periodic_in_slot(random: &mut Random, with_hog: bool) -> String {
    let period = random.between(3, 6);
    let outer = Shape { budget: random.between(2, period - 1), period };
    let least = (outer.period).div_ceil(outer.budget);
    let inner = Shape { budget: 1, period: random.between(least, 8) };
    let mut text = core("slots") + &server("slot", "core.0", "slot", outer, None);
    text += "offset = \"0ns\"\n";
    text += &server("inner", "server.slot", "periodic", inner, Some(2));
    text += &task("target", "server.inner", fitting(random, inner), Some(2));
    if with_hog {
        text += &hog("hog", "server.inner");
    }
    text
}
