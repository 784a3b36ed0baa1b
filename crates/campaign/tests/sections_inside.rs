//! Sections that hold something up in a reservation of the host, where each is a context of its own.
//!
//! **Model.** A core whose calls and switches take time, with servers that are threads of it: in them tasks by priority,
//! perhaps with cold caches, some held up by a section, and perhaps a server more. Beside them tasks of the core.

use crate::common::light::{Draw, all, number};
use std::fmt::Write as _;
use vorrang_campaign::random::Random;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

struct Draft<'r> {
    text: String,
    random: &'r mut Random,
    number: u64,
    is_cold: bool,
}

impl Draft<'_> {
    fn add(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes it");
    }

    fn held(&mut self, one_in: u64) {
        if self.random.chance(1, one_in) {
            let blocking = self.random.between(1, 5);
            self.add(&format!("blocking = \"{blocking}ns\""));
        }
    }

    fn task(&mut self, on: &str, least: u64) {
        self.number += 1;
        let (name, wcet) = (self.number, self.random.between(1, 4));
        let period = self.random.between(least, 4 * least);
        let priority = self.random.between(1, 6);
        self.add(&format!(
            "[task.t{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"{}ns\"\npriority = {priority}",
            4 * period
        ));
        self.held(2);
        if self.is_cold && self.random.chance(1, 2) {
            self.add("cache = \"cache.c\"");
        }
    }

    fn reservation(&mut self, on: &str, (is_linux, depth): (bool, u64)) {
        self.number += 1;
        let name = self.number;
        let kind = self.random.one_of(&["none", "deferrable", "periodic", "polling", "sporadic"]);
        let kind = if is_linux && self.random.chance(1, 2) { "sched-deadline" } else { kind };
        self.add(&format!("[server.s{name}]\non = \"{on}\"\nserver = \"{kind}\""));
        self.add("scheduler = \"fixed-priority\"");
        if kind != "none" {
            let budget = self.random.between(10, 30);
            let period = self.random.between(2 * budget, 4 * budget);
            self.add(&format!("budget = \"{budget}ns\"\nperiod = \"{period}ns\""));
        }
        if kind != "sched-deadline" {
            let priority = self.random.between(1, 6);
            self.add(&format!("priority = {priority}"));
            self.held(6);
        }
        let inside = format!("server.s{name}");
        for _ in 0..self.random.between(1, 3) {
            self.task(&inside, 50);
        }
        if depth > 0 && self.random.chance(1, 5) {
            self.reservation(&inside, (false, depth - 1));
        }
    }
}

fn system(random: &mut Random, _: &mut Random) -> System {
    let is_cold = random.chance(1, 3);
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0, is_cold };
    let (call, switch) = (draft.random.below(3), draft.random.below(3));
    draft.add(&format!("[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\""));
    if is_cold {
        let sustained = draft.random.between(1, 4);
        draft.add(&format!(
            "[cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"{sustained}ns\""
        ));
    }
    let is_linux = draft.random.chance(1, 2);
    draft.add("[core.0]");
    draft.add(if is_linux {
        "scheduler = \"linux\"\nfair-server = \"none\""
    } else {
        "scheduler = \"fixed-priority\""
    });
    draft.reservation("core.0", (is_linux, 1));
    for _ in 0..draft.random.below(3) {
        draft.task("core.0", 80);
    }
    let text = draft.text;
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

const DRAW: Draw = (45, system);

#[test]
fn no_bound_is_exceeded_where_sections_are_contexts() {
    let found = all(DRAW, 0..number("VORRANG_SYSTEMS", 300), number("VORRANG_HISTORIES", 40));
    assert!(found.bounded > 300, "{found:?}");
}
