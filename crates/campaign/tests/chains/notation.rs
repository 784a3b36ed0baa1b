//! The systems of `small.csv`, as descriptions.
//!
//! Members are separated by `;`. `task a@0 p=3 C=1..2 T=5..7 J=1 D=4 ph=2 LET`: on core 0, priority 3 (larger is more
//! urgent), executions, distances of arrivals (`T=5`: no longest one), jitter, deadline, first arrival; `O=2`: that as an offset. `by=a`: woken by
//! the end of `a`. `irq`: a routine, with `d=1,3`: so far apart at least over two, three arrivals. `level V@0 p=9 fp` or `edf`: a server with its own scheduler, without a budget or
//! with `Q=1/4`.

use std::fmt::Write as _;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// The value of a key, as in `C=1..2`.
fn value<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// `1..2`, or `2` for both.
fn range(text: &str) -> (u64, Option<u64>) {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text}"));
    match text.split_once("..") {
        Some((least, most)) => (number(least), Some(number(most))),
        None => (number(text), None),
    }
}

/// A system of the table with its tick.
pub(crate) struct Written<'a> {
    pub(crate) members: &'a str,
    /// Nanoseconds of a tick.
    pub(crate) tick: u64,
}

impl Written<'_> {
    fn time(&self, ticks: u64) -> String {
        format!("\"{}ns\"", ticks * self.tick)
    }

    fn level(&self, text: &mut String, words: &[&str]) {
        let (name, on) = words[1].split_once('@').unwrap();
        let rule = if words.contains(&"edf") { "edf" } else { "fixed-priority" };
        let _ = writeln!(text, "[server.{name}]\non = \"core.{on}\"\nscheduler = \"{rule}\"");
        let _ = writeln!(text, "priority = {}", value(words, "p").unwrap());
        let _ = match value(words, "Q").and_then(|budget| budget.split_once('/')) {
            None => writeln!(text, "server = \"none\""),
            Some((budget, period)) => writeln!(
                text,
                "server = \"deferrable\"\nbudget = {}\nperiod = {}",
                self.time(range(budget).0),
                self.time(range(period).0)
            ),
        };
    }

    fn task(&self, text: &mut String, words: &[&str]) {
        let (name, on) = words[1].split_once('@').unwrap();
        let (least, most) = range(value(words, "C").unwrap());
        let noun = if on.starts_with(|own: char| own.is_ascii_digit()) { "core" } else { "server" };
        let _ = writeln!(
            text,
            "[task.{name}]\non = \"{noun}.{on}\"\nbcet = {}\nwcet = {}",
            self.time(least),
            self.time(most.unwrap_or(least)),
        );
        self.comes(text, words);
        if let Some(jitter) = value(words, "J") {
            let _ = writeln!(text, "jitter = {}", self.time(range(jitter).0));
        }
        let deadline = value(words, "D").map_or(100, |deadline| range(deadline).0);
        let _ = writeln!(text, "deadline = {}", self.time(deadline));
        if words.contains(&"LET") {
            text.push_str("communication = \"let\"\n");
        }
        if let Some(priority) = value(words, "p") {
            let _ = writeln!(text, "priority = {priority}");
        }
    }

    /// How often a task comes, or after which it does; how often that is where a routine wakes it, is said there.
    fn comes(&self, text: &mut String, words: &[&str]) {
        let by = value(words, "by");
        let latest = if let Some(by) = by {
            self.routine(by).and_then(|words| range(value(&words, "T").unwrap()).1)
        } else {
            let (period, latest) = range(value(words, "T").unwrap());
            let _ = writeln!(text, "period = {}", self.time(period));
            latest
        };
        if let Some(by) = by.filter(|by| self.routine(by).is_none()) {
            let _ = writeln!(text, "after = [\"task.{by}\"]");
        }
        if let Some(offset) = value(words, "O") {
            let _ = writeln!(text, "offset = {}", self.time(range(offset).0));
        } else if let Some(latest) = latest {
            let _ = writeln!(text, "latest-interarrival = {}", self.time(latest));
        }
    }

    /// The words of a routine.
    pub(crate) fn routine(&self, name: &str) -> Option<Vec<&str>> {
        let starts = format!("irq {name}@");
        let written = self.members.split("; ").find(|member| member.starts_with(&starts))?;
        Some(written.split_whitespace().collect())
    }

    fn interrupt(&self, text: &mut String, words: &[&str]) {
        let (name, on) = words[1].split_once('@').unwrap();
        let (least, most) = range(value(words, "C").unwrap());
        let isr = self.time(most.unwrap_or(least));
        let _ = writeln!(text, "[interrupt.{name}]\non = \"core.{on}\"\nisr = {isr}");
        let _ = if let Some(all) = value(words, "d") {
            let all: Vec<String> =
                all.split(',').map(|own| self.time(own.parse().unwrap())).collect();
            writeln!(text, "min-distances = [{}]", all.join(", "))
        } else {
            let period = range(value(words, "T").unwrap()).0;
            writeln!(text, "min-interarrival = {}", self.time(period))
        };
        let by = format!("by={name}");
        let members = self.members.split("; ");
        let words = members.map(str::split_whitespace);
        let mut woken = words.filter(|words| words.clone().any(|word| word == by));
        if let Some(mut woken) = woken.next() {
            let woken = woken.nth(1).unwrap().split_once('@').unwrap().0;
            let _ = writeln!(text, "wakes = \"task.{woken}\"");
        }
    }

    /// The shortest times of routines, in the order of declaration.
    pub(crate) fn shortest_routines(&self) -> Vec<u8> {
        let routines = self.members.split("; ").filter(|member| member.starts_with("irq "));
        let shortest = |member: &str| {
            let words: Vec<&str> = member.split_whitespace().collect();
            u8::try_from(range(value(&words, "C").unwrap()).0 * self.tick).unwrap()
        };
        routines.map(shortest).collect()
    }

    /// The system; with a path of tasks, such as `a-b`, as its chain.
    pub(crate) fn system(&self, path: Option<&str>) -> System {
        let mut text = "version = 1\n".to_owned();
        for core in ["0", "1"] {
            if self.members.contains(&format!("@{core}")) {
                let _ = writeln!(text, "[core.{core}]\nscheduler = \"fixed-priority\"");
            }
        }
        for member in self.members.split("; ") {
            let words: Vec<&str> = member.split_whitespace().collect();
            match words[0] {
                "level" => self.level(&mut text, &words),
                "task" => self.task(&mut text, &words),
                "irq" => self.interrupt(&mut text, &words),
                other => panic!("{other}"),
            }
        }
        if let Some(path) = path {
            let path: Vec<String> =
                path.split('-').map(|name| format!("\"task.{name}\"")).collect();
            let limit = self.time(1000);
            let _ = writeln!(text, "[chain.x]\npath = [{}]\nreaction = {limit}", path.join(", "));
        }
        read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
    }

    /// The first arrivals that are known, by task, in ticks of a nanosecond.
    pub(crate) fn firsts(&self) -> Vec<Option<u8>> {
        let members = self.members.split("; ").filter(|member| member.starts_with("task "));
        let first = |member: &str| {
            let words: Vec<&str> = member.split_whitespace().collect();
            value(&words, "ph").map(|first| u8::try_from(range(first).0 * self.tick).unwrap())
        };
        members.map(first).collect()
    }
}
