//! What `ps` printed.
//!
//! **Model.** The words of the first line name the columns. Up to the last that is needed all are one word, so a word's
//! place is its column. Which priority `PRI` is depends on what was asked for:
//!
//! | asked for | known by | `PRI` of the kernel's priority P |
//! |---|---|---|
//! | `-o cls,pri` | `CLS` | 39 - P, and the policy beside it |
//! | `l` | `VSZ` | P |
//! | `-l` | neither | 60 + P |
//!
//! P is -1 less the priority of `SCHED_FIFO` and `SCHED_RR`, -101 of `SCHED_DEADLINE`, and 0 to 39 of all others. Of a
//! thread that has a priority lent, it is that one.
//!
//! **Source.** ps(1) of procps, and what it prints.

use crate::found::{PRIORITIES, Policy};

/// A line of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) process: i32,
    pub(super) thread: i32,
    pub(super) parent: Option<i32>,
    pub(super) policy: Option<Policy>,
    /// The processor on which it ran last.
    pub(super) ran_on: Option<u32>,
    pub(super) name: Option<String>,
    /// The program with its arguments.
    pub(super) command: Option<&'a str>,
    pub(super) group: Option<&'a str>,
}

/// Places of columns; `None` where it has not what is needed.
struct Columns {
    process: usize,
    thread: Option<usize>,
    parent: Option<usize>,
    class: Option<usize>,
    priority: Option<usize>,
    ran_on: Option<usize>,
    /// What is added to the kernel's priority, where there is no class.
    above: i64,
    /// Of `CMD`, the rest of the line.
    command: Option<usize>,
    /// Of `COMMAND` before `CGROUP`, where it is the name of the thread.
    name: Option<usize>,
}

impl Columns {
    fn of(first: &str) -> Option<Self> {
        let words: Vec<&str> = first.split_whitespace().collect();
        let place = |name: &str| words.iter().position(|word| *word == name);
        let last = words.last().copied().unwrap_or_default();
        // A date is five words under one.
        let more = if place("STARTED").is_some() { 4 } else { 0 };
        let is_grouped = last == "CGROUP";
        let columns = Self {
            process: place("PID")?,
            thread: place("LWP"),
            parent: place("PPID"),
            class: place("CLS"),
            priority: place("PRI"),
            ran_on: place("PSR"),
            above: if place("VSZ").is_some() { 0 } else { 60 },
            command: place("CMD").or_else(|| place("COMMAND").filter(|_| !is_grouped)),
            name: place("COMMAND").filter(|_| is_grouped),
        };
        let says = columns.class.or(columns.priority).or(columns.name);
        says.map(|_| Self { command: columns.command.map(|place| place + more), ..columns })
    }

    fn line<'a>(&self, line: &'a str) -> Option<Line<'a>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |place: Option<usize>| words.get(place?)?.parse::<i64>().ok();
        let small = |place: Option<usize>| number(place).and_then(|own| i32::try_from(own).ok());
        let process = small(Some(self.process))?;
        let priority = number(self.priority);
        let policy = match self.class {
            Some(class) => of_class(words.get(class)?, priority),
            None => priority.and_then(|own| of_kernel(own - self.above)),
        };
        let group = self.name.and_then(|_| words.last().copied());
        let name = self.name.and_then(|place| words.get(place..words.len().max(1) - 1));
        Some(Line {
            process,
            thread: small(self.thread).unwrap_or(process),
            parent: small(self.parent),
            policy,
            ran_on: number(self.ran_on).and_then(|cpu| u32::try_from(cpu).ok()),
            name: name.map(|words| words.join(" ")).filter(|name| !name.is_empty()),
            command: self.command.and_then(|place| behind(line, place)),
            group,
        })
    }
}

/// The rest of a line behind so many words.
fn behind(line: &str, words: usize) -> Option<&str> {
    let mut rest = line.trim_start();
    for _ in 0..words {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    Some(rest.trim_end()).filter(|rest| !rest.is_empty())
}

/// By the policy's short name.
fn of_class(class: &str, priority: Option<i64>) -> Option<Policy> {
    let priority = priority.and_then(|own| u32::try_from(own - 40).ok());
    let priority = priority.filter(|own| PRIORITIES.contains(own));
    match class {
        "FF" => priority.map(Policy::Fifo),
        "RR" => priority.map(Policy::RoundRobin),
        "DLN" => Some(Policy::Deadline),
        "TS" | "B" | "IDL" | "ISO" | "EXT" => Some(Policy::Other),
        _ => None,
    }
}

/// By the priority that the kernel shows (`/proc/PID/stat`).
fn of_kernel(priority: i64) -> Option<Policy> {
    match priority {
        -101 => Some(Policy::Deadline),
        -100..=-2 => u32::try_from(-1 - priority).ok().map(Policy::RealTime),
        0..=39 => Some(Policy::Other),
        _ => None,
    }
}

/// Its lines; none where it is no output that says how threads are scheduled or what they are called.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut lines = text.lines();
    let columns = lines.next().and_then(Columns::of);
    lines.filter_map(move |line| columns.as_ref()?.line(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What procps printed of four threads of `chrt`, and of one without.
    #[test]
    fn each_way_of_asking_has_its_priorities() {
        let system = "F S UID        PID  PPID   LWP  C NLWP PRI  NI ADDR SZ WCHAN  STIME TTY          TIME CMD\n\
            4 S root     20824 20810 20830  0    1  52   - -   730 hrtime 08:56 ?        00:00:00 sleep 20\n\
            4 S root     20826 20810 20826  0    1 -41   - -   730 hrtime 08:56 ?        00:00:00 sleep 20\n\
            0 S root     20827 20810 20827  0    1  80   0 -   730 -      08:56 ?        00:00:00 sleep 20\n";
        let berkeley = "F   UID   PID  PPID PRI  NI    VSZ   RSS WCHAN  STAT TTY        TIME COMMAND\n\
            4     0 20824 20810  -8   -   2920  1660 hrtime S    ?          0:00 sleep 20\n\
            4     0 20826 20810 -101  -   2920  1828 hrtime S    ?          0:00 sleep 20\n\
            0     0 20827 20810  20   0   2920  1792 -      S    ?          0:00 sleep 20\n";
        let chosen = "F S   UID   PID  PPID  PGID   SID CLS PRI PSR ADDR    SZ WCHAN                                 STARTED TT           TIME CMD\n\
            4 S     0 20824 20810 20810 16256  FF  47   1    -   730 hrtimer_nanosleep    Mon Nov 30 08:56:20 2026 ?        00:00:00 sleep 20\n\
            4 S     0 20826 20810 20810 16256 DLN 140   0    -   730 hrtimer_nanosleep    Mon Nov 30 08:56:20 2026 ?        00:00:00 sleep 20\n\
            0 S     0 20827 20810 20810 16256 IDL  19   1    -   730 hrtimer_nanosleep    Mon Nov 30 08:56:20 2026 ?        00:00:00 sleep 20\n";
        let wanted = [Policy::Deadline, Policy::Other];
        for (text, first, ran_on, thread) in [
            (system, Policy::RealTime(7), None, 20830),
            (berkeley, Policy::RealTime(7), None, 20824),
            (chosen, Policy::Fifo(7), Some(1), 20824),
        ] {
            let all: Vec<Line> = lines(text).collect();
            assert_eq!((all.len(), all[0].process, all[0].parent), (3, 20824, Some(20810)));
            assert_eq!((all[0].policy, all[0].thread), (Some(first), thread), "{text}");
            assert_eq!((all[0].ran_on, all[0].command), (ran_on, Some("sleep 20")));
            let others: Vec<_> = all[1..].iter().filter_map(|line| line.policy).collect();
            assert_eq!(others, wanted, "{text}");
        }
        assert_eq!(of_class("RR", Some(90)), Some(Policy::RoundRobin(50)));
        for (class, priority) in
            [("FF", Some(140)), ("FF", None), ("?", Some(47)), ("RR", Some(40))]
        {
            assert_eq!(of_class(class, priority), None, "{class} {priority:?}");
        }
    }

    #[test]
    fn names_and_groups_stand_in_an_output_of_their_own() {
        let text = "  PID  PPID USER     GROUP      LWP NLWP START COMMAND         CGROUP\n\
               1     0 root     root         1    1 05:12 systemd         0::/init.scope\n\
             700     1 root     root       700    1 05:12 tmux: server    0::/user.slice/session-1.scope\n";
        let all: Vec<Line> = lines(text).collect();
        assert_eq!(all[1].name.as_deref(), Some("tmux: server"));
        assert_eq!(all[1].group, Some("0::/user.slice/session-1.scope"));
        assert_eq!((all[1].policy, all[1].command), (None, None));
        // `ps auxwwwm` has no priorities.
        let plain = "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n\
            root         1  0.0  0.0  35928  9936 ?        -    05:12   0:07 /sbin/init\n";
        assert_eq!(lines(plain).count(), 0);
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("PID PRI\n\nx 1\n 5\n").collect::<Vec<_>>().len(), 1);
    }
}
